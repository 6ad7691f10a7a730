#!/usr/bin/env bash
# Installs the Debian packages that building, running and testing take, those of them that are
# missing, and fetches what Debian does not package. With nothing missing it does nothing, and needs
# neither a network nor root.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log=$root/build/setup.log

packages=(
  # to build
  g++ cmake ninja-build pkg-config git ca-certificates xz-utils
  python3 python3-glad                             # writes the OpenGL loader
  libglfw3-dev libgl-dev                           # the window
  opencl-headers opencl-clhpp-headers ocl-icd-opencl-dev
  libcairo2-dev libfreetype-dev                    # figures: PNG, PDF, the width of a text
  libfmt-dev libcli11-dev nlohmann-json3-dev
  libboost-dev libboost-filesystem-dev             # Boost.Process
  libtbb-dev                                       # what devices are held against
  libgtest-dev libgmock-dev libbenchmark-dev

  # to run
  pocl-opencl-icd                                  # an OpenCL device on any CPU
  libgl1 libgl1-mesa-dri                           # OpenGL on any machine
  libxcursor1 libxi6 libxinerama1 libxrandr2       # GLFW loads them if they are there
  fonts-inter fonts-jetbrains-mono fonts-noto-cjk

  # to test, and to take screenshots without a display
  xvfb xauth xdotool x11-utils procps poppler-utils libxml2-utils librsvg2-bin
  man-db groff mandoc                              # manual pages, as each of them reads one
  appstream desktop-file-utils shared-mime-info    # what a desktop is told of the app
  dpkg-dev lintian binutils                        # the Debian package
  clang-14 libclang-rt-14-dev                      # the fuzzer: tests/fuzz/run.sh
)

if ! command -v dpkg-query >/dev/null; then
  echo "This is no Debian: install what configure asks for below by the means of this system."
  exit 0
fi

mapfile -t missing < <(comm -23 \
  <(printf '%s\n' "${packages[@]}" | sort) \
  <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null |
    sed -n 's/ installed$//p' | sort -u))

if ((${#missing[@]})); then
  as_root=()
  if ((EUID != 0)); then
    as_root=(sudo)
    if ! command -v sudo >/dev/null || { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
      printf '%s\n' "These packages are missing, and installing them takes root. As root, run" \
        "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" \
        "and then this again." >&2
      exit 1
    fi
  fi
  echo "Installing ${#missing[@]} Debian packages (log: build/setup.log)"
  mkdir -p "$root/build"
  apt_get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300 "$@"
  }
  # Nothing is removed for it; and a list that cannot be updated may be one that we do not need.
  if ! {
    apt_get update
    apt_get install --no-remove --no-install-recommends "${missing[@]}"
  } >"$log" 2>&1 </dev/null; then
    tail -n 15 "$log" >&2
    printf '%s\n' "" "These packages could not be installed: ${missing[*]}" \
      "The whole log: build/setup.log" >&2
    exit 1
  fi
fi

# Where this fails configure has one more way to Dear ImGui, and says what is missing if that fails.
if ! compgen -G "$root/third_party/.cache/imgui-*/imgui.h" >/dev/null; then
  echo "Fetching the sources of Dear ImGui"
  "$root/third_party/fetch.sh" imgui || true
fi
