"""Save the page of the queue as one file: `demo_queue.py FILE`, in a repository with requests."""

import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import helix_hooks

STYLE = Path(helix_hooks.__file__).parent / "pages" / "style.css"


def main() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    command = ["helix-hooks", "queue", "serve", "--port", str(port)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        if server.stderr is None or "http://" not in server.stderr.readline():
            sys.exit("the server did not start")
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(f"http://127.0.0.1:{port}/", timeout=30) as answer:
            page = answer.read().decode()
    finally:
        server.terminate()
        server.wait()
    style = f"<style>{STYLE.read_text(encoding='utf-8')}</style>"
    page = re.sub(r'<link rel="stylesheet"[^>]*>', lambda _: style, page)
    page = re.sub(r"<script[^>]*></script>", "", page)
    Path(sys.argv[1]).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
