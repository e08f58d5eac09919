#!/usr/bin/env bash
# Runs every fuzz target for the given number of seconds (60 unless told), with coverage to guide it. Needs no more
# than the other tests and a C++ compiler, for the fuzzer itself.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
command -v c++ >/dev/null || { echo "error: no C++ compiler (c++) for the fuzzer; install g++ or clang" >&2; exit 2; }

# What `cargo fuzz --sanitizer none` would pass; a stable Rust takes it.
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
coverage+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
coverage+=" -Cllvm-args=-sanitizer-coverage-trace-compares"
target_dir=${CARGO_TARGET_DIR:-../target}/fuzz
triple=$(rustc -vV | sed -n 's/^host: //p')
# With a target named, build scripts and macros are built without these flags.
CARGO_TARGET_DIR=$target_dir RUSTFLAGS="$coverage --cfg fuzzing -Ccodegen-units=1 -Cdebug-assertions" \
    cargo build --release --locked --target "$triple"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/recording" "$work/class_file" "$work/query"
# Real class files to start from.
javac -g -nowarn -d "$work/classes" ../tests/programs/{Switches,Records,Streams,StringConcat,FinallyAndResources}.java
find "$work/classes" -name '*.class' -exec cp -t "$work/class_file" {} +

# And querypoints.
cp ../examples/querypoints/*.wq "$work/query"

for target in class_file recording query; do
    echo "fuzzing $target for $seconds seconds"
    mkdir -p "artifacts/$target"
    if ! "$target_dir/$triple/release/$target" "$work/$target" -max_total_time="$seconds" -len_control=0 \
        -rss_limit_mb=2048 -timeout=60 -artifact_prefix="artifacts/$target/" >"$work/log" 2>&1; then
        tail -n 40 "$work/log" >&2
        echo "error: $target failed; the input is in fuzz/artifacts/$target" >&2
        exit 1
    fi
    tail -n 2 "$work/log"
done
