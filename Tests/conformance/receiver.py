"""A developer's server: takes App Store Server Notifications over HTTP, as a backend does."""

import json
import queue
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """Listens at a port that the system picks; `statuses` are the first answers, all that follow are 200.

    With `identity`, a PEM file with a private key and its certificate, it speaks TLS.
    """

    def __init__(self, statuses=(), identity=None):
        self._arrived = queue.Queue()
        self._statuses = list(statuses)
        self._lock = threading.Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver._lock:
                    status = receiver._statuses.pop(0) if receiver._statuses else 200
                assert self.headers["Content-Type"] == "application/json"
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()
                receiver._arrived.put(json.loads(body)["signedPayload"])

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._scheme = "http"
        if identity:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(identity)
            # The handshake is the thread's of the connection, so that one that fails holds up nobody.
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
            self._server.handle_error = lambda *_: None
            self._scheme = "https"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def url(self):
        return f"{self._scheme}://127.0.0.1:{self._server.server_port}/notifications"

    def next(self, timeout=30.0):
        """The next signed payload."""
        return self._arrived.get(timeout=timeout)

    def take(self, count):
        return [self.next() for _ in range(count)]

    def is_quiet(self):
        """Whether nothing has come that was not taken."""
        return self._arrived.empty()

    def close(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
