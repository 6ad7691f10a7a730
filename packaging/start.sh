#!/bin/sh
# Starts the program of this file's name in bin/, from any folder and through links.
#
# What this system has is used, never replaced by ours. Drivers of OpenGL and OpenCL load into the same
# process, and one process has one library of a name: an older libstdc++, libX11 or libz of ours would
# fail them. What they need came with them, so it is here, and it is what they were built for.
# Of ours, in a folder each in lib/, those are added that are missing here, or that lack a version of
# symbols that we need; then ours is the newer one and serves the drivers, too.
here=$(dirname "$(readlink -f "$0")")

fail() {
  printf '%s\n' "error: $1" "  hint: $2" >&2
  exit 1
}
elsewhere="Build it from source on this system"
[ "$(uname -m)" = x86_64 ] || fail "This Reduction Lab is for x86-64, not $(uname -m)" "$elsewhere"
[ -e /lib64/ld-linux-x86-64.so.2 ] ||
  fail "This system has no glibc (/lib64/ld-linux-x86-64.so.2)" "$elsewhere"

# The names of the libraries that will not do, as the dynamic linker tells without starting anything.
# Both programs are asked: the window starts the other one.
lacking() {
  for program in "$here"/bin/*; do
    LD_TRACE_LOADED_OBJECTS=1 LD_LIBRARY_PATH=$libraries "$program" 2>&1
  done | sed -n 's/^[[:space:]]*\([^ /]*\) => not found$/\1/p
    s/.*\/\([^/]*\): version .* not found .*/\1/p' | sort -u
}

# $ORIGIN, as the dynamic linker reads it, is the folder of the program that starts. So paths may hold
# what they like, and other programs that ours start find nothing there.
origin="\$ORIGIN/../lib"
libraries=${LD_LIBRARY_PATH:-}
added=" "
while names=$(lacking) && [ "$names" ]; do  # one of ours may need others
  for name in $names; do
    case $added in *" $name "*) fail "Its own $name does not load" "Unpack the archive again" ;; esac
    [ -d "$here/lib/$name" ] ||
      fail "Reduction Lab needs a newer $name than this system's ($(getconf GNU_LIBC_VERSION))" \
        "README.txt says which glibc it needs. $elsewhere"
    libraries=$origin/$name${libraries:+:$libraries}
    added="$added$name "
  done
done
[ "$added" = " " ] || export LD_LIBRARY_PATH="$libraries"

exec "$here/bin/$(basename "$(readlink -f "$0")")" "$@"
