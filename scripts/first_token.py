"""Signs in with the one-time password of a new service, changes it, and prints a token. Usage: URL USER PASSWORD"""

import json
import secrets
import sys
import urllib.request

url, user, password = sys.argv[1:]


def call(method, path, body, headers):
    data = json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url + path, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request) as answer:
        text = answer.read()
        return answer.headers, json.loads(text) if text else None


headers, session = call("POST", "/api/v1/session", {"user": user, "password": password}, {})
page = {"Cookie": headers["Set-Cookie"].split(";")[0], "X-CSRF-Token": session["csrf_token"]}
call("PUT", "/api/v1/password", {"old": password, "new": secrets.token_urlsafe()}, page)
for _ in range(300):
    _, made = call("POST", "/api/v1/tokens", {"label": "script"}, page)
print(made["secret"])
