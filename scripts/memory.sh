#!/usr/bin/env bash
# What large texts cost in memory: a 100 MB script of ordinary statements must take less than 200 MB, one INSERT VALUES
# statement of 100 MB less than ten times its size. Usage: scripts/memory.sh GUARDBEE [MEGABYTES]
set -euo pipefail
guardbee=$1; megabytes=${2:-100}
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT

# The high-water mark of the resident size in MB while the command runs.
peak() {
  python3 - "$@" <<'PY'
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, code)
PY
}

python3 - "$folder" "$megabytes" <<'PY'
import sys
folder, size = sys.argv[1], int(sys.argv[2]) << 20
with open(f"{folder}/script.hql", "w") as script:
    script.write("create table src (key string, value string, amount double) partitioned by (ds string);\n"
                 "create table dst (key string, total double) partitioned by (ds string);\n")
    number = 0
    while script.tell() < size:
        number += 1
        script.write(f"insert overwrite table dst partition (ds='{number}')\nselect a.key, sum(a.amount * {number})\n"
                     f"from src a join src b on a.key = b.key\nwhere a.ds = '{number}' and b.value <> 'x{number}'\ngroup by a.key;\n")
with open(f"{folder}/values.hql", "w") as values:
    values.write("create table t (a int, b string, c double);\ninsert into t values (0, 'a', 0.5)")
    number = 0
    while values.tell() < size:
        number += 1
        values.write(f",({number},'name {number}',{number}.25)")
    values.write(";\n")
PY

failed=0
check() { # what, limit in MB, peak, exit code
  local verdict=ok
  if (( $3 > $2 || $4 != 0 )); then verdict=MISSED; failed=$((failed + 1)); fi
  echo "$1: $3 MB of at most $2 MB, exit $4: $verdict"
}
read -r used code < <(peak "$guardbee" analyze --format jsonl "$folder/script.hql")
check "script of $megabytes MB" $((megabytes * 2)) "$used" "$code"
read -r used code < <(peak "$guardbee" analyze --format jsonl "$folder/values.hql")
check "INSERT VALUES of $megabytes MB" $((megabytes * 10)) "$used" "$code"
exit $((failed > 0))
