#!/usr/bin/env bash
# Installs what is missing, builds the page for browsers in build/web/site, and serves it here.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
port=8017 serve=yes address=

usage() {
  cat <<'END'
Usage: ./web.sh [--port N] [--build] [--address URL]

Builds Reduction Lab for browsers in build/web/site: static files with relative paths, which any file
server can serve. Then serves them to this computer alone and prints the link.
  --port N   the port (8017); 0 takes a free one
  --build    only build
  --address  where it will be served: chats and courses show a preview of links to it
END
}

while (($#)); do
  case $1 in
    --port) port=${2:?--port takes a number} && shift 2 ;;
    --build) serve='' && shift ;;
    --address) address=${2:?--address takes an address} && shift 2 ;;
    --help | -h) usage && exit ;;
    *) usage >&2 && exit 2 ;;
  esac
done

"$root/third_party/setup.sh" web
. "$root/third_party/build.sh"
export NODE_PATH=/usr/share/nodejs  # where Debian keeps what Emscripten takes, for any node
lab_build web reduction-lab-web
/usr/bin/python3 "$root/web/pack.py" "$root/build/web" "$root/build/web/site" ${address:+"$address"}
[[ $serve ]] || { echo "The page is in build/web/site" && exit 0; }
exec python3 "$root/web/serve.py" "$root/build/web/site" "$port"
