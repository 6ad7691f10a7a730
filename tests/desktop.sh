#!/usr/bin/env bash
# What a desktop is told of the app: its entry, its types of files, its icon, AppStream's data.
set -euo pipefail
cd "$(dirname "$0")/../packaging"
. ../tests/tools.sh
needs desktop-file-validate appstreamcli update-mime-database
id=org.reduction_lab.ReductionLab
metainfo=$BUILD/share/metainfo/$id.metainfo.xml
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf '%s\n' "$1" >&2; exit 1; }

complaints=$(desktop-file-validate "$id.desktop" 2>&1) || fail "$complaints"
[ -z "$complaints" ] || fail "$complaints"
# Without a network: there is no home page and no host for screenshots that could be asked. AppStream
# 1.0 warns of that, and wants the developer in a form that 0.16 complains of.
appstreamcli validate --no-net --no-color "$metainfo" >"$scratch/appstream" 2>&1 || true
grep -qi 'valid' "$scratch/appstream" || fail "appstreamcli says: $(cat "$scratch/appstream")"
! grep -E '^[EWI]:' "$scratch/appstream" |
  grep -vE ' (url-homepage-missing|developer-name-tag-deprecated|developer-info-missing)$' ||
  fail "AppStream's data could be better"

# A saved state is told by its name; the entry opens it and OpenCL sources.
mkdir -p "$scratch/mime/packages"
cp "$id.mime.xml" "$scratch/mime/packages/$id.xml"
update-mime-database "$scratch/mime" >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
grep -q 'application/x-reduction-lab+json:\*\.redlab$' "$scratch/mime/globs2"
grep -q 'application/json' "$scratch/mime/subclasses"
types=$(sed -n 's/^MimeType=//p' "$id.desktop")
[[ $types == *application/x-reduction-lab+json\;* && $types == *text/x-opencl-src\;* ]] || fail "$types"

# All agree on the names.
grep -q "^Icon=$id$" "$id.desktop"
grep -q ">$id.desktop<" "$metainfo"
for size in 16 22 24 32 48 64 128 256 512; do
  [ -s "$BUILD/share/icons/hicolor/${size}x$size/apps/$id.png" ] || fail "no icon of $size pixels"
done
kernels=$(find ../kernels -name '*.cl' | wc -l)
[ "$(grep -cE ">$kernels (kernels|ядер|个内核)" "$metainfo")" = 3 ] || fail "there are $kernels kernels"
# And on the version.
version=$("$BUILD/bin/reduction-lab-cli" --version)
grep -q "<release version=\"$version\"" "$metainfo"
head -n 1 changelog | grep -qF "reduction-lab ($version)" || fail "the changelog is of another version"
date=$(sed -n 's/.*<release .*date="\(.*\)".*/\1/p' "$metainfo")
[ "$(date -u -d "$(sed -n 's/^ -- .*>  //p' changelog | head -n 1)" +%F)" = "$date" ] ||
  fail "the changelog has another date than $date"
