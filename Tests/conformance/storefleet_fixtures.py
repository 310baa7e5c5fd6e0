"""A pytest plugin: a fleet of simulated phones and their App Store for each test, driven over HTTP.

Copy this file beside your conftest.py and say `pytest_plugins = ["storefleet_fixtures"]` there. It needs pytest and
nothing else; docs/control-api.md describes the API below it.

    def test_a_purchase_reaches_the_other_phone(storefleet):
        phone, pad = storefleet.devices
        with storefleet.events() as events:
            storefleet.device(phone).buy("com.example.app.lifetime")
            events.wait_for("report", on=pad, where=lambda report: report["screen"]["access"] == "unlocked")

The environment variable STOREFLEET_EXECUTABLE names the executable; without it, `storefleet` of the PATH is started.
A test's marker says what else the fleet shall be: `@pytest.mark.storefleet("--devices", "6", "--app", "./MyApp")`.
"""

import http.client
import json
import os
import subprocess
import tempfile
import time
import urllib.parse
import uuid
from pathlib import Path

import pytest

DEFAULTS = ("--devices", "2", "--devices-per-account", "2", "--clock", "manual")
PATIENCE = 60.0


class StorefleetError(Exception):
    """The store or the fleet said no: `status` is HTTP's, `code` and `refusal` are the wire's."""

    def __init__(self, status, body):
        self.status = status
        self.code = body.get("code")
        self.refusal = body.get("refusal")
        self.message = body.get("message", "")
        super().__init__(f"{status} {self.code}: {self.message}")


class API:
    """The control API of a server node. Safe to use from several threads: each call has a connection of its own."""

    def __init__(self, base_url, token):
        self.base_url = base_url
        self.token = token
        self._address = urllib.parse.urlsplit(base_url)

    def connect(self, timeout=PATIENCE):
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        return kinds[self._address.scheme](self._address.hostname, self._address.port, timeout=timeout)

    def call(self, method, path, body=None, headers=()):
        """Any request: its status, its headers and its bytes."""
        connection = self.connect()
        try:
            sent = {"Authorization": f"Bearer {self.token}", **dict(headers)}
            if body is not None and not isinstance(body, (bytes, str)):
                body = json.dumps(body)
            if body is not None:
                sent.setdefault("Content-Type", "application/json")
            connection.request(method, path, body=body, headers=sent)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def json(self, method, path, body=None, headers=()):
        """A request to a path below /control/v1, and its reply."""
        status, _, data = self.call(method, "/control/v1" + path, body, headers)
        reply = json.loads(data or b"{}")
        if status != 200:
            raise StorefleetError(status, reply)
        return reply


class Place:
    """Something that takes requests: a world, an account, a family, a user, a device.

    `ask` takes any request of the protocol by its name. A method of that name does the same:
    `account.refund(productId=…, reason=1)`.
    """

    def __init__(self, api, path):
        self.api = api
        self.path = path

    def ask(self, request, body=None, key=None, **fields):
        """`key` names the request, so that it is done once however often it is repeated."""
        headers = {"Idempotency-Key": str(key or uuid.uuid4())}
        return self.api.json("POST", f"{self.path}/{request}", {**(body or {}), **fields}, headers)

    def get(self, question="", **query):
        suffix = "?" + urllib.parse.urlencode(query, doseq=True) if query else ""
        return self.api.json("GET", self.path + (f"/{question}" if question else "") + suffix)

    def __getattr__(self, request):
        if request.startswith("_"):
            raise AttributeError(request)
        return lambda **fields: self.ask(request, **fields)


class Account(Place):
    def purchase(self, product, quantity=1, **fields):
        """Buys for the account, without a device; returns the transaction's id."""
        reply = self.ask("purchase", productId=product, quantity=quantity, simulatesAskToBuy=False, **fields)
        return reply["outcome"].get("transactionId")

    def transactions(self):
        """What the account has bought: a list of records."""
        return self.get("transactions")["content"]["snapshot"]["records"]


class Device(Place):
    def buy(self, product, quantity=1, wait=True):
        """Taps the buy button; returns what the app shows of the purchase in the end."""
        return self.ask("buy", productId=product, quantity=quantity, wait=wait)["phase"]


class World(Place):
    def __init__(self, api, name):
        super().__init__(api, f"/worlds/{name}")
        self.name = name

    def account(self, name):
        return Account(self.api, f"{self.path}/accounts/{name}")

    def device(self, name):
        return Device(self.api, f"{self.path}/devices/{name}")

    def family(self, name):
        return Place(self.api, f"{self.path}/families/{name}")

    def user(self, token):
        return Place(self.api, f"{self.path}/users/{str(token).lower()}")

    def advance(self, days=0, seconds=0):
        """Moves the clock; whatever falls due on the way has happened when this returns."""
        milliseconds = (days * 86_400 + seconds) * 1_000
        return self.ask("advanceClock", target={"kind": "by", "milliseconds": milliseconds})["now"]

    def events(self, last_event_id=None):
        """What happens from now on, or after an event of an earlier stream."""
        return Events(self.api, f"/control/v1{self.path}/events", last_event_id)


class Event:
    def __init__(self, id, name, data):
        self.id = id
        self.name = name
        self.data = json.loads(data)
        self.topic = self.data.get("topic", "")
        self.body = self.data.get("body", {})

    @property
    def on(self):
        """The name of the account, the device, the family, the user that it is about."""
        return self.topic.rpartition("/")[2]

    def __repr__(self):
        return f"<{self.name} on {self.topic}>"


class Events:
    """A stream of a world's events. Open once `with` is entered: nothing that happens after that is missed."""

    def __init__(self, api, path, last_event_id=None):
        self._api = api
        self._path = path
        self._given = last_event_id
        self.last_event_id = last_event_id

    def __enter__(self):
        self._connection = self._api.connect()
        headers = {"Authorization": f"Bearer {self._api.token}", "Accept": "text/event-stream"}
        if self._given:
            headers["Last-Event-ID"] = self._given
        self._connection.request("GET", self._path, headers=headers)
        self._socket = self._connection.sock
        self._response = self._connection.getresponse()
        if self._response.status != 200:
            raise StorefleetError(self._response.status, json.loads(self._response.read()))
        if not self._given:
            self.next()  # `watching`
        return self

    def __exit__(self, *_):
        self._response.close()
        self._connection.close()

    def next(self, timeout=PATIENCE):
        """The next event, whatever it is."""
        ends = time.monotonic() + timeout
        fields = {}
        while True:
            self._socket.settimeout(max(0.01, ends - time.monotonic()))
            line = self._response.readline()
            if not line:
                raise EOFError("the stream of events has ended")
            if time.monotonic() > ends:
                raise TimeoutError(f"no event within {timeout} s")
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif "data" in fields:
                self.last_event_id = fields.get("id", self.last_event_id)
                return Event(fields.get("id"), fields.get("event", "message"), fields["data"])

    def wait_for(self, name, on=None, where=lambda body: True, timeout=PATIENCE):
        """The first event from here that is meant; what comes before it is passed over."""
        ends = time.monotonic() + timeout
        passed = []
        while True:
            try:
                event = self.next(ends - time.monotonic())
            except TimeoutError:
                raise AssertionError(f"no '{name}' on {on or 'anything'} within {timeout} s, but {passed[-20:]}") from None
            if event.name == name and on in (None, event.on) and where(event.body):
                return event
            passed.append(event)


class Fleet(World):
    """A fleet of processes of its own, which ends with `stop`, or with this process however that ends."""

    def __init__(self, arguments=(), executable=None):
        executable = executable or os.environ.get("STOREFLEET_EXECUTABLE", "storefleet")
        self._home = tempfile.TemporaryDirectory(prefix="storefleet-")
        self._log = Path(self._home.name) / "log"
        # The fleet ends when the other end of this pipe closes.
        inherited, self._lifeline = os.pipe()
        environment = {**os.environ, "STOREFLEET_HOME": self._home.name, "STOREFLEET_LIFELINE": str(inherited)}
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                [executable, "up", "--name", "test", *DEFAULTS, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                pass_fds=[inherited],
                env=environment,
            )
        os.close(inherited)
        try:
            folder = self._folder()
            description = json.loads((Path(folder) / "fleet.json").read_text())
            super().__init__(API(description["endpoints"]["http"], description["token"]), description["world"])
            self.devices = [entry["device"] for entry in self.get("devices")["devices"]]
        except BaseException:
            self.stop()
            raise

    def _folder(self):
        """What the command prints once everything is up."""
        folder = None
        for line in self._process.stdout:
            words = line.decode().split(maxsplit=1)
            if words[:1] == ["folder"]:
                folder = words[1].strip()
            if words[:1] == ["Ctrl-C"]:
                return folder
        raise RuntimeError(f"the fleet did not come up: {self._log.read_text()}")

    def stop(self):
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        os.close(self._lifeline)
        self._home.cleanup()


def pytest_configure(config):
    config.addinivalue_line("markers", "storefleet(*arguments): more arguments for the test's `storefleet up`")


@pytest.fixture
def storefleet(request):
    """A fleet for this test alone."""
    marker = request.node.get_closest_marker("storefleet")
    fleet = Fleet(marker.args if marker else ())
    yield fleet
    fleet.stop()
