# shellcheck shell=bash
# What a test does without its tools. Sourced by the tests that are scripts; CTest takes 77 for
# "skipped".

# has TOOL…: whether all of them are here.
has() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { lacking=$tool && return 1; }
  done
}

# needs TOOL…: the test is skipped without them.
needs() {
  has "$@" || { echo "Skipped: $lacking is not installed" && exit 77; }
}

# wants TOOL…: whether they are here; where not, a part of the test is left out, and `finish` says so.
left_out=()
wants() {
  has "$@" || { left_out+=("$lacking") && return 1; }
}

# The last command of a test.
finish() {
  ((${#left_out[@]} == 0)) && exit 0
  echo "All else passed, but a part was skipped: ${left_out[*]} is not installed"
  exit 77
}
