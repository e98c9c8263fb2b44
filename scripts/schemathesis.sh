#!/usr/bin/env bash
# Has the PyPI package `schemathesis` ask the running service everything that its OpenAPI document lets it ask, in the sense
# and against it: no answer may be a failure of the service, and each has to be as documented. Says what it left out.
# Usage: scripts/schemathesis.sh [GUARDBEE [SECONDS]]
set -euo pipefail
cd "$(dirname "$0")/.."
guardbee=$(realpath "${1:-target/release/guardbee}")
seconds=${2:-300}
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

if ! python3 -m venv "$folder/venv" || ! "$folder/venv/bin/pip" install --quiet schemathesis==4.32.5; then
  echo "schemathesis: left out, it cannot be installed (needs Python with venv, and a package index)"
  exit 0
fi

"$guardbee" serve --store "$folder/guardbee.db" --listen 127.0.0.1:0 >"$folder/told" 2>"$folder/log" &
server=$!
for _ in $(seq 100); do
  if grep -qs 'listening' "$folder/log" && grep -qs 'one-time password' "$folder/told" "$folder/log"; then break; fi
  sleep 0.1
done
url=$(grep -oE 'http://[0-9.:]+' "$folder/log" | head -1)
password=$(grep -ohE 'one-time password [^ ]+' "$folder/told" "$folder/log" | awk '{ print $3 }')
token=$("$folder/venv/bin/python" scripts/first_token.py "$url" admin "$password")

# Random numbers are small: the token that asks has a large one, so that it is not removed while it does.
checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance
checks=$checks,response_schema_conformance,missing_required_header,unsupported_method
config=$PWD/scripts/schemathesis.toml
# It knows no lines of JSON, and would end the session that asks.
(cd "$folder" && "$folder/venv/bin/schemathesis" --config-file "$config" run "$url/api/v1/openapi.json" --no-color \
  -H "Authorization: Bearer $token" --checks "$checks" --phases examples,coverage,fuzzing --max-time "$seconds" \
  --exclude-path /api/v1/session --exclude-path-regex '/stream$' --suppress-health-check all --generation-deterministic --max-examples 100 \
  --request-timeout 30 --warnings off)
if grep -E ' ERROR |panicked' "$folder/log"; then
  echo "schemathesis: the service failed, as its log says" >&2
  exit 1
fi
