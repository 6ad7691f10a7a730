# shellcheck shell=bash
# How a preset is built. Sourced by run.sh, test.sh and .ci/run, which set $root to the checkout.
: "${root:?}"

# lab_build PRESET [NAME=VALUE…] TARGET…: configures the preset if need be, with these options of
# CMake (NAME?=VALUE only where it has no value yet), and builds the targets; the output is in
# build/PRESET.log. Does not return if that fails. LAB_WERROR=ON in the environment makes warnings
# errors.
lab_build() {
  local preset=$1 folder=$root/build/$1 log=$root/build/$1.log word home used=''
  local -a options=() targets=()
  shift
  for word in "$@" ${LAB_WERROR:+"LAB_WERROR=$LAB_WERROR"}; do
    case $word in
      *\?=*) options+=("${word%%\?*}=$(lab_cached "${word%%\?*}" "${word#*=}")") ;;
      *=*) options+=("$word") ;;
      *) targets+=("$word") ;;
    esac
  done
  if ! { mkdir -p "$root/build" && : >"$log"; } 2>/dev/null; then
    echo "$root/build cannot be written to. If it was made with sudo, remove it with sudo." >&2
    exit 1
  fi
  # A build folder of a checkout that lay elsewhere is of no use.
  home=$(lab_cached CMAKE_HOME_DIRECTORY)
  if [[ -n $home && $home -ef $root ]]; then
    used=yes
  else
    rm -rf "$folder"
    echo "Building Reduction Lab in build/$preset for the first time takes some minutes on $(nproc)" \
      "processors (log: build/$preset.log)"
  fi
  lab_configure && lab_compile && return
  # One that worked may not fit the machine any more, say because a library was upgraded. If no
  # compiler has complained, configure once from the beginning.
  if [[ $used ]] && ! grep -qE '^FAILED: .*\.o ?$' "$log"; then
    echo "Configuring build/$preset afresh"
    : >"$log"
    lab_configure --fresh && lab_compile && return
  fi
  local first
  first=$(grep -nE -m 1 '^(CMake Error|FAILED:|ninja: error)' "$log" | cut -d : -f 1)
  tail -n "+${first:-1}" "$log" | head -n 80 >&2
  printf '\nThe build failed. The whole log: build/%s.log\n' "$preset" >&2
  exit 1
}

# lab_cached NAME [VALUE]: what lab_build's folder was configured with, else the value.
lab_cached() {
  local value=''
  [[ ! -e $folder/build.ninja ]] ||
    value=$(sed -n "s/^$1:[A-Z]*=//p" "$folder/CMakeCache.txt" 2>/dev/null || true)
  printf '%s\n' "${value:-${2:-}}"
}

# What is configured with these options already is left as it is.
lab_configure() {
  local option stale=${1:-}
  [[ -e $folder/build.ninja ]] || stale=yes
  for option in "${options[@]}"; do
    [[ $(lab_cached "${option%%=*}") == "${option#*=}" ]] || stale=yes
  done
  [[ $stale ]] || return 0
  (cd "$root" && cmake --preset "$preset" "$@" "${options[@]/#/-D}") >>"$log" 2>&1
}

lab_compile() {
  local plan=$folder/plan
  lab_plan >"$plan" 2>/dev/null || : >"$plan"
  cmake --build "$folder" --target "${targets[@]}" 2>&1 | tee -a "$log" |
    { python3 "$root/third_party/progress.py" "$folder" "$plan" || cat >/dev/null; }
}

# What ninja would do. Asked for that it answers only that it would ask CMake first, which is always
# so where files are found by a pattern; without the rule for it, it tells of the rest.
lab_plan() {
  sed 's/^build build\.ninja/&.unused/' "$folder/build.ninja" >"$folder/plan.ninja"
  "$(lab_cached CMAKE_MAKE_PROGRAM)" -C "$folder" -f plan.ninja -n "${targets[@]}"
}
