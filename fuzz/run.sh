#!/usr/bin/env bash
# Runs every fuzz target for the given number of seconds (60 unless told). Needs a nightly Rust; installs cargo-fuzz.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "error: no nightly Rust; install it with \`rustup toolchain install nightly\`" >&2
    exit 2
fi
cargo fuzz --version >/dev/null 2>&1 || cargo install cargo-fuzz --locked

# Real class files to start from.
if command -v javac >/dev/null && [ ! -d corpus/class_file ]; then
    classes=$(mktemp -d)
    trap 'rm -rf "$classes"' EXIT
    javac -g -nowarn -d "$classes" ../tests/programs/{Switches,Records,Streams,StringConcat,FinallyAndResources}.java
    mkdir -p corpus/class_file
    find "$classes" -name '*.class' -exec cp -t corpus/class_file {} +
fi

for target in class_file recording; do
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -len_control=0 -rss_limit_mb=2048 -timeout=10
done
