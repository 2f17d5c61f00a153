"""A web server on 127.0.0.1 that plays the Hugging Face hub as far as huggingface_hub needs it to fetch files."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SHA = "0123456789abcdef0123456789abcdef01234567"


class Hub(ThreadingHTTPServer):
    """repos: name -> file -> bytes. gated: names whose files are refused. asked: every (method, path)."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.repos: dict[str, dict[str, bytes]] = {}
        self.gated: set[str] = set()
        self.failing = 0
        self.asked: list[tuple[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Hub

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _refuse(self, status: int, code: str) -> None:
        self.send_response(status)
        self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _answer(self, body: bool) -> None:
        path = self.path.split("?")[0]
        self.server.asked.append((self.command, path))
        if self.server.failing:
            return self._refuse(self.server.failing, "")
        parts = path.strip("/").split("/")
        api = parts[:2] == ["api", "models"]
        repo = "/".join(parts[2:4] if api else parts[:2])
        rest = parts[4:] if api else parts[2:]
        if repo not in self.server.repos:
            return self._refuse(404, "RepoNotFound")
        if len(rest) > 1 and rest[1] not in ("main", SHA):
            return self._refuse(404, "RevisionNotFound")
        files = self.server.repos[repo]
        if api:
            about = {"_id": "1", "id": repo, "modelId": repo, "sha": SHA, "private": False, "tags": [], "downloads": 0,
                     "siblings": [{"rfilename": n, "size": len(d), "blobId": "0"} for n, d in files.items()]}
            return self._send(json.dumps(about).encode(), body)
        if repo in self.server.gated:
            return self._refuse(403, "GatedRepo")
        name = "/".join(rest[2:])
        if name not in files:
            return self._refuse(404, "EntryNotFound")
        return self._send(files[name], body)

    def _send(self, data: bytes, body: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", f'"{hashlib.sha1(data).hexdigest()}"')
        self.send_header("X-Repo-Commit", SHA)
        self.end_headers()
        if body:
            self.wfile.write(data)


@contextmanager
def serving() -> Iterator[Hub]:
    hub = Hub()
    thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
        thread.join()
