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
  mkdir -p "$corpus"
  find examples -name '*.hql' -exec cp -n -t "$corpus" {} +
  echo "fuzz: $target for $seconds s"
  cargo +nightly fuzz run --fuzz-dir fuzz "$target" -- -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 -verbosity=0 -print_final_stats=1 2>&1 \
    | grep -E 'stat::number_of_executed_units|ERROR|panicked|SUMMARY|Test unit' || true
  if compgen -G "fuzz/artifacts/$target/*" >/dev/null; then
    echo "fuzz: $target found something, see fuzz/artifacts/$target"; exit 1
  fi
done
echo "fuzz: clean"
