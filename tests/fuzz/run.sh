#!/usr/bin/env bash
# Fuzzes the language and the machine for SECONDS (60), from the corpus and always with the same
# seed. What it finds lies in build/fuzz/found: mend it, and keep the text in tests/fuzz/corpus.
#   tests/fuzz/run.sh 900 -seed=7      more of it, in another way; further arguments go to libFuzzer
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
seconds=${1:-60}
shift || true

. "$root/third_party/build.sh"
lab_build fuzz kernel_fuzz

found=$root/build/fuzz/found
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
mkdir -p "$found"
log=$root/build/fuzz.log
if ! "$root/build/fuzz/bin/kernel_fuzz" "$new" "$root/tests/fuzz/corpus" "$root/kernels" \
  -dict="$root/tests/fuzz/dictionary.txt" -max_len=4096 -timeout=30 -rss_limit_mb=2048 \
  -seed=1 -max_total_time="$seconds" -artifact_prefix="$found/" -print_final_stats=1 "$@" \
  >>"$log" 2>&1; then
  tail -n 60 "$log" >&2
  printf '\nThe fuzzer has found something. The text: %s, the whole log: build/fuzz.log\n' \
    "build/fuzz/found" >&2
  exit 1
fi
sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1 |
  xargs printf 'Fuzzing: %s texts, none of which fails\n'
