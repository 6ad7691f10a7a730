#!/usr/bin/env bash
# What is installed runs from its prefix, without the source or the build folder.
set -euo pipefail
. "$(dirname "$0")/tools.sh"
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$BUILD" --prefix "$prefix" >/dev/null
# A link would lead back to where it was built.
[ -z "$(find "$prefix" -type l)" ] || { find "$prefix" -type l; exit 1; }
cd /
"$prefix/bin/reduction-lab-cli" variants | grep -q relaunch
"$prefix/bin/reduction-lab-cli" step relaunch --input 7,1,6,8,5,6,7,1 --group 4 \
    -o "$prefix/figure.png" | grep -q 'result 41, right'
[ -s "$prefix/figure.png" ]
if wants xvfb-run xauth; then
  xvfb-run -a "$prefix/bin/reduction-lab" --screenshot "$prefix/window.png" --size 800x600
  [ -s "$prefix/window.png" ]
fi
finish
