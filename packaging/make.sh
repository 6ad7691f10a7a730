#!/usr/bin/env bash
# Makes the packages of Reduction Lab.
set -euo pipefail
umask 022
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

usage() {
  cat <<'END'
Usage: packaging/make.sh [FOLDER]

Builds Reduction Lab in build/release and makes, in FOLDER (build/packages):
  reduction-lab_VERSION_amd64.deb            for the release of Debian or Ubuntu that runs here
  reduction-lab-VERSION-x86_64.tar.zst       runs from any folder of x86-64 Linux with the glibc that its
                                             README.txt names, or a later one; nothing installed
Each file is written whole or not at all; an older one of its name is replaced. The same build gives the
same bytes, whenever it is packed.
END
}

case ${1:-} in
  -h | --help) usage && exit ;;
  -*) usage >&2 && exit 2 ;;
esac
folder=${1:-$root/build/packages}
if ! command -v apt-get >/dev/null || [[ $(uname -m) != x86_64 ]]; then
  echo "make.sh: packages are made on Debian or Ubuntu on x86-64, whose packages tell the licences" >&2
  exit 1
fi

"$root/third_party/setup.sh" app packaging
. "$root/third_party/build.sh"
lab_build release LAB_TESTS?=OFF "LAB_HELP2MAN=$(command -v help2man)" reduction-lab reduction-lab-cli packaging

mkdir -p "$folder"
scratch=$(mktemp -d "$folder/.deb-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
SOURCE_DATE_EPOCH=$(date -d "$(sed -n 's/^ -- .*>  //p' "$root/packaging/changelog" | head -n 1)" +%s)
export SOURCE_DATE_EPOCH
if ! cpack --config "$root/build/release/CPackConfig.cmake" -G DEB -B "$scratch" >"$scratch/log" 2>&1; then
  cat "$scratch/log" >&2
  exit 1
fi
for deb in "$scratch"/*.deb; do
  mv -f "$deb" "$folder/"
  echo "$folder/${deb##*/}"
done
"$root/packaging/archive.sh" "$root/build/release" "$folder"
