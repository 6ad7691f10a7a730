#!/usr/bin/env bash
# Installs what is missing, builds Reduction Lab and opens it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
bin=$root/build/release/bin

usage() {
  cat <<'END'
Usage: ./run.sh [argument…]

Installs the packages that building and running take, builds Reduction Lab in build/release, and opens
it. Later runs find all that done and open it at once. The arguments go to the app, for example
  ./run.sh --variant relaunch --n 8 --group 4
  ./run.sh --lang ru --theme projector
  ./run.sh --screenshot lesson.png          also without a display
All of them: build/release/bin/reduction-lab --help

Without a display it does a lesson on the command line instead and writes its figures to out/.
See also ./test.sh (all tests) and build/release/bin/reduction-lab-cli --help.
END
}

# What the app shows, as far as a terminal can.
lesson() {
  cat <<'END'
Pictures need no display: ./run.sh --screenshot lesson.png
Here is the lesson on the command line: the sum of eight numbers, one launch a pass.
END
  local failed=0
  cd "$root"
  mkdir -p out
  show() {
    printf '\n$ reduction-lab-cli %s\n' "$*"
    "$bin/reduction-lab-cli" "$@" || failed=1
  }
  local input=(--input "7,1,6,8,5,6,7,1" --group 4)
  show devices
  show step relaunch "${input[@]}"
  show step relaunch "${input[@]}" -o out/relaunch.svg
  show step relaunch "${input[@]}" -o out/relaunch.png
  show measure local-tree --sizes 2^20..2^24
  ((failed == 0)) || { printf '\nNot every command above did what it should.\n' >&2 && return 1; }
  printf '\nWritten: out/relaunch.svg and out/relaunch.png, the same figure to scale and to paste.\n'
}

if [[ ${1:-} == --help || ${1:-} == -h ]]; then
  usage
  exit
fi

"$root/third_party/setup.sh" app
. "$root/third_party/build.sh"
lab_build release LAB_TESTS?=OFF reduction-lab reduction-lab-cli  # where tests were built they stay

if why=$("$bin/reduction-lab" --check-display 2>&1); then
  exec "$bin/reduction-lab" "$@"
fi
if [[ " $* " == *" --screenshot"* ]]; then
  "$root/third_party/setup.sh" screenshot
  exec xvfb-run -a "$bin/reduction-lab" "$@"  # on a display in memory
fi
printf '%s\n\n' "$why"
lesson
