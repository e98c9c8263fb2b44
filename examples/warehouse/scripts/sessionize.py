"""Groups the events of a visitor into sessions; used by etl/load_web.hql through TRANSFORM.

Reads visitor, time, page and event type as tab-separated lines, sorted by visitor and time.
Writes visitor, number of the session, its begin and end, pages, first page, and whether it ended in an order.
"""

import argparse
import sys
from datetime import datetime, timedelta


def moment(text):
    return datetime.strptime(text[:19], "%Y-%m-%d %H:%M:%S")


def emit(session):
    if session:
        print("\t".join(str(field) for field in session.values()))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--gap-minutes", type=int, default=30)
    gap = timedelta(minutes=arguments.parse_args().gap_minutes)

    session = None
    for line in sys.stdin:
        visitor, time, page, event_type = line.rstrip("\n").split("\t")
        same_visitor = session is not None and session["visitor"] == visitor
        if not same_visitor or moment(time) - moment(session["ended_at"]) > gap:
            emit(session)
            number = session["number"] + 1 if same_visitor else 1
            session = {"visitor": visitor, "number": number, "started_at": time, "ended_at": time, "pages": 0, "landing": page, "converted": "false"}
        session["ended_at"] = time
        session["pages"] += 1
        if event_type == "order":
            session["converted"] = "true"
    emit(session)


if __name__ == "__main__":
    main()
