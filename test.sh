#!/usr/bin/env bash
# Builds Whydunit and runs all its tests. Needs Rust, two JDKs (17 and a newer one) and a C/C++
# compiler; cargo fetches the rest.
set -euo pipefail
cd "$(dirname "$0")"
command -v cargo >/dev/null || { echo "error: cargo not found; install Rust from your distribution or rustup" >&2; exit 2; }
command -v javac >/dev/null || { echo "error: javac not found; install a JDK of version 17 or later" >&2; exit 2; }
cargo fmt --all --check
cargo clippy --workspace --all-targets --locked -- -D warnings
cargo test --workspace --locked "$@"
fuzz/run.sh 20
