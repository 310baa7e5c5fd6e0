"""Starts real server processes for the tests.

`STOREFLEET_EXECUTABLE` names the executable; without it, it is the debug build of this repository.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import uuid
from pathlib import Path

import pytest

from storefleet_wire import Client

pytest_plugins = ["storefleet_fixtures"]

REPOSITORY = Path(__file__).resolve().parents[2]
EXECUTABLE = os.environ.get("STOREFLEET_EXECUTABLE", str(REPOSITORY / ".build/debug/storefleet"))
START_SECONDS = 60


class Server:
    """A server node in a process of its own, which can be killed and started again on the same data."""

    token = "conformance"

    def __init__(self, folder, endpoints=("tcp://127.0.0.1:*", "tcp://127.0.0.1:*"), options=()):
        self.folder = Path(folder)
        self._options = list(options)
        self.log = self.folder / "log"
        self._endpoints = endpoints
        self._process = None
        self._lifeline = None
        self.endpoints = {}

    def start(self):
        ready = self.folder / f"ready-{uuid.uuid4()}"
        os.mkfifo(ready)
        reader = os.open(ready, os.O_RDONLY | os.O_NONBLOCK)
        # The server ends when the other end of this pipe closes, so none outlives the tests, however they end.
        inherited, self._lifeline = os.pipe()
        command = [EXECUTABLE, "server", "--data", self.folder / "data", "--token", self.token]
        command += ["--listen", self._endpoints[0], "--events", self._endpoints[1], "--ready-file", ready]
        command += self._options
        with open(self.log, "ab") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[inherited],
                env={**os.environ, "STOREFLEET_LIFELINE": str(inherited)},
            )
        os.close(inherited)
        try:
            self.endpoints = json.loads(self._first_line(reader))
        finally:
            os.close(reader)
            ready.unlink()
        return self

    def _first_line(self, reader):
        ended = os.pidfd_open(self._process.pid)
        try:
            poller = select.poll()
            poller.register(reader, select.POLLIN)
            poller.register(ended, select.POLLIN)
            text = b""
            while not text.endswith(b"\n"):
                happened = dict(poller.poll(START_SECONDS * 1000))
                if reader in happened:
                    text += os.read(reader, 65_536)
                else:
                    why = "ended" if ended in happened else f"was not ready after {START_SECONDS} s"
                    raise RuntimeError(f"the server {why}: {self.log.read_text()}")
            return text
        finally:
            os.close(ended)

    def kill(self):
        """Ends it at once, as a power cut does to a process."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._lifeline)
        self._process = None

    def stop(self):
        if self._process:
            self._process.terminate()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            os.close(self._lifeline)
            self._process = None

    def connect(self, token=None):
        """A client that has not said hello yet."""
        return Client(self.endpoints["requests"], self.token if token is None else token)


class World:
    """A world of its own for a test, with a manual clock, and the words that the tests are written in."""

    START = 1_767_225_600_000
    DAY = 86_400_000
    BUNDLE = "com.example.app"

    def __init__(self, client, environment="Sandbox", **settings):
        self.client = client
        self.environment = environment
        self.name = f"w-{uuid.uuid4()}"
        catalog = (REPOSITORY / "Fixtures/Demo.storekit").read_text()
        self.description = self.ask(
            "world",
            self.name,
            "createWorld",
            {
                "catalog": catalog,
                "bundleId": self.BUNDLE,
                "environment": environment,
                "clock": {"kind": "manual", "startsAt": self.START},
                "timeRate": "realTime",
                **settings,
            },
        )

    def address(self, kind, key):
        return f"{self.name}/{kind}/{key}"

    def account(self, name):
        return self.address("account", name)

    def ask(self, kind, key, name, body=None, **options):
        return self.client.ask(self.address(kind, key), name, body, **options).body

    def open(self, name, asks_to_buy=False):
        self.ask("world", self.name, "openAccount", {"account": name, "asksToBuy": asks_to_buy})
        return self.account(name)

    def buy(self, name, product, token=None, **options):
        body = {"productId": f"{self.BUNDLE}.{product}", "quantity": 1, "simulatesAskToBuy": False}
        if token:
            body["appAccountToken"] = token
        return self.ask("account", name, "purchase", body, **options)

    def refund(self, name, product):
        return self.ask("account", name, "refund", {"productId": f"{self.BUNDLE}.{product}", "reason": 1})

    def advance(self, days):
        target = {"kind": "by", "milliseconds": int(days * self.DAY)}
        return self.ask("world", self.name, "advanceClock", {"target": target})["now"]

    def bought(self, name, product, **options):
        """Buys, and returns the id of the transaction."""
        return self.buy(name, product, **options)["outcome"]["transactionId"]

    def entitlements(self, token):
        return self.ask("user", token, "getEntitlements")["entitlements"]


@pytest.fixture(scope="session")
def server():
    """With HTTP."""
    with tempfile.TemporaryDirectory(prefix="storefleet-") as folder:
        server = Server(folder, options=["--http", "127.0.0.1:0"]).start()
        yield server
        server.stop()


@pytest.fixture
def client(server):
    with server.connect() as client:
        client.hello()
        yield client


@pytest.fixture
def world(client):
    return World(client)


@pytest.fixture
def mortal_server():
    """A server for one test, to be killed, which comes back at the same endpoints."""
    folder = tempfile.mkdtemp(prefix="sf-")
    server = Server(folder, (f"ipc://{folder}/requests", f"ipc://{folder}/events")).start()
    yield server
    server.stop()
    shutil.rmtree(folder)
