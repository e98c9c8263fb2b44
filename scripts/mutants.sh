#!/usr/bin/env bash
# Changes the deciding code of crates/policy in every small way that cargo-mutants knows, and names the changes that
# no test notices. What is left is explained in docs/mutants.md. Needs cargo-mutants (cargo install cargo-mutants).
#
# The tests are those of the policy crate and those that hold it to the naive oracle, in a workspace of these two and
# nothing else: a changed crate is built and asked in seconds. A first round asks few random questions, which kills
# most; what survives it is asked as many as `make test` asks.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v cargo-mutants >/dev/null || { echo "cargo-mutants is missing: cargo install cargo-mutants" >&2; exit 3; }
out=${1:-target/mutants}
files=(decide/mod decide/columns decide/inside decide/obligations decide/place decide/tally decide/provider
  subject index/cell)
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/crates/oracle/src" "$work/crates/oracle/tests"
cp -r crates/model crates/policy "$work/crates/"
cp -r crates/testkit/src/{policy_oracle,compare.rs,shrink.rs} "$work/crates/oracle/src/"
mkdir "$work/crates/oracle/src/generate"
cp crates/testkit/src/generate/random.rs "$work/crates/oracle/src/generate/"
echo 'pub mod random; pub use random::Random;' >"$work/crates/oracle/src/generate/mod.rs"
echo 'pub mod compare; pub mod generate; pub mod policy_oracle; pub mod shrink;' >"$work/crates/oracle/src/lib.rs"
sed 's/guardbee_testkit/oracle/' crates/testkit/tests/policy_oracle.rs >"$work/crates/oracle/tests/policy_oracle.rs"
# Tests of what does not decide only cost time here.
(cd "$work/crates/policy/tests" && rm -f allocations.rs matrix.rs requirements.rs reverse.rs rule_book*.rs)
cat >"$work/crates/oracle/Cargo.toml" <<'TOML'
[package]
name = "oracle"
version = "0.1.0"
edition = "2024"
[dependencies]
guardbee-model.workspace = true
guardbee-policy.workspace = true
smol_str.workspace = true
TOML
{
  sed -n '/^\[profile/q;p' Cargo.toml |
    sed 's#^members = .*#members = ["crates/model", "crates/policy", "crates/oracle"]#'
  cat <<'TOML'
[profile.test]
opt-level = 0
debug = false
incremental = true
codegen-units = 256
[profile.test.package."*"]
opt-level = 1
TOML
} >"$work/Cargo.toml"
cp Cargo.lock rust-toolchain.toml "$work/"

mutants() {
  local name=$1
  shift
  (cd "$work" && cargo mutants --in-place --no-shuffle --package guardbee-policy --test-package guardbee-policy,oracle \
    --timeout 300 --output "$out/$name" "$@") || true
}

full=$(mktemp -d "$work/full.XXXX")
cp -r "$work/crates/policy/tests" "$full/policy"
cp -r "$work/crates/oracle/tests" "$full/oracle"
sed -i -E 's/^(const POLICIES: u64 = )[0-9_]+;/\1120;/' "$work"/crates/policy/tests/{agreement,inherited_tags}.rs
# Of so few questions not every kind comes up fifty times.
sed -i -E 's/compare_many\([0-9_]+,/compare_many(20_000,/; s/count >= 50\)/count >= 1)/' "$work/crates/oracle/tests/policy_oracle.rs"
# The baseline of cargo-mutants is the changed crate's tests alone: a test that always fails would notice every change.
(cd "$work" && cargo test --quiet -p guardbee-policy -p oracle)
mutants few $(printf -- '-f crates/policy/src/%s.rs ' "${files[@]}")

# Numbers of lines stay as they are, so the names of the survivors are those of the second round.
cp "$full"/policy/*.rs "$work/crates/policy/tests/"
cp "$full"/oracle/*.rs "$work/crates/oracle/tests/"
survivors=("$out"/few/mutants.out/{missed,timeout}.txt)
patterns=()
while IFS= read -r line; do
  # A file and its line name what to change there; the rest of a name has signs that a pattern would read.
  patterns+=(-F "^$(cut -d: -f1-3 <<<"$line" | sed 's/\./\\./g'):")
done < <(cat "${survivors[@]}")
if ((${#patterns[@]})); then mutants many "${patterns[@]}"; fi
echo "survivors:"
cat "$out"/many/mutants.out/{missed,timeout}.txt 2>/dev/null || true
