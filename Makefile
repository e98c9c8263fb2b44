# Everything a person does with this repository. `make` alone lists the targets.
# Each target sets up what it needs, or says in one line what is missing and how to get it.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
CARGO ?= cargo
GUARDBEE := target/release/guardbee

.PHONY: help setup build demo test test-slow bench lint fuzz fuzz-hive

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## check that the toolchain is there
	@command -v $(CARGO) >/dev/null || { echo "cargo is missing: install Rust with rustup (https://rustup.rs), the version is in rust-toolchain.toml" >&2; exit 3; }
	@command -v cc >/dev/null || { echo "a C linker is missing: install gcc (Debian: apt-get install gcc)" >&2; exit 3; }

build: setup ## build the guardbee binary
	@if test -x $(GUARDBEE); then quiet=--quiet; \
	else quiet=; echo "building guardbee, which takes some minutes the first time" >&2; fi; \
	$(CARGO) build --release --locked $$quiet -p guardbee-cli

demo: build ## analyse the example warehouse and show what a newcomer should see
	@examples/demo.sh $(GUARDBEE)

test: setup ## run all tests and print what they cover
	@scripts/test.sh

test-slow: setup ## the full counts: long fuzzing, fresh random statements before the real Hive
	@scripts/test-slow.sh

bench: setup ## measure, and write target/bench.json
	@$(CARGO) bench --locked --quiet -p guardbee-bench
	@$(CARGO) run --release --locked --quiet -p guardbee-bench --bin bench-report

lint: setup ## format, lints, licences
	@scripts/lint.sh

fuzz: setup ## fuzz parser, round trip and analysis for FUZZ_SECONDS each (default 30)
	@scripts/fuzz.sh $${FUZZ_SECONDS:-30}

fuzz-hive: setup ## random statements and mutations before the real Hive (N statements, Java needed)
	@$(CARGO) run --release --locked --quiet -p guardbee-testkit --bin fuzz-hive -- $(ARGS)
