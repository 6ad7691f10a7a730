#!/usr/bin/env bash
# packaging/archive.sh BUILD FOLDER: the archive that runs from any folder, of what stands in BUILD.
# The same programs make the same bytes. ZSTD_CLEVEL says how hard it is packed (19).
set -euo pipefail
umask 022
export LC_ALL=C ZSTD_CLEVEL=${ZSTD_CLEVEL:-19}

packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
build=$1 folder=$2
fail() { printf 'archive.sh: %s\n' "$1" >&2; exit 1; }
for tool in cmake dpkg-query ldd objdump zstd; do
  command -v "$tool" >/dev/null || fail "$tool is not installed (third_party/setup.sh packaging)"
done

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
released=$(sed -n 's/^ -- .*>  //p' "$packaging/changelog" | head -n 1)
name=reduction-lab-$version
archive=$folder/$name-x86_64.tar.zst
mkdir -p "$folder"
scratch=$(mktemp -d "$folder/.archive-XXXXXX")  # beside it, so that it is put in place in one step
trap 'rm -rf "$scratch"' EXIT
root=$scratch/$name

cmake --install "$build" --prefix "$root" --strip >"$scratch/log" || fail "$(cat "$scratch/log")"
for program in "$root"/bin/*; do
  install -m 755 "$packaging/start.sh" "$root/${program##*/}"
done

# owner FILE: the package that it is from; its licence goes with the file.
owner() {
  local file found
  file=$(readlink -f "$1")
  # Packages may say /lib of what lies in /usr/lib.
  found=$(dpkg-query -S "$file" "${file#/usr}" 2>/dev/null | head -n 1) ||
    [[ $found ]] || fail "$1 is from no package: nothing says under which licence it may be handed on"
  echo "${found%%: *}"
}

# Every library that the programs load, by what the dynamic linker finds. glibc stays out, since it
# is one with the system's dynamic linker; so do drivers, which are one with its kernel and devices.
# Those have to be looked for at run time, as GLFW does: a program that is linked to them would not
# start without them.
glibc=$(owner "$(ldd "$root/bin/reduction-lab" | sed -n 's/.*libc\.so\.6 => \(.*\) (.*/\1/p')")
packages=()
while read -r library file; do
  [[ $file != not ]] || fail "$library was not found"
  package=$(owner "$file")
  [[ $package != "$glibc" ]] || continue
  case $library in
    libGL* | libEGL* | libOpenGL.* | libgbm* | libdrm* | libvulkan* | libwayland* | libLLVM* | \
      libnvidia* | libcuda*)
      fail "$library belongs to a driver: neither to be bundled nor to be linked to" ;;
  esac
  install -Dm 644 "$file" "$root/lib/$library/$library"
  packages+=("$package")
done < <(ldd "$root"/bin/* | sed -n 's/^\t\([^ /]*\) => \([^ ]*\).*/\1 \2/p' | sort -u)
for font in "$build"/share/reduction-lab/fonts/*; do
  packages+=("$(owner "$font")")
done

# Licences: ours, those of the packages, and the texts of which these only tell the place.
licences=$root/share/doc/licences
install -Dm 644 "$packaging/copyright" "$licences/reduction-lab"
while read -r package; do
  install -m 644 "/usr/share/doc/${package%%:*}/copyright" "$licences/${package%%:*}" ||
    fail "$package comes without a licence"
done < <(printf '%s\n' "${packages[@]}" | sort -u)
grep -ohE '/usr/share/common-licenses/[A-Za-z0-9.+-]*[A-Za-z0-9]' "$licences"/* | sort -u |
  while read -r text; do
    [[ ! -e $text ]] || install -Dm 644 "$text" "$licences/common-licenses/${text##*/}"
  done
{
  echo "# What is bundled: package, version, and the source package, which the distribution has"
  printf '%s\n' "${packages[@]}" | sort -u |
    xargs dpkg-query -W -f '${Package} ${Version} ${source:Package}\n'
} >"$licences/PACKAGES"

# The newest version of glibc's symbols that anything here needs.
needed=$(find "$root/bin" "$root/lib" -type f -exec objdump -T {} + |
  grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
sed "s/@VERSION@/$version/; s/@GLIBC@/${needed#GLIBC_}/" "$packaging/README.txt.in" >"$root/README.txt"

find "$root" -type d -exec chmod 755 {} +
tar --create --directory "$scratch" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
  --mtime="$released" "$name" | zstd --quiet -T1 -o "$scratch/archive"
mv -f "$scratch/archive" "$archive"
echo "$archive"
