#!/usr/bin/env bash
# Installs what is missing, builds everything and runs the tests. Arguments go to ctest, for example
#   ./test.sh -L unit          the quick ones
#   ./test.sh -R hazards       those with that in their name
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)

"$root/third_party/setup.sh" app tests
. "$root/third_party/build.sh"
lab_build release LAB_TESTS=ON all

cd "$root"
exec ctest --preset release --no-tests=error "$@"
