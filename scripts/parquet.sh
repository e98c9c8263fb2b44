#!/usr/bin/env bash
# Exports an audit log as Parquet and as JSON lines, and has pyarrow say whether they are the same.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! python3 -m venv "$folder/venv" || ! "$folder/venv/bin/pip" install --quiet pyarrow; then
  echo "skipped: pyarrow cannot be installed (needs Python with venv, and a package index)"
  exit 0
fi
cargo build --locked --quiet -p guardbee-cli
guardbee=target/debug/guardbee
export GUARDBEE_STORE="$folder/guardbee.db"
"$guardbee" record examples/provenance examples/warehouse --hivevar day=2026-11-29 --user etl --quiet >"$folder/recorded" || true
"$guardbee" check --user ana -e 'SELECT amount FROM raw.orders' >"$folder/checked" || true
"$guardbee" audit export --user etl --format parquet -o "$folder/audit.parquet"
"$guardbee" audit export --user etl >"$folder/audit.jsonl"
"$folder/venv/bin/python" scripts/parquet.py "$folder/audit.parquet" "$folder/audit.jsonl"
