#!/usr/bin/env bash
# Measures how much memory two large scripts and two large query logs take, and fails where a bound is passed.
# Usage: scripts/memory.sh [GUARDBEE]   (the release build, unless another is named)
set -euo pipefail
cd "$(dirname "$0")/.."
guardbee=${1:-target/release/guardbee}
megabytes=100

time=$(type -P time || true)
if [[ -z $time ]]; then
  echo "memory: skipped, GNU time is not installed (Debian: apt-get install time)"; exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A working day of statements, again and again.
ordinary() {
  cat <<'SQL'
CREATE TABLE IF NOT EXISTS sales (id BIGINT, customer STRING, amount DECIMAL(12,2), ts TIMESTAMP) PARTITIONED BY (ds STRING);
CREATE TABLE IF NOT EXISTS customer (name STRING, country STRING, email STRING);
CREATE TABLE IF NOT EXISTS revenue (country STRING, amount DECIMAL(18,2), sales BIGINT) PARTITIONED BY (ds STRING);
SQL
  yes "SET hivevar:day=2026-11-29;
-- The revenue of a day by country.
INSERT OVERWRITE TABLE revenue PARTITION (ds = '\${hivevar:day}')
SELECT c.country, sum(s.amount) AS amount, count(*) AS sales
FROM sales s JOIN customer c ON c.name = s.customer
WHERE s.ds = '\${hivevar:day}' AND s.amount > 0
GROUP BY c.country;
WITH best AS (SELECT customer, max(amount) AS amount FROM sales WHERE ts >= '2026-11-01' GROUP BY customer)
SELECT b.customer, b.amount, c.email, row_number() OVER (PARTITION BY c.country ORDER BY b.amount DESC) AS place
FROM best b LEFT OUTER JOIN customer c ON c.name = b.customer;
ALTER TABLE revenue DROP IF EXISTS PARTITION (ds = '2020-01-01');" 2>/dev/null | head -c "${megabytes}M" || true
  echo ";"
}

# One statement of millions of values.
values() {
  echo "INSERT INTO sales PARTITION (ds = '2026-11-29') VALUES"
  yes "(1234567, 'a customer', 1234.56, '2026-11-29 02:14:00')," 2>/dev/null | head -n $((megabytes * 1024 * 1024 / 56)) || true
  echo "(1, 'the last', 1.00, '2026-11-29 02:14:01');"
}

# A log of twice the size, whose statements leave nothing to remember: what is measured is reading, not the graph.
log() {
  yes "$1" 2>/dev/null | head -c $((2 * megabytes * 1000000)) || true
}

# Imports a log and compares its peak with a bound, both in KiB.
measure_import() {
  local file=$1 bound=$2 peak seconds
  "$time" -f '%M %e' -o "$folder/measured" "$guardbee" import querylog --quiet --user etl --store "$folder/$file.db" "$folder/$file" >"$folder/out" 2>&1 || true
  read -r peak seconds < <(tail -n 1 "$folder/measured")
  grep -q "without data" "$folder/out"
  printf 'memory: %-10s %4d MB as %-6s %5d MB at most (bound %d MB), %s s\n' "$file" $(($(stat -c %s "$folder/$file") / 1024 / 1024)) import $((peak / 1024)) $((bound / 1024)) "$seconds"
  ((peak < bound))
}

# Runs the command on a script and compares its peak with a bound, both in KiB.
measure() {
  local name=$1 bound=$2 size peak
  size=$(($(stat -c %s "$folder/$name.hql") / 1024))
  "$time" -f '%M %e' -o "$folder/measured" "$guardbee" analyze --quiet --format "$3" "$folder/$name.hql" >"$folder/out" || true
  read -r peak seconds < <(tail -n 1 "$folder/measured")
  printf 'memory: %-10s %4d MB as %-6s %5d MB at most (bound %d MB), %s s\n' "$name" $((size / 1024)) "$3" $((peak / 1024)) $((bound / 1024)) "$seconds"
  ((peak < bound))
}

ordinary >"$folder/ordinary.hql"
values >"$folder/values.hql"
measure ordinary $((200 * 1024)) table
measure ordinary $((200 * 1024)) jsonl
measure values $((10 * megabytes * 1024)) table

log "SELECT 1 FROM (SELECT 'a statement that is as long as they are', 2) q WHERE 3 > 1; -- it's done" >"$folder/log.sql"
log '{"time":1764000000000,"user":"ana","query_id":"q","sql":"SELECT count(*) FROM (SELECT 1 AS a, 2 AS b) q WHERE 3 > 1"}' >"$folder/log.jsonl"
measure_import log.sql $((100 * 1024))
measure_import log.jsonl $((100 * 1024))
