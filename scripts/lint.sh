#!/usr/bin/env bash
# Format, lints and licences. Exits non-zero on the first finding.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fmt --all -- --check
cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
if command -v cargo-deny >/dev/null; then
  cargo deny --log-level error check licenses bans sources
  if cargo deny --log-level off fetch db; then
    cargo deny --log-level error check --disable-fetch advisories
  else
    echo "lint: the advisory database cannot be reached, advisories not checked"
  fi
else
  echo "lint: cargo-deny is not installed, licences not checked (cargo install cargo-deny --locked)"
fi
echo "lint: clean"
