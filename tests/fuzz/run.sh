#!/usr/bin/env bash
# Fuzzes the language and the machine for SECONDS (60), from the corpus and always with the same
# seed. What it finds lies in build/fuzz/found: mend it, and keep the text in tests/fuzz/corpus.
#   tests/fuzz/run.sh 900 -seed=7      more of it, in another way; further arguments go to libFuzzer
# It takes Clang 14 or newer with its libFuzzer. Where there is none, and none can be installed, it says
# so and ends well.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
seconds=${1:-60}
shift || true

new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

# Sets clang and clangxx to the first of them here that links libFuzzer with the sanitizers.
find_clang() {
  local version
  echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' >"$new/try.cpp"
  for version in '' -{30..14}; do
    clang=$(command -v "clang$version") && clangxx=$(command -v "clang++$version") &&
      (("$(echo __clang_major__ | "$clang" -E -P -)" >= 14)) &&
      "$clangxx" -fsanitize=fuzzer,address,undefined "$new/try.cpp" -o "$new/try" 2>/dev/null &&
      rm "$new"/try* && return
  done
  rm -f "$new"/try*
  return 1
}
find_clang || { "$root/third_party/setup.sh" fuzz && find_clang; } || {
  echo "Fuzzing: skipped, for there is no Clang 14 or newer with libFuzzer here"
  exit 0
}

. "$root/third_party/build.sh"
grep -q "^CMAKE_CXX_COMPILER:[A-Z]*=$clangxx$" "$root/build/fuzz/CMakeCache.txt" 2>/dev/null ||
  rm -rf "$root/build/fuzz"
lab_build fuzz "CMAKE_C_COMPILER=$clang" "CMAKE_CXX_COMPILER=$clangxx" kernel_fuzz

found=$root/build/fuzz/found
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
