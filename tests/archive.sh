#!/usr/bin/env bash
# The archive: the same bytes twice, all that it names is there, and it runs from any folder, also in a
# root that has nothing but glibc and a shell.
set -euo pipefail
umask 022
. "$(dirname "$0")/tools.sh"
needs dpkg-query ldd objdump strings zstd
source=$(cd "$(dirname "$0")/.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf '%s\n' "$1" >&2; exit 1; }

export ZSTD_CLEVEL=1  # soon done; what is packed is the same
archive=$("$source/packaging/archive.sh" "$BUILD" "$scratch/out")
"$source/packaging/archive.sh" "$BUILD" "$scratch/again" >/dev/null
cmp "$archive" "$scratch/again/${archive##*/}" || fail "it is not the same archive twice"
[[ $archive == */reduction-lab-*-x86_64.tar.zst ]] || fail "a strange name: $archive"
[[ $(ls -A "$scratch/out") == "${archive##*/}" ]] || fail "more is left than the archive"
owners=$(tar -tvf "$archive" --numeric-owner | awk '{ print $2 }' | sort -u)
[[ $owners == 0/0 ]] || fail "files belong to $owners"

# A library of unknown origin, and so of unknown licence, is none to hand on.
mkdir "$scratch/own"
cp -L "$(ldd "$BUILD/bin/reduction-lab-cli" | awk '/libcairo\.so/ { print $3 }')" "$scratch/own/"
! LD_LIBRARY_PATH=$scratch/own "$source/packaging/archive.sh" "$BUILD" "$scratch/no" 2>"$scratch/said" ||
  fail "it bundles a library that no package owns"
grep -q 'libcairo.so.* is from no package' "$scratch/said" || fail "$(cat "$scratch/said")"
[[ -z $(ls -A "$scratch/no") ]] || fail "a failure leaves something behind"

# A path that scripts and the dynamic linker's lists trip over, that nobody may write to; and a link.
place="$scratch/a b: Тест/\$x"
mkdir -p "$place" "$scratch/home/.local/bin"
tar -xf "$archive" -C "$place"
home=$(echo "$place"/reduction-lab-*)
[ -z "$(find "$home" -perm /022 ! -type l)" ] || fail "others may write into it"
[ -z "$(find "$home" -type l)" ] || fail "it has links: $(find "$home" -type l)"
ln -s "$home/reduction-lab-cli" "$home/reduction-lab" "$scratch/home/.local/bin/"
chmod -R a-w "$home"
before=$(find "$home" -printf '%p %s %T@\n' | sort)
for file in README.txt lib/libstdc++.so.6/libstdc++.so.6 lib/libOpenCL.so.1/libOpenCL.so.1 \
  lib/libgomp.so.1/libgomp.so.1 share/man/man1/reduction-lab.1.gz share/reduction-lab/kernels/relaunch.cl \
  share/applications/org.reduction_lab.ReductionLab.desktop share/doc/licences/reduction-lab \
  share/doc/licences/libcairo2 share/doc/licences/fonts-noto-cjk share/doc/licences/common-licenses/GPL-3; do
  [ -s "$home/$file" ] || fail "it lacks $file"
done
for never in libc.so.6 libm.so.6 libGL.so.1 libdrm.so.2; do
  [ ! -e "$home/lib/$never" ] || fail "$never is bundled"
done
for path in "$BUILD" "$source"; do
  ! strings -a "$home"/bin/* | grep -F "$path" || fail "the programs know the folder $path"
done

# The glibc that it says it needs is what its symbols need, and on Debian 12 no newer one than its own.
needed=$(find "$home/bin" "$home/lib" -type f -exec objdump -T {} + | grep -oE 'GLIBC_[0-9.]+' |
  sort -uV | tail -n 1)
grep -qF "glibc ${needed#GLIBC_} or newer" "$home/README.txt" || fail "README.txt does not say $needed"
own=$(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)
[[ $(printf '%s\n' "${needed#GLIBC_}" "$own" | sort -V | tail -n 1) == "$own" ]] ||
  fail "it needs $needed, newer than here ($own)"

# As a user without settings, by a link.
cd /
export HOME=$scratch/home
unset REDUCTION_LAB_DATA XDG_CONFIG_HOME XDG_CACHE_HOME LD_LIBRARY_PATH
input=(--input "7,1,6,8,5,6,7,1" --group 4 --source machine)
cli=$HOME/.local/bin/reduction-lab-cli
"$cli" step relaunch "${input[@]}" -o "$scratch/figure of it.pdf" | grep -q 'result 41, right'
[ -s "$scratch/figure of it.pdf" ]
"$cli" variants | grep -q relaunch
if wants xvfb-run xauth; then
  xvfb-run -a "$HOME/.local/bin/reduction-lab" --screenshot "$scratch/the window.png" --size 1280x720
  [ "$(stat -c %s "$scratch/the window.png")" -gt 20000 ]
fi

# within COMMAND…: in $root, with /proc, which is gone again afterwards.
root=$scratch/root
within() {
  unshare --user --map-root-user --mount --pid --fork --mount-proc="$root/proc" \
    chroot "$root" /bin/env -i PATH=/bin HOME=/tmp "$@"
}
if wants unshare chroot && unshare --user --map-root-user --mount true 2>/dev/null; then
  # The shell, what start.sh calls, and of libraries those that the archive does not have.
  mkdir -p "$root"/{bin,lib64,proc,tmp}
  for tool in sh sed sort readlink dirname basename uname getconf env; do
    cp -L "$(command -v "$tool")" "$root/bin/"
  done
  ldd "$root"/bin/* "$home"/bin/* | sed -n 's/^\t\(.* => \)\{0,1\}\(\/[^ ]*\) (.*/\2/p' | sort -u |
    while read -r file; do
      [ ! -e "$home/lib/${file##*/}" ] || continue
      mkdir -p "$root${file%/*}"
      cp -L "$file" "$root$file"
    done
  lab="/$(basename "$home")"
  cp -r "$home" "$root/"
  within "$lab/reduction-lab-cli" step relaunch "${input[@]}" | grep -q 'result 41, right' ||
    fail "with nothing installed it does not step"
  within "$lab/reduction-lab-cli" devices >"$scratch/devices" 2>&1 || true
  grep -q 'There is no OpenCL driver' "$scratch/devices" || fail "$(cat "$scratch/devices")"
  # A libstdc++ that is here, but an older one.
  if wants gcc; then
    echo 'GLIBCXX_3.4 { };' >"$scratch/old.map"
    gcc -shared -nostdlib -x c /dev/null -Wl,-soname,libstdc++.so.6,--version-script="$scratch/old.map" \
      -o "$root/lib/x86_64-linux-gnu/libstdc++.so.6"
    within "$lab/reduction-lab-cli" variants | grep -q relaunch || fail "an old libstdc++ is taken"
  fi
  # One that is too old for it is told so.
  if wants gcc; then
    mv "$root/lib/x86_64-linux-gnu/libm.so.6" "$scratch/libm"
    echo 'GLIBC_2.2.5 { };' >"$scratch/old.map"
    gcc -shared -nostdlib -x c /dev/null -Wl,-soname,libm.so.6,--version-script="$scratch/old.map" \
      -o "$root/lib/x86_64-linux-gnu/libm.so.6"
    ! within "$lab/reduction-lab-cli" variants >"$scratch/said" 2>&1 || fail "it starts with an old libm"
    grep -q 'needs a newer libm.so.6' "$scratch/said" || fail "$(cat "$scratch/said")"
  fi
fi

[[ $(find "$home" -printf '%p %s %T@\n' | sort) == "$before" ]] || fail "it changes its own folder"
chmod -R u+w "$home"
finish
