#!/usr/bin/env bash
# The Debian package: it is built, lintian finds no error, it is installed into a root of its own,
# runs from there, and is removed without a trace.
set -euo pipefail
umask 022
. "$(dirname "$0")/tools.sh"
needs dpkg dpkg-deb dpkg-shlibdeps strings
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf '%s\n' "$1" >&2; exit 1; }

(cd "$scratch" && cpack --config "$BUILD/CPackConfig.cmake" -G DEB -B "$scratch/out") >"$scratch/log" 2>&1 ||
  fail "$(cat "$scratch/log")"
deb=$(echo "$scratch"/out/*.deb)
[[ $deb == *"_$(dpkg --print-architecture).deb" ]] || fail "a strange name: $deb"

as_user=()
((EUID == 0)) && as_user=(--allow-root)
if wants lintian; then
  lintian "${as_user[@]}" --fail-on error "$deb" || fail "lintian found errors"
fi

# What it needs: libraries (these are never built in), the fonts, and a device at best.
depends=$(dpkg-deb -f "$deb" Depends)
for package in libc6 libcairo2 libgl1 fonts-inter fonts-jetbrains-mono fonts-noto-cjk; do
  grep -qE "(^|[ ,|])$package([ ,]|$)" <<<"$depends" || fail "it does not depend on $package: $depends"
done
dpkg-deb -f "$deb" Recommends | grep -q pocl-opencl-icd

# A root with its own list of packages, in which only the programs' are.
root=$scratch/root
mkdir -p "$root"/var/lib/dpkg/{updates,info,triggers} "$root/etc"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
within() {
  dpkg --root="$root" --force-not-root --force-depends --force-script-chrootless \
    --log="$scratch/dpkg.log" "$@" >>"$scratch/dpkg" 2>&1 || fail "$(cat "$scratch/dpkg")"
}
within --install "$deb"
prefix=$root/usr
[ -z "$(find "$root/usr" -perm /022 ! -type l)" ] || fail "others may write into it"
ln -s /usr/share/fonts "$prefix/share/fonts"  # they come with the packages it depends on
[ -z "$(find "$prefix" -xtype l)" ] || fail "broken links: $(find "$prefix" -xtype l)"
pages=(share/man/man1/reduction-lab{,-cli}.1.gz)
[[ -e $BUILD/${pages[0]} ]] || { pages=() && left_out+=("help2man, when it was built,"); }
for file in bin/reduction-lab bin/reduction-lab-cli "${pages[@]}" \
  share/applications/org.reduction_lab.ReductionLab.desktop \
  share/metainfo/org.reduction_lab.ReductionLab.metainfo.xml \
  share/mime/packages/org.reduction_lab.ReductionLab.xml share/doc/reduction-lab/copyright \
  share/doc/reduction-lab/changelog.gz share/reduction-lab/kernels/relaunch.cl \
  share/icons/hicolor/scalable/apps/org.reduction_lab.ReductionLab.svg \
  share/icons/hicolor/48x48/apps/org.reduction_lab.ReductionLab.png; do
  [ -s "$prefix/$file" ] || fail "it lacks $file"
done
! strings -a "$prefix/bin/reduction-lab" "$prefix/bin/reduction-lab-cli" | grep -F "$BUILD" ||
  fail "the programs know the folder in which they were built"

# Its own data only, from elsewhere, as a user without settings.
cd /
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/config
unset REDUCTION_LAB_DATA
mkdir -p "$HOME"
"$prefix/bin/reduction-lab-cli" step relaunch --input 7,1,6,8,5,6,7,1 --group 4 \
  -o "$scratch/figure.pdf" | grep -q 'result 41, right'
"$prefix/bin/reduction-lab-cli" step relaunch --input 7,1,6,8,5,6,7,1 --source machine |
  grep -q 'result 41, right'
[ -s "$scratch/figure.pdf" ]
if wants xvfb-run xauth; then
  xvfb-run -a "$prefix/bin/reduction-lab" --screenshot "$scratch/window.png" --size 1280x720 --lang zh
  [ "$(stat -c %s "$scratch/window.png")" -gt 20000 ]
  [ -z "${PICTURE:-}" ] || cp "$scratch/window.png" "$PICTURE"
fi

rm "$prefix/share/fonts"
within --purge reduction-lab
left=$(find "$root" -path "$root/var" -prune -o ! -type d -print)
[ -z "$left" ] || fail "it leaves behind: $left"
[ ! -e "$prefix/share/reduction-lab" ] || fail "it leaves its folder behind"
finish
