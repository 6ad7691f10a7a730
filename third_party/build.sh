# shellcheck shell=bash
# How a preset is built. Sourced by run.sh, test.sh and .ci/run, which set $root to the checkout.
: "${root:?}"

# lab_build PRESET TARGET…: configures the preset if need be and builds the targets, quietly; the
# output is in build/PRESET.log. Does not return if that fails.
lab_build() {
  local preset=$1 folder=$root/build/$1 log=$root/build/$1.log home used=''
  shift
  if ! { mkdir -p "$root/build" && : >"$log"; } 2>/dev/null; then
    echo "$root/build cannot be written to. If it was made with sudo, remove it with sudo." >&2
    exit 1
  fi
  # A build folder of a checkout that lay elsewhere is of no use.
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt" 2>/dev/null || true)
  if [[ -n $home && $home -ef $root ]]; then
    used=yes
  else
    rm -rf "$folder"
    echo "Building Reduction Lab, which takes some minutes the first time (log: build/$preset.log)"
  fi
  lab_compile "$preset" "$@" && return
  # One that worked may not fit the machine any more, say because a library was upgraded. If no
  # compiler has complained, configure once from the beginning.
  if [[ $used ]] && ! grep -qE '^FAILED: .*\.o ?$' "$log"; then
    echo "Configuring build/$preset afresh"
    : >"$log"
    (cd "$root" && cmake --preset "$preset" --fresh) >>"$log" 2>&1 &&
      lab_compile "$preset" "$@" && return
  fi
  local first
  first=$(grep -nE -m 1 '^(CMake Error|FAILED:|ninja: error)' "$log" | cut -d : -f 1)
  tail -n "+${first:-1}" "$log" | head -n 80 >&2
  printf '\nThe build failed. The whole log: build/%s.log\n' "$preset" >&2
  exit 1
}

lab_compile() {
  local preset=$1 folder=$root/build/$1 log=$root/build/$1.log
  shift
  if [[ ! -e $folder/build.ninja ]]; then
    (cd "$root" && cmake --preset "$preset") >>"$log" 2>&1 || return
  fi
  cmake --build "$folder" --target "$@" 2>&1 | tee -a "$log" | lab_progress
}

# How far ninja is, in one line, if somebody is watching.
lab_progress() {
  if [[ -t 1 ]]; then
    awk '/^\[[0-9]+\/[0-9]+\]/ { printf "\r  %s ", $1; fflush() } END { printf "\r\033[K" }'
  else
    cat >/dev/null
  fi
}
