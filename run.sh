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

Without a display it gives a lesson on the command line instead: a sum that is right, one that races,
and how fast it can be. Its figures are in out/.
See also ./test.sh (all tests) and build/release/bin/reduction-lab-cli --help.
END
}

# What the app shows, as far as a terminal can.
lesson() {
  local sum=(--input "7,1,6,8,5,6,7,1" --group 4) failed=0
  cd "$root"
  mkdir -p out
  show() {  # show STATUS COMMAND…: runs it, and takes note if it ends otherwise
    local status=0
    printf '\n$ reduction-lab-cli %s\n' "${*:2}"
    "$bin/reduction-lab-cli" "${@:2}" || status=$?
    ((status == $1)) || failed=1
  }
  cat <<'END'
Pictures need no display: ./run.sh --screenshot lesson.png
Here is the lesson on the command line. Your OpenCL devices:
END
  local device=yes
  if "$bin/reduction-lab-cli" devices; then :; elif (($? == 3)); then device=''; else failed=1; fi

  printf '\n1. Two groups of 4 add up eight numbers. A launch a pass: each pass waits for the one before.\n'
  show 0 step relaunch "${sum[@]}" -o out/relaunch.svg

  printf '\n2. All passes in one launch. A barrier holds one group only, so group 0 can read too early.\n'
  show 1 step span-modulo --set BARRIER=group "${sum[@]}" --order in-order -o out/race.svg
  show 1 hazards span-modulo --set BARRIER=group "${sum[@]}" --order in-order
  printf '\n   What else can come out of it, if the groups are run in another order:\n'
  show 1 outcomes span-modulo --set BARRIER=group "${sum[@]}"

  if [[ $device ]]; then
    printf '\n3. How fast it can be: our fastest kernel beside the loops of this processor.\n'
    show 0 measure tile --sizes 2^20,2^22,2^24 -o out/speed.svg
  else
    printf '\n3. Timing is left out: there is no OpenCL device. All of the above needs none.\n'
  fi
  ((failed == 0)) || { printf '\nNot every command above did what it should.\n' >&2 && return 1; }
  printf '\nWritten, for any browser: out/relaunch.svg, out/race.svg%s\n' "${device:+, out/speed.svg}"
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
printf '%s\n' "There is no display for the window:" "${why//error: /  }" ''
lesson
