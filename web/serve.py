#!/usr/bin/env python3
"""Serves a folder to this computer alone, and prints its link: web/serve.py FOLDER PORT"""

import functools
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")  # a page that was built anew is seen at once
        super().end_headers()

    def log_message(self, *_):
        pass


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    handler = functools.partial(Handler, directory=sys.argv[1])
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), handler)
    except OSError as error:
        sys.exit(f"Port {sys.argv[2]} cannot be used: {error.strerror}. Try ./web.sh --port 0")
    print(f"Reduction Lab: http://localhost:{server.server_port}/  (Ctrl+C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
