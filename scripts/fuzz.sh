#!/usr/bin/env bash
# Fuzzes parser, round trip and analysis for the given number of seconds each, from the examples on.
# Usage: scripts/fuzz.sh SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:?how many seconds for each target}

if ! command -v cargo-fuzz >/dev/null; then
  echo "fuzz: skipped, cargo-fuzz is not installed (cargo install cargo-fuzz --locked)"; exit 0
fi
if ! cargo +nightly --version >/dev/null 2>&1; then
  echo "fuzz: skipped, there is no nightly toolchain (rustup toolchain install nightly)"; exit 0
fi

for target in parser round_trip analysis; do
  corpus=fuzz/corpus/$target
  log=fuzz/$target.log
  mkdir -p "$corpus"
  find examples -name '*.hql' -exec cp -n -t "$corpus" {} +
  echo "fuzz: $target for $seconds s"
  if ! cargo +nightly fuzz run --fuzz-dir fuzz "$target" -- -max_total_time="$seconds" -max_len=4096 -timeout=20 \
    -rss_limit_mb=4096 -verbosity=0 -print_final_stats=1 >"$log" 2>&1; then
    tail -n 40 "$log"
    echo "fuzz: $target found something or could not run: see $log and fuzz/artifacts/$target"; exit 1
  fi
  grep 'stat::number_of_executed_units' "$log"
done
echo "fuzz: clean"
