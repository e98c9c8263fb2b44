#!/usr/bin/env bash
# The full counts, before an issue is closed: fresh random statements and mutations before the real Hive of each
# version, twenty minutes of fuzzing for each target, memory of large texts. Takes two hours; needs Java 17 and
# Maven, for Hive 4.2 also a Java of 21 or later. Put the result into docs/results.md with its date.
set -euo pipefail
cd "$(dirname "$0")/.."
statements=${STATEMENTS:-2000}

echo "== everything of make test"
SCHEMATHESIS_SECONDS=${SCHEMATHESIS_SECONDS:-600} scripts/test.sh

echo "== the store: 200 kills of each kind, 2,000 damaged files"
GUARDBEE_TEST_KILLS=${KILLS:-200} GUARDBEE_TEST_FLIPS=${FLIPS:-2000} \
  cargo test --locked --quiet -p guardbee-store --test kill --test faults --test run_faults -- --nocapture

echo "== runs and the audit log: 1,000 kills of each kind"
GUARDBEE_TEST_KILLS=${RUN_KILLS:-1000} cargo test --locked --quiet -p guardbee-store --test kill_runs -- --nocapture

echo "== two servers on one PostgreSQL: each killed 50 times, the database paused and cut off"
GUARDBEE_TEST_KILLS=${SERVER_KILLS:-50} cargo test --locked --quiet -p guardbee-cli --test chaos -- --nocapture

echo "== the audit log as Parquet: a million records in little memory, and a file read by pyarrow"
cargo test --locked --quiet -p guardbee-cli --test parquet -- --ignored --nocapture
scripts/parquet.sh

echo "== $statements fresh statements before the parsers and compilers of the real Hive"
if command -v java >/dev/null && command -v mvn >/dev/null; then
  mutate=()
  if [[ -f ../shared/corpus/hive-golden-dev.jsonl.gz ]]; then mutate=(--mutate ../shared/corpus/hive-golden-dev.jsonl.gz); fi
  cargo run --release --locked --quiet -p guardbee-testkit --bin fuzz-hive -- --statements "$statements" ${mutate[@]+"${mutate[@]}"}
else
  echo "skipped: java and mvn are missing (Debian: apt-get install openjdk-17-jdk maven)"
fi

echo "== ${DECISIONS:-10000000} random decisions before the naive oracle"
cargo run --release --locked --quiet -p guardbee-testkit --bin compare-policy -- --decisions "${DECISIONS:-10000000}"

echo "== ${HISTORIES:-100000} random histories before the naive oracle"
cargo run --release --locked --quiet -p guardbee-testkit --bin compare-lineage -- --histories "${HISTORIES:-100000}"

echo "== a dataset with ${VERSIONS:-1000000} versions, and a run with 10,000 inputs and 100,000 column edges"
GUARDBEE_TEST_VERSIONS="${VERSIONS:-1000000}" \
  cargo test --release --locked --quiet -p guardbee-questions --test sizes -- --nocapture

echo "== memory of large texts"
cargo build --release --locked --quiet -p guardbee-cli
scripts/memory.sh target/release/guardbee

echo "== the service with 10,000 clients that say nothing, or as many as may be open here"
(ulimit -n "$(ulimit -H -n)"; GUARDBEE_TEST_IDLE=10000 \
  cargo test --locked --quiet -p guardbee-server --test hostile -- those_who_say_nothing --nocapture)

echo "== exports before readers that are not ours"
scripts/exports.sh target/release/guardbee

echo "== fuzzing, ${FUZZ_SECONDS:-1200} s a target"
scripts/fuzz.sh "${FUZZ_SECONDS:-1200}"
