# shellcheck shell=bash disable=SC2034
# The packages that each purpose takes, read by setup.sh.
#
# Debian and Ubuntu: each entry is a need, "a | b" its names in different releases, of which the first
# that a release has is taken if none is installed; "a & b" are two that go together. What stands in a
# list …_optional is left out where a release does not have it.

app=(
  # to build
  "g++" "cmake" "ninja-build" "pkg-config | pkgconf" "git" "ca-certificates" "xz-utils"
  "python3" "python3-glad | python3-jinja2"  # writes the OpenGL loader
  "libglfw3-dev" "libgl-dev | libgl1-mesa-dev"  # the window
  "opencl-headers | opencl-c-headers" "opencl-clhpp-headers" "ocl-icd-opencl-dev"
  "libcairo2-dev" "libfreetype-dev | libfreetype6-dev"  # figures: PNG, PDF, the width of a text
  "libfmt-dev" "libcli11-dev" "nlohmann-json3-dev" "libmd4c-dev" "zlib1g-dev"
  "libqrcodegencpp-dev"  # a link that a class reads off the wall
  "libboost-dev" "libboost-filesystem-dev"  # Boost.Process
  "libtbb-dev"  # what devices are held against
  # to run
  "libgl1" "libgl1-mesa-dri"  # OpenGL on any machine
  "fonts-inter | fonts-inter-variable" "fonts-jetbrains-mono" "fonts-noto-cjk"
)
app_optional=(
  "pocl-opencl-icd"  # an OpenCL device on any CPU; without it the simulator is left
  "libxcursor1" "libxi6" "libxinerama1" "libxrandr2"  # GLFW loads them if they are there
)

# A display in memory.
screenshot=("xvfb" "xauth")

# What the tests are built with; and what some of them run, which are skipped without it.
tests=("libgtest-dev" "libgmock-dev | libgtest-dev" "libbenchmark-dev")
tests_optional=(
  "xvfb" "xauth" "xdotool" "x11-utils" "procps"
  "poppler-utils" "libxml2-utils" "librsvg2-bin" "giflib-tools"  # what is in a figure
  "help2man" "man-db" "groff" "mandoc"  # manual pages, as each of them reads one
  "appstream" "desktop-file-utils" "shared-mime-info"  # what a desktop is told of the app
  "dpkg-dev" "lintian" "binutils" "zstd"  # the packages
)

# The page for browsers. Headers are taken as they are; what has to be compiled comes as source.
web=(
  "emscripten" "cmake" "ninja-build" "git" "ca-certificates" "xz-utils" "bzip2" "python3"
  "python3-fonttools"
  "libfmt-dev" "libcli11-dev" "nlohmann-json3-dev"
  "fonts-inter | fonts-inter-variable" "fonts-jetbrains-mono" "fonts-noto-cjk"
)
web_optional=()

# What its tests look at it with.
browser=("chromium")
browser_optional=()

# To make the packages.
packaging=("dpkg-dev" "binutils" "file" "zstd" "help2man")
packaging_optional=()

# Any Clang with libFuzzer, whose runtime has the version in its name.
fuzz=()
fuzz_optional=("clang-22 & libclang-rt-22-dev | clang-21 & libclang-rt-21-dev
  | clang-20 & libclang-rt-20-dev | clang-19 & libclang-rt-19-dev | clang-18 & libclang-rt-18-dev
  | clang-17 & libclang-rt-17-dev | clang-16 & libclang-rt-16-dev | clang-15 & libclang-rt-15-dev
  | clang-14 & libclang-rt-14-dev")

# Elsewhere: one command a system and purpose, to be typed by whoever owns the machine.
declare -A other_systems=(
  [dnf app]="sudo dnf install gcc-c++ cmake ninja-build pkgconf-pkg-config git python3-jinja2
    glfw-devel mesa-libGL-devel mesa-dri-drivers opencl-headers ocl-icd-devel pocl cairo-devel
    freetype-devel fmt-devel cli11-devel json-devel md4c-devel zlib-devel boost-devel tbb-devel rsms-inter-fonts
    jetbrains-mono-fonts dejavu-sans-fonts google-noto-sans-cjk-fonts"
  [dnf screenshot]="sudo dnf install xorg-x11-server-Xvfb xorg-x11-xauth"
  [dnf tests]="sudo dnf install gtest-devel gmock-devel google-benchmark-devel xorg-x11-server-Xvfb
    xorg-x11-xauth xdotool xprop procps-ng poppler-utils libxml2 librsvg2-tools giflib-utils help2man
    man-db groff mandoc appstream desktop-file-utils shared-mime-info binutils"
  [dnf fuzz]="sudo dnf install clang compiler-rt"

  [pacman app]="sudo pacman -S --needed base-devel cmake ninja git glad glfw mesa opencl-headers
    opencl-clhpp ocl-icd pocl cairo freetype2 fmt cli11 nlohmann-json md4c zlib boost onetbb inter-font
    ttf-jetbrains-mono ttf-dejavu noto-fonts-cjk"
  [pacman screenshot]="sudo pacman -S --needed xorg-server-xvfb xorg-xauth"
  [pacman tests]="sudo pacman -S --needed gtest benchmark xorg-server-xvfb xorg-xauth xdotool
    xorg-xprop poppler libxml2 librsvg giflib help2man man-db groff appstream desktop-file-utils
    shared-mime-info"
  [pacman fuzz]="sudo pacman -S --needed clang compiler-rt"

  [nix-shell app]="nix-shell -p gcc cmake ninja pkg-config git python3Packages.glad2 glfw libGL
    opencl-headers opencl-clhpp ocl-icd pocl cairo freetype fmt cli11 nlohmann_json md4c zlib boost onetbb
    inter jetbrains-mono dejavu_fonts noto-fonts-cjk-sans"
  [nix-shell screenshot]="nix-shell -p xvfb-run"
  [nix-shell tests]="nix-shell -p gtest gbenchmark xvfb-run xorg.xorgserver xdotool xorg.xprop
    poppler-utils libxml2 librsvg giflib help2man groff mandoc appstream desktop-file-utils
    shared-mime-info"
  [nix-shell fuzz]="nix-shell -p clang"

  [zypper app]="sudo zypper install gcc-c++ cmake ninja pkgconf-pkg-config git python3-Jinja2
    libglfw-devel Mesa-libGL-devel opencl-headers opencl-cpp-headers ocl-icd-devel pocl cairo-devel
    freetype2-devel fmt-devel cli11-devel nlohmann_json-devel md4c-devel zlib-devel libboost_filesystem-devel tbb-devel
    inter-fonts jetbrains-mono-fonts dejavu-fonts google-noto-sans-cjk-fonts"
  [zypper screenshot]="sudo zypper install xorg-x11-server-Xvfb xauth"
  [zypper tests]="sudo zypper install gtest gmock benchmark-devel xorg-x11-server-Xvfb xauth xdotool
    xprop poppler-tools libxml2-tools rsvg-convert giflib-progs help2man groff mandoc
    desktop-file-utils shared-mime-info"
  [zypper fuzz]="sudo zypper install clang"
)
