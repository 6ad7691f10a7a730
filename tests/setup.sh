#!/usr/bin/env bash
# What third_party/setup.sh installs, on releases that are made up here: apt and dpkg are scripts that
# know a list of packages. And what progress.py says of a build.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf '%s\n' "$1" >&2; exit 1; }

mkdir -p "$scratch"/{bin,third_party/.cache/imgui-0}
cp "$source"/third_party/*.sh "$scratch/third_party/"
touch "$scratch/third_party/.cache/imgui-0/imgui.h"  # nothing is fetched
export STATE=$scratch
script() { printf '#!/bin/bash\n%s\n' "$2" >"$scratch/bin/$1" && chmod +x "$scratch/bin/$1"; }
script dpkg-query 'printf "%s\n" "$@" | grep -xF -f "$STATE/installed" | sed "s/$/ installed/"'
script apt-cache 'printf "%s\n" "$@" | grep -xF -f "$STATE/release" | sed "s/.*/&:\n  Candidate: 1.0/"'
script apt-get 'echo "$*" >>"$STATE/calls"
[[ $* == *" install "* ]] || exit 0
for word; do
  [[ $word == -* || $word == install || $word == *::* ]] && continue
  grep -qxF -e "$word" "$STATE/release" || exit 100
  echo "$word" >>"$STATE/installed"
done'
script sudo '[[ $1 == -n ]] && shift; exec "$@"'

# release NAME…: one that has these and every name that stands alone in packages.sh; bare.
release() {
  (
    . "$scratch/third_party/packages.sh"
    printf '%s\n' "${app[@]}" "${app_optional[@]}" "${screenshot[@]}" "${tests[@]}" \
      "${tests_optional[@]}" | grep -v '|'
    printf '%s\n' pkg-config python3-glad libgl-dev opencl-headers libfreetype-dev libgmock-dev "$@"
  ) | sort -u >"$scratch/release"
  : >"$scratch/installed"
  : >"$scratch/calls"
  rm -rf "$scratch/build"
}
setup() { PATH=$scratch/bin:$PATH "$scratch/third_party/setup.sh" "$@" >"$scratch/said" 2>&1; }
has() { grep -qxF -e "$1" "$scratch/installed"; }

# To run takes no compiler of the fuzzer, no lintian, no tests; and what a release calls otherwise.
release fonts-inter-variable clang-14 libclang-rt-14-dev
setup app || fail "$(cat "$scratch/said")"
for package in g++ fonts-inter-variable pocl-opencl-icd pkg-config; do
  has "$package" || fail "app does not install $package"
done
for package in clang-14 lintian xdotool xvfb libgtest-dev mandoc; do
  ! has "$package" || fail "app installs $package"
done
: >"$scratch/calls"
setup app
[[ ! -s $scratch/calls && ! -s $scratch/said ]] || fail "with all there it does something"

# A tool that a release does not have is named, and not looked for again.
release fonts-inter
sed -i '/^lintian$/d; /^pocl-opencl-icd$/d' "$scratch/release"
setup app tests || fail "$(cat "$scratch/said")"
has xdotool && has libgtest-dev || fail "tests lack what they take"
grep -q 'has no lintian' "$scratch/said" || fail "nothing is said of lintian"
: >"$scratch/calls"
setup app tests
[[ ! -s $scratch/calls ]] || fail "it asks again for what is not there"

# What must be there and is not stops it, with the names.
release fonts-inter
sed -i '/^cmake$/d' "$scratch/release"
! setup app || fail "it goes on without cmake"
grep -q 'could not be installed:.* cmake' "$scratch/said" || fail "$(cat "$scratch/said")"

# The two packages of one Clang; and none is no reason to fail.
release clang-19 clang-18 libclang-rt-18-dev
setup fuzz || fail "$(cat "$scratch/said")"
has clang-18 && has libclang-rt-18-dev && ! has clang-19 || fail "no pair of a compiler and its runtime"
release
setup fuzz || fail "without Clang the fuzzer's setup fails"

# Without apt the packages are named in the system's own words.
rm "$scratch/bin/dpkg-query" "$scratch/bin/apt-get"
script dnf true
for tool in bash cat cut dirname echo env fold grep sed tr xargs; do
  ln -sf "$(type -P "$tool")" "$scratch/bin/$tool"
done
PATH=$scratch/bin "$scratch/third_party/setup.sh" app >"$scratch/said" || fail "it fails without apt"
grep -q '^  sudo dnf install gcc-c++' "$scratch/said" || fail "$(cat "$scratch/said")"

# Of a build there is a line at each tenth, where nobody watches, and what it weighs is known.
printf '# ninja log v5\n0\t9000\t0\ta.o\tx\n0\t1000\t0\tb.o\tx\n' >"$scratch/.ninja_log"
printf '[1/2] Building CXX object a.o\n[2/2] Building CXX object b.o\n' >"$scratch/plan"
said=$(python3 "$source/third_party/progress.py" "$scratch" "$scratch/plan" <"$scratch/plan")
[[ $said == $'  Building 1 of 2\n  Building 2 of 2' ]] || fail "the progress is: $said"
