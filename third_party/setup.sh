#!/usr/bin/env bash
# Installs what is missing of the packages that a purpose takes, and fetches what Debian does not
# package. With nothing missing it does nothing, and needs neither a network nor root.
#   third_party/setup.sh [PURPOSE…]
#     app          to build and run Reduction Lab (the default)
#     screenshot   a display in memory
#     tests        what tests are built with and run
#     packaging    to make the packages
#     fuzz         a compiler for tests/fuzz/run.sh
#     web          to build the page for browsers
#     browser      to test it
# packages.sh has the names. Where there is no apt, it says what to install.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log=$root/build/setup.log
not_here=$root/build/setup.not-here  # what this release does not have, so that it is asked once

. "$root/third_party/packages.sh"
(($#)) || set -- app
required=() optional=()
for purpose in "$@"; do
  case $purpose in
    app | screenshot | tests | packaging | fuzz | web | browser) ;;
    *) echo "setup.sh: '$purpose' is none of app, screenshot, tests, packaging, fuzz, web and browser" >&2 && exit 2 ;;
  esac
  declare -n needs=$purpose also=${purpose}_optional
  required+=("${needs[@]}") optional+=("${also[@]}")
done

# Prints the command that installs all of it here, for a system that we know by its installer.
other_system() {
  local installer purpose
  for installer in dnf pacman zypper nix-shell; do
    command -v "$installer" >/dev/null || continue
    for purpose in "$@"; do
      echo "What Reduction Lab takes (${purpose}), in this system's words:"
      xargs <<<"${other_systems[$installer $purpose]:-(nothing known)}" |
        fold -s -w 92 | sed 's/ $/ \\/; s/^/  /'
    done
    return
  done
  echo "This system's packages are not known here: configure says what is missing."
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  # Said once, not at every start; what is there already will do.
  if [[ ! -e $root/build/release/build.ninja || $* != app ]]; then other_system "$@"; fi
  exit 0
fi

# names NEED…: all packages that stand in them, one a line.
names() { tr ' |&' '\n' <<<"$*" | grep . | sort -u; }

# Fills the table `is` with those packages that are installed, or that apt can install.
declare -A is
look_up_installed() {
  local name
  is=()
  while read -r name; do is[$name]=1; done < <(names "$@" | xargs -r dpkg-query -W \
    -f '${Package} ${db:Status-Status}\n' 2>/dev/null | sed -n 's/ installed$//p')
}
look_up_available() {
  local name
  is=()
  while read -r name; do is[$name]=1; done < <(names "$@" | xargs -r apt-cache policy 2>/dev/null |
    awk '/^[^ ]/ { sub(/:$/, ""); name = $0 } /^  Candidate: [^(]/ { print name }')
}

# first_of NEED: the packages of its first way that is wholly in the table, blanks between them.
first_of() {
  local way name
  while read -r way; do
    for name in ${way//&/ }; do [[ ${is[$name]:-} ]] || continue 2; done
    echo "${way//&/ }" | xargs
    return
  done < <(xargs <<<"$1" | tr '|' '\n')
  return 1
}

# unmet NEED…: those of which no way is installed, one a line.
unmet() {
  local need
  (($#)) || return 0
  look_up_installed "$@"
  for need in "$@"; do first_of "$need" >/dev/null || xargs <<<"$need"; done | sort -u
}

# Picks a package for each need from what apt knows; in `absent` are those that it does not have.
pick() {
  local need found packages
  install=() try=() absent=()
  look_up_available "${missing[@]}" "${wished[@]}"
  for need in "${missing[@]}"; do
    found=$(first_of "$need") || found=${need%% [|&]*}
    read -ra packages <<<"$found"
    install+=("${packages[@]}")
  done
  for need in "${wished[@]}"; do
    if found=$(first_of "$need"); then
      read -ra packages <<<"$found"
      try+=("${packages[@]}")
    else
      absent+=("$need")
    fi
  done
}

apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300 \
    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" \
    >>"$log" 2>&1 </dev/null
}
apt_install() { (($# == 0)) || apt_get install --no-remove --no-install-recommends "$@"; }

# What apt says beforehand of the whole: " 233 packages, 303 MB to download, 1,300 MB on disk".
size_of() {
  "${as_root[@]}" apt-get install --no-install-recommends -s "${install[@]}" "${try[@]}" 2>>"$log" |
    sed -n 's/^[0-9]* upgraded, \([0-9]*\) newly.*/ \1 packages/p'
  "${as_root[@]}" apt-get install --no-install-recommends --print-uris -y "${install[@]}" "${try[@]}" 2>>"$log" |
    awk '/^'"'"'/ { bytes += $3 } END { if (bytes) printf ", %d MB to download", bytes / 1e6 }'
}

install_packages() {
  local name
  echo "Updating the list of packages (log: build/setup.log)"
  apt_get update || true  # perhaps what cannot be reached is not needed
  pick
  ((${#install[@]} + ${#try[@]})) || return 0
  echo "Installing $((${#install[@]} + ${#try[@]})) packages of $system and those they need:$(size_of)"
  apt_install "${install[@]}" "${try[@]}" && return
  # One that only some tests use is no reason to stop.
  apt_install "${install[@]}" || return
  for name in "${try[@]}"; do
    apt_install "$name" || echo "  $name could not be installed: what uses it is skipped"
  done
}

mapfile -t missing < <(unmet "${required[@]}")
mapfile -t wished < <(unmet "${optional[@]}" | grep -vxF -f <(cat "$not_here" 2>/dev/null || true))
system=$(. /etc/os-release 2>/dev/null && echo "${PRETTY_NAME:-Debian}")

if ((${#missing[@]} + ${#wished[@]})); then
  mkdir -p "$root/build"
  as_root=() may_install=yes
  if ((EUID != 0)); then
    as_root=(sudo)
    if ! command -v sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
      may_install=
    fi
  fi
  if [[ $may_install ]]; then
    : >"$log"
    if ! install_packages; then
      tail -n 15 "$log" >&2
      printf '%s\n' "" "These packages could not be installed: ${install[*]}" \
        "The whole log: build/setup.log" >&2
      exit 1
    fi
    printf '%s\n' "${absent[@]}" | grep . >>"$not_here" || true
    ((${#absent[@]} == 0)) ||
      printf 'This release has no %s: what uses it is skipped\n' "${absent[@]}"
  else
    pick
    all=("${install[@]}" "${try[@]}")
    if ((${#all[@]})); then
      printf '%s\n' "These packages are missing, and installing them takes root:" \
        "  apt-get update && apt-get install --no-install-recommends ${all[*]}" >&2
    fi
    if ((${#missing[@]})); then
      echo "Run that as root, then this again." >&2
      exit 1
    fi
  fi
fi

# Where this fails configure has one more way to Dear ImGui, and says what is missing if that fails.
if [[ " $* " == *" app "* || " $* " == *" web "* ]] && ! compgen -G "$root/third_party/.cache/imgui-*/imgui.h" >/dev/null; then
  echo "Fetching the sources of Dear ImGui"
  "$root/third_party/fetch.sh" imgui || true
fi
if [[ " $* " == *" web "* ]]; then "$root/third_party/fetch.sh" web; fi
