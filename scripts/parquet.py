"""Reads an exported audit log with pyarrow, and holds it to the JSON lines: parquet.py AUDIT.parquet AUDIT.jsonl"""

import json
import sys
from datetime import datetime, timedelta, timezone

import pyarrow.parquet

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def moment(milliseconds):
    at = EPOCH + timedelta(milliseconds=milliseconds)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


def main(table, lines):
    table = pyarrow.parquet.read_table(table)
    table = table.set_column(1, "at", table["at"].cast("int64"))
    rows = table.to_pylist()
    with open(lines, encoding="utf-8") as lines:
        expected = [json.loads(line) for line in lines]
    assert len(rows) == len(expected), f"{len(rows)} rows, {len(expected)} lines"
    for row, line in zip(rows, expected):
        row["at"] = moment(row["at"])
        row = {name: value for name, value in row.items() if value is not None}
        assert row == line, f"{row}\n{line}"
    print(f"pyarrow {pyarrow.__version__}: {len(rows)} rows are what the lines say")


main(*sys.argv[1:])
