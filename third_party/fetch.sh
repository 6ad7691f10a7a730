#!/usr/bin/env bash
# Brings sources into third_party/.cache/, from the system's own source packages on the mirror that
# this machine uses, signed and checked by apt. Nothing is installed; apt's own lists are not touched.
#   third_party/fetch.sh imgui   what a stable release does not package in a new enough version, from a
#                                newer release
#   third_party/fetch.sh web     the libraries that the page for browsers is built with: the system has
#                                them for its own processor only
set -euo pipefail

cache=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/.cache
minimum=1.92
release=1.92.2b
sha256=e7bd201d56b5ee90d24d5dac85e5c12f98bdb95410252a62d27b7f89e4566d48  # of its upstream archive
web=(freetype md4c zlib qr-code-generator)

. "$(dirname "${BASH_SOURCE[0]}")/mirror.sh"
case $family in  # the suites to ask, the newest that was tested first
  ubuntu) component=universe suites=(resolute questing devel) ;;
  *) component=main suites=(forky sid) ;;
esac

fail() {
  printf 'fetch.sh: %s\n' "$*" >&2
  exit 1
}

# A program of apt with the lists and the sources of this run alone; what it complains of is kept.
# A mirror that stands still will do: what is taken from it is signed, and its SHA-256 is known.
own() {
  local program=$1
  shift
  "$program" -qq \
    -o Dir::Etc::SourceList="$work/suite.sources" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" \
    -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=1 \
    -o Acquire::Check-Valid-Until=false "$@" \
    2>>"$work/log"
}

# Points apt at one suite and reads its list of source packages.
open_suite() {
  printf 'Types: deb-src\nSuites: %s\nComponents: %s\n%s\n' "$1" "$component" "$mirror" \
    >"$work/suite.sources"
  rm -rf "$work/lists" "$work/cache"
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  own apt-get update
}

# The versions of imgui in the open suite, without Debian's own suffix, one a line.
versions() {
  own apt-cache showsrc --only-source imgui | sed -n 's/^Version: //p' | sed 's/[+-].*//' | sort -uV
}

# Downloads one version from the open suite and puts its sources in place.
take() {
  local full
  full=$(own apt-cache showsrc --only-source imgui | sed -n "s/^Version: \\($1[+-].*\\)/\\1/p" |
    sort -V | tail -n 1)
  (cd "$work" && own apt-get source --download-only --only-source "imgui=$full") ||
    { cat "$work/log" >&2 && fail "the sources of Dear ImGui $1 could not be downloaded"; }
  if [[ $1 == "$release" ]]; then
    printf '%s  %s\n' "$sha256" "$work"/imgui_*.orig.tar.?z | sha256sum --check --status ||
      fail "the archive of $release is not the one that was tested: its SHA-256 differs"
  fi
  mkdir "$work/imgui"
  tar -xf "$work"/imgui_*.orig.tar.?z -C "$work/imgui" --strip-components=1
  rm -rf "$cache/imgui-$1"
  mv -T "$work/imgui" "$cache/imgui-$1"  # whole, or not at all
  echo "Dear ImGui $1 is in third_party/.cache"
}

fetch_imgui() {
  local suite version newest='' newest_in=''
  mirror=$(own_mirror) || fail "no mirror of $running is named in /etc/apt"
  for suite in "${suites[@]}"; do
    open_suite "$suite" || continue
    while read -r version; do
      if [[ $version == "$release" ]]; then
        take "$version"
        return
      fi
      if dpkg --compare-versions "$version" ge "$minimum"; then
        newest=$version newest_in=$suite
      fi
    done < <(versions)
  done
  if [[ -z $newest ]]; then
    tail -n 3 "$work/log" >&2
    fail "no newer release offers Dear ImGui $minimum, or its mirror did not answer"
  fi
  open_suite "$newest_in"
  take "$newest"
}

# The sources of this release's own packages.
fetch_web() {
  local name missing=()
  for name in "${web[@]}"; do
    compgen -G "$cache/$name-*" >/dev/null || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  component=main
  mirror=$(own_mirror) || fail "no mirror of $running is named in /etc/apt"
  open_suite "$running" || { cat "$work/log" >&2 && fail "the mirror did not answer"; }
  for name in "${missing[@]}"; do
    (cd "$work" && own apt-get source --download-only --tar-only --only-source "$name") ||
      { cat "$work/log" >&2 && fail "the sources of $name could not be downloaded"; }
    mkdir "$work/$name"
    tar -xf "$(ls "$work/${name}_"*.orig.tar.*)" -C "$work/$name" --strip-components=1
    rm -rf "$cache/$name-$running"
    mv -T "$work/$name" "$cache/$name-$running"  # whole, or not at all
    echo "The sources of $name are in third_party/.cache"
  done
}

case ${1:-}:$# in
  imgui:1) ! compgen -G "$cache/imgui-*/imgui.h" >/dev/null || exit 0 ;;
  web:1) ;;
  *) fail "usage: third_party/fetch.sh imgui | web" ;;
esac
command -v apt-get >/dev/null || fail "this takes apt; without it, configure fetches from upstream"
mkdir -p "$cache"
work=$(mktemp -d "$cache/.new-XXXXXX")
trap 'rm -rf "$work"' EXIT
"fetch_$1"
