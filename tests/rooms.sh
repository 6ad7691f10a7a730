#!/usr/bin/env bash
# Who may know whom, where the include folders of the targets cannot keep it.
set -euo pipefail
cd "$(dirname "$0")/.."
bad=0
: "${BIN:=build/release/bin}"
complain() { printf '%s\n' "$1" >&2; bad=1; }

only_in() {  # only_in ROOM… -- PATTERN: the #include is found in these rooms alone
    local rooms=()
    while [ "$1" != -- ]; do rooms+=(":!app/$1"); shift; done
    local found
    found=$(git grep -nE "#include [<\"]$2" -- app "${rooms[@]}" || true)
    [ -z "$found" ] || complain "these rooms may not include that:
$found"
}
only_in device -- 'CL/'
only_in gui views/shell 'views/*_panels.*' 'views/*_panels_test.cpp' -- '(GLFW|glad|imgui)'
# The state of a view does not know its panels, and what views are made of knows none of them.
only_in gui views/shell 'views/*_panels.*' 'views/*_panels_test.cpp' -- '(gui/|views/.*_panels\.h)'
only_in views 'session/*_test.cpp' -- 'views/'
only_in views/shell 'views/*_test.cpp' -- 'views/shell/'
only_in figures -- '(cairo|ft2build)'
only_in base worker -- 'boost/'
found=$(git grep -nE '#include "\.\./' -- app tests || true)
[ -z "$found" ] || complain "includes are written from the room's name, as base/problem.h:
$found"

# What depends on the view asks it; nothing compares its name.
views=$(sed -nE 's/.*ViewType k[A-Za-z]+View\{\.id = "([a-z]+)".*/\1/p' app/session/*.cpp app/views/*/*.cpp | paste -sd '|')
[ -n "$views" ] || complain "no view was found in app/session and app/views"
found=$(git grep -nE "[=!]= *\"($views)\"|set_view\(\"" -- app/session app/gui app/views ':!*_test.cpp' || true)
[ -z "$found" ] || complain "a view's name is compared:
$found"

# What only tests need is not in the app.
found=$(git grep -nE '#include "(support/|gtest|gmock)|#include <g(test|mock)' -- app ':!app/*_test.cpp' || true)
[ -z "$found" ] || complain "only tests include that:
$found"
! grep -qa 3lab6driver "$BIN/reduction-lab" || complain "reduction-lab links the tests' driver"

# The app never loads an OpenCL driver, and the command line needs no window.
! ldd "$BIN/reduction-lab" | grep -qi opencl || complain "reduction-lab links OpenCL"
! ldd "$BIN/reduction-lab-cli" | grep -qiE 'glfw|libGL\.' || complain "reduction-lab-cli links GL"
exit $bad
