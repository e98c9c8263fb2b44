#!/usr/bin/env bash
# All tests, with what they cover.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== unit, data and property tests"
# Building takes minutes the first time, and shows how far it is; what the tests print themselves is short.
cargo test --workspace --exclude guardbee-bench --locked --no-run
cargo test --workspace --exclude guardbee-bench --locked --quiet

if ! compgen -G "/usr/lib/postgresql/*/bin/postgres" >/dev/null && ! command -v postgres >/dev/null; then
  echo "left out: the store on PostgreSQL, which is not installed (Debian: apt-get install postgresql)"
fi

echo "== fidelity: the corpora of Hive and others, where they lie beside the repository"
cargo run --release --locked --quiet -p guardbee-testkit --bin fidelity -- --corpus ../shared/corpus

echo "== memory"
cargo build --release --locked --quiet -p guardbee-cli
scripts/memory.sh

echo "== the service as its OpenAPI document lets it be asked"
scripts/openapi.sh
scripts/deploy.sh
scripts/schemathesis.sh target/release/guardbee "${SCHEMATHESIS_SECONDS:-45}"

echo "== fuzzing"
scripts/fuzz.sh "${FUZZ_SECONDS:-30}"
