#!/usr/bin/env python3
"""Opens every page of the built site in Chromium: dead links and anchors, errors of the console, and
requests to other hosts are failures; the search finds what a reader looks for.

usage: check.py DIST
"""
import functools
import http.server
import json
import re
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("id", "name") and value:
                self.anchors.add(value)
            if key in ("href", "src") and value:
                self.links.append(value)


def dead_links(dist):
    # Doxygen's pages are held by Doxygen.
    pages = {path: Page(path.read_text()) for path in dist.rglob("*.html") if "cpp" not in path.parts}
    faults, count = [], 0
    for path, page in pages.items():
        here = "/" + str(path.relative_to(dist))
        for link in page.links:
            if re.match(r"(https?|mailto|data|blob|javascript):", link):
                continue
            count += 1
            address, anchor = urldefrag(urljoin(here, link))
            target = dist / unquote(address).lstrip("/")
            if target.is_dir():
                target = target / "index.html"
            if not target.exists():
                faults.append(f"{here}: dead link {link}")
            elif anchor and target in pages and unquote(anchor) not in pages[target].anchors:
                faults.append(f"{here}: dead anchor {link}")
    return faults, count, sorted(pages)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *of):
        pass


def open_all(dist, pages):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(dist)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}/"
    script = Path(__file__).parent / "open_pages.mjs"
    job = {"root": root, "pages": [str(page.relative_to(dist)) for page in pages],
           "searches": {"payload": "payload", "RNEA": "glossary", "Craig": "craig"}}
    result = subprocess.run(["node", script, json.dumps(job)], cwd=dist.parent, capture_output=True, text=True)
    server.shutdown()
    return [line for line in result.stdout.splitlines() if line] + (
        [result.stderr] if result.returncode else [])


def main(dist):
    faults, links, pages = dead_links(dist)
    faults += open_all(dist, pages)
    print("\n".join(faults))
    print(f"{len(pages)} pages, {links} links: {len(faults)} fault(s)")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
