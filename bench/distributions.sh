#!/usr/bin/env bash
# A newcomer's first hour on other releases: in a bare root of each, a clone of the current commit,
# ./run.sh, ./test.sh and `reduction-lab-cli check all`, timed. By hand, as root, with debootstrap:
#   bench/distributions.sh [--into FOLDER] [--keep] SUITE…        as in … bookworm trixie forky
# The roots and all logs lie in FOLDER (by default one that is removed in the end). --keep leaves them
# there, and takes the bare root of an earlier time instead of making it anew. The summary is
# bench/results/distributions.md, written after each suite; with --keep it has the suites of earlier
# calls, too, each with its commit. Half an hour or more a suite;
# leave the machine alone meanwhile.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd -P)
export LC_ALL=C.UTF-8
# shellcheck source=third_party/mirror.sh
. "$here/third_party/mirror.sh"

fail() { printf 'distributions.sh: %s\n' "$*" >&2; exit 1; }

# Everything below is in a place of its own: what is mounted and started there is gone when it ends,
# however it ends.
if [[ -z ${LAB_ALONE:-} ]]; then
  ((EUID == 0)) || fail "this takes root"
  command -v debootstrap >/dev/null || fail "install debootstrap first"
  folder='' keep=''
  while [[ ${1:-} == --* ]]; do
    case $1 in
      --into) folder=$(realpath -m "${2:?--into takes a folder}") && shift ;;
      --keep) keep=yes ;;
      *) fail "what is $1?" ;;
    esac
    shift
  done
  (($#)) || fail "name the suites, as in bookworm trixie"
  if [[ -z $folder ]]; then
    folder=$(mktemp -d)
    [[ $keep ]] || trap 'rm -rf --one-file-system "$folder"' EXIT
  fi
  mkdir -p "$folder"
  LAB_ALONE=yes LAB_FOLDER=$folder LAB_KEEP=$keep \
    unshare --mount --pid --fork --kill-child --propagation private "$0" "$@"
  exit
fi
folder=$LAB_FOLDER keep=$LAB_KEEP

# make_root SUITE: a bare one in $base, from this machine's mirror.
make_root() {
  local suite=$1 tar=$folder/$1.tar address key script=/usr/share/debootstrap/scripts/$1
  rm -rf --one-file-system "$base"
  mkdir -p "$base"
  if [[ $keep && -e $tar ]]; then
    tar -xf "$tar" -C "$base"
    return
  fi
  address=$(own_mirror) || fail "no mirror of $running is named in /etc/apt"
  key=$(sed -n 's/^Signed-By: \(\/[^ ]*\)$/\1/p' <<<"$address")
  address=$(sed -n 's/^URIs: //p' <<<"$address")
  local components=main
  if [[ $family == ubuntu ]]; then components=main,universe; fi
  if [[ ! -e $script ]]; then  # newer than debootstrap; all of a family are alike
    script=/usr/share/debootstrap/scripts/sid
    if [[ $family == ubuntu ]]; then script=/usr/share/debootstrap/scripts/gutsy; fi
  fi
  debootstrap --variant=minbase --components="$components" ${key:+"--keyring=$key"} \
    "$suite" "$base" "$address" "$script" >"$folder/$suite-debootstrap.log" 2>&1 ||
    { tail -n 5 "$folder/$suite-debootstrap.log" >&2 && fail "$suite could not be made"; }
  if [[ $keep ]]; then tar -cf "$tar.new" -C "$base" . && mv "$tar.new" "$tar"; fi
}

# How this machine reaches its mirror: names, proxies, certificates. They stay in the root.
lend_network() {
  local file
  cp -L /etc/resolv.conf /etc/hosts "$base/etc/"
  for file in /etc/apt/apt.conf.d/*; do
    if grep -qiE 'Acquire::https?|Proxy' "$file"; then cp -L "$file" "$base/etc/apt/apt.conf.d/"; fi
  done
  if compgen -G '/usr/local/share/ca-certificates/*' >/dev/null; then
    mkdir -p "$base/usr/local/share/ca-certificates"
    cp -RL /usr/local/share/ca-certificates/. "$base/usr/local/share/ca-certificates/"
  fi
}

# PoCL 6 ends where there is no /sys.
mount_kernel() {
  mount -t proc proc "$base/proc"
  mount --rbind /sys "$base/sys"
  mount --rbind /dev "$base/dev"
  mount -t tmpfs tmpfs "$base/tmp"
}

# within COMMAND: as somebody who has just logged in.
within() {
  chroot "$base" env -i HOME=/root USER=root TERM=dumb LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c "cd /root/reduction-lab && $1" </dev/null
}

# timed NAME COMMAND: runs it with its output in NAME's log, and says how it ended and when.
timed() {
  local start=$SECONDS status=0
  within "$2" >"$folder/$suite-$1.log" 2>&1 || status=$?
  start=$((SECONDS - start))
  printf '%d min %02d s' $((start / 60)) $((start % 60))
  ((status == 0)) || printf ', exit %d' "$status"
}

# The version of the first of these packages that is installed, without what Debian adds.
version_of() {
  within "dpkg-query -W -f '\${db:Status-Status} \${Version}\n' $* 2>/dev/null" |
    sed -n 's/^installed //p' | sed 's/^[0-9]*://; s/[-+~].*//' | sort -V | tail -n 1 | grep . || echo none
}

last_lines() { tail -n "$1" "$folder/$suite-$2.log"; }

try_suite() {
  local run tests check
  base=$folder/$suite
  echo "$suite: making a bare root"
  make_root "$suite"
  lend_network
  mount_kernel
  # git comes with ./run.sh; this clone is what a newcomer has downloaded.
  git -c safe.directory='*' clone --quiet "file://$here" "$base/root/reduction-lab"
  echo "$suite: ./run.sh"
  run=$(timed run ./run.sh)
  echo "$suite: $run; ./test.sh"
  tests=$(timed test ./test.sh)
  echo "$suite: $tests; check all"
  check=$(timed check 'build/release/bin/reduction-lab-cli check all')
  echo "$suite: $check"
  system=$(within '. /etc/os-release && echo "$PRETTY_NAME"')
  commit=$(git -C "$here" rev-parse --short HEAD)
  row="| $system | $commit | $(version_of "'g++'") | $(version_of cmake) | $(version_of pocl-opencl-icd) |"
  row+=" $(version_of libglfw3-dev) | $(version_of libfmt-dev) | $(version_of libboost-dev) |"
  row+=" $run | $tests | $check |"
  details=$'\n'"## $system"$'\n\n'"What \`./test.sh\` says in the end:"$'\n\n```\n'
  # From ctest's summary on, which names what failed and what was skipped.
  details+=$(sed -n '/tests passed/,$p' "$folder/$suite-test.log" | grep . || last_lines 15 test)
  details+=$'\n```\n\n'"And \`check all\`: $(last_lines 1 check)"$'\n'
  printf '%s\n' "$row" >"$folder/$suite.row"
  printf '%s' "$details" >"$folder/$suite.details"
  umount --recursive --lazy "$base/tmp" "$base/dev" "$base/sys" "$base/proc"
  if [[ -z $keep ]]; then rm -rf --one-file-system "$base"; fi
}

# Of all suites whose results are there, in the order of their releases.
write_summary() {
  local out=$here/bench/results/distributions.md row
  {
    printf '# The first hour on a bare system\n\n'
    printf 'Made by `bench/distributions.sh`, %s, %s processors. Times include the installation of packages.\n\n' \
      "$(date -u +%F)" "$(nproc)"
    printf '| | commit | GCC | CMake | PoCL | GLFW | fmt | Boost | `./run.sh` | `./test.sh` | `check all` |\n'
    printf '|---|---|---|---|---|---|---|---|---|---|---|\n'
    for row in "$folder"/*.row; do cat "$row"; done
    for row in "$folder"/*.row; do cat "${row%.row}.details"; done
  } >"$folder/distributions.md"
  cp "$folder/distributions.md" "$out.new"
  mv "$out.new" "$out"
}

for suite in "$@"; do
  try_suite
  write_summary
done
echo "Written: bench/results/distributions.md"
