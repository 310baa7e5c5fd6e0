"""A client for the Storefleet wire protocol, written from docs/protocol.

It shows how little a program needs: a DEALER socket for requests, a SUB socket for events, and JSON. It is for one
thread. Times are in seconds; positions are (epoch, sequence) tuples, which compare as the protocol wants.
"""

import json
import struct
import time
import uuid
from dataclasses import dataclass, field

import zmq

VERSION = 1
HEARTBEAT_TOPIC = "*;"
HIGH_WATER_MARK = 100_000


class WireError(Exception):
    """An error reply."""

    RETRIABLE = frozenset({"helloFirst", "overloaded", "deadlineExceeded", "unavailable", "internal"})

    def __init__(self, code, message, refusal=None):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.refusal = refusal

    @property
    def is_retriable(self):
        return self.code in self.RETRIABLE


class NoReply(Exception):
    """No reply came in time. Whether the request was done is not known: ask again with its id."""


@dataclass(frozen=True)
class Reply:
    """A reply as it came: the body is JSON, read."""

    id: bytes
    status: str
    body: dict
    attachments: list


@dataclass(frozen=True)
class Request:
    """A request as a client node gets it, for one of its devices."""

    id: bytes
    address: str
    name: str
    body: dict
    attachments: list
    deadline_milliseconds: int


@dataclass(frozen=True)
class Event:
    """A published event."""

    topic: str
    epoch: int
    sequence: int
    name: str
    body: dict

    @property
    def position(self):
        return (self.epoch, self.sequence)


# Frames: docs/protocol/01-frames.md


def header(kind, value=0, version=VERSION):
    """The 8 bytes that begin every message."""
    return struct.pack(">2sB1sI", b"SF", version, kind, value)


def request_frames(request_id, address, name, body, attachments=(), deadline_milliseconds=10_000):
    """A request as it travels. `request_id` is 16 bytes."""
    return [
        header(b"Q", deadline_milliseconds),
        request_id,
        address.encode(),
        name.encode(),
        json.dumps(body).encode(),
        *attachments,
    ]


def reply_frames(request_id, body, attachments=()):
    """A client node's reply, as it travels."""
    return [header(b"R"), request_id, b"ok", json.dumps(body).encode(), *attachments]


def parse_header(frame, kind):
    """Checks the first 8 bytes of a header frame, and returns the value in them."""
    magic, version, found, value = struct.unpack(">2sB1sI", frame[:8])
    if magic != b"SF" or version != VERSION or found != kind:
        raise ValueError(f"expected a header of kind {kind!r}, got {frame[:8].hex(' ')}")
    return value


def parse_request(frames):
    head, request_id, address, name, body, *attachments = frames
    deadline = parse_header(head, b"Q")
    return Request(request_id, address.decode(), name.decode(), json.loads(body), attachments, deadline)


def parse_reply(frames):
    head, request_id, status, body, *attachments = frames
    parse_header(head, b"R")
    return Reply(request_id, status.decode(), json.loads(body), attachments)


def parse_event(frames):
    topic, head, name, body = frames[:4]
    parse_header(head, b"E")
    epoch, sequence = struct.unpack(">QQ", head[8:24])
    return Event(topic.decode(), epoch, sequence, name.decode(), json.loads(body))


def topic_of(address):
    return address + ";"


def position_of(position):
    """A position object as a tuple that compares: the epoch first."""
    return (position["epoch"], position["sequence"])


# Sessions: docs/protocol/02-session.md


def reachable(events_endpoint, requests_endpoint):
    """The events' endpoint with the host by which the server was reached, when its own host is a wildcard."""
    host, _, port = events_endpoint.rpartition(":")
    if host not in ("tcp://0.0.0.0", "tcp://[::]", "tcp://*"):
        return events_endpoint
    return requests_endpoint.rpartition(":")[0] + ":" + port


class Client:
    """A connection to a server node: says hello, asks, follows."""

    def __init__(self, requests_endpoint, token="", node="python", context=None):
        self.context = context or zmq.Context.instance()
        self.token = token
        self.node = node
        self.requests = self._socket(zmq.DEALER)
        self.requests.connect(requests_endpoint)
        self.requests_endpoint = requests_endpoint
        self.events = self._socket(zmq.SUB)
        self.events_endpoint = None
        self.incarnation = 0
        # Events that were read while waiting for others, in order.
        self._kept = []

    def _socket(self, kind):
        socket = self.context.socket(kind)
        socket.set_hwm(HIGH_WATER_MARK)
        socket.linger = 0
        # A server that was restarted is found again at once.
        socket.reconnect_ivl = 10
        socket.reconnect_ivl_max = 200
        return socket

    def close(self):
        self.requests.close()
        self.events.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def reconnect(self, requests_endpoint):
        """Goes to a server that was restarted at another endpoint."""
        self.requests.close()
        self.requests = self._socket(zmq.DEALER)
        self.requests.connect(requests_endpoint)
        self.requests_endpoint = requests_endpoint

    def hello(self, role="control", devices=()):
        """Introduces this connection, and connects the SUB socket to where the server says that its events are."""
        body = {"node": self.node, "role": role, "token": self.token, "devices": list(devices)}
        reply = self.ask_once("any/node/server", "hello", body)
        self.incarnation = reply.body["incarnation"]
        events_endpoint = reachable(reply.body["eventsEndpoint"], self.requests_endpoint)
        if events_endpoint != self.events_endpoint:
            if self.events_endpoint:
                self.events.disconnect(self.events_endpoint)
            self.events_endpoint = events_endpoint
            self.events.connect(self.events_endpoint)
            self.events.subscribe(HEARTBEAT_TOPIC)
        return reply.body

    # Asking

    def send(self, frames):
        self.requests.send_multipart(frames)

    def receive(self, timeout=10.0):
        """The next reply, whatever it answers."""
        if not self.requests.poll(max(0, timeout) * 1000):
            raise NoReply(f"no reply within {timeout} s")
        return parse_reply(self.requests.recv_multipart())

    def ask_once(self, address, name, body=None, attachments=(), request_id=None, timeout=10.0):
        """Sends a request and waits for its reply; replies to earlier requests are passed over."""
        request_id = request_id or uuid.uuid4().bytes
        self.send(request_frames(request_id, address, name, body or {}, attachments, int(timeout * 1000)))
        ends = time.monotonic() + timeout
        while True:
            reply = self.receive(ends - time.monotonic())
            if reply.id != request_id:
                continue
            if reply.status != "ok":
                raise WireError(reply.status, reply.body.get("message", ""), reply.body.get("refusal"))
            return reply

    def ask(self, address, name, body=None, attachments=(), request_id=None, timeout=30.0, patience=2.0):
        """Asks until there is an answer: always under the same id, so that it is done once."""
        request_id = request_id or uuid.uuid4().bytes
        ends = time.monotonic() + timeout
        while True:
            try:
                return self.ask_once(
                    address, name, body, attachments, request_id, min(patience, ends - time.monotonic())
                )
            except NoReply:
                if time.monotonic() >= ends:
                    raise
            except WireError as error:
                if not error.is_retriable or time.monotonic() >= ends:
                    raise
                if error.code == "helloFirst":
                    self.hello()

    # Events: docs/protocol/04-events-and-catch-up.md

    def subscribe(self, address, timeout=10.0):
        """Subscribes to an actor's topic and waits for the echo: from its position on nothing is missed."""
        topic = topic_of(address)
        ends = time.monotonic() + timeout
        while True:
            self.events.subscribe(topic)
            echo = self.next_event(topic, min(1.0, ends - time.monotonic()), lambda event: event.name == "subscribed")
            if echo:
                return echo
            if time.monotonic() >= ends:
                raise NoReply(f"the subscription to {topic} was not echoed within {timeout} s")
            self.events.unsubscribe(topic)

    def next_event(self, topic, timeout=10.0, wanted=lambda event: event.name != "subscribed"):
        """The next event of a topic that is wanted, None when there is none in time. Others are kept for later."""
        for place, event in enumerate(self._kept):
            if event.topic == topic and wanted(event):
                return self._kept.pop(place)
        ends = time.monotonic() + timeout
        while self.events.poll(max(0, ends - time.monotonic()) * 1000):
            event = parse_event(self.events.recv_multipart())
            if event.topic == topic and wanted(event):
                return event
            if event.topic != HEARTBEAT_TOPIC and event.name != "subscribed":
                self._kept.append(event)
        return None

    def follow(self, address):
        """Subscribes, catches up, and returns the account as it is, ready to follow."""
        self.subscribe(address)
        account = FollowedAccount(self, address)
        account.catch_up()
        return account


@dataclass
class FollowedAccount:
    """An account as its events tell of it: the fold of a snapshot and of what came after."""

    client: Client
    address: str
    position: tuple = (0, 0)
    records: dict = field(default_factory=dict)
    renewal_infos: dict = field(default_factory=dict)
    gaps: int = 0

    def catch_up(self):
        epoch, after = self.position
        reply = self.client.ask(self.address, "catchUp", {"epoch": epoch, "after": after}).body
        content = reply["content"]
        if content["kind"] == "snapshot":
            self.records.clear()
            self.renewal_infos.clear()
            snapshot = content["snapshot"]
            self._put(snapshot["records"], snapshot["renewalInfos"].values(), [])
        else:
            for update in content["events"]:
                self._apply(update)
        self.position = position_of(reply["position"])

    def next_update(self, timeout=10.0):
        """Waits for the next event of the account, applies it, and returns it; None after a gap was caught up with."""
        ends = time.monotonic() + timeout
        while True:
            event = self.client.next_event(topic_of(self.address), ends - time.monotonic())
            if event is None:
                raise NoReply(f"no event of {self.address} within {timeout} s")
            if event.position <= self.position:
                continue
            if event.position == (self.position[0], self.position[1] + 1):
                self._apply(event.body)
                self.position = event.position
                return event.body
            self.gaps += 1
            self.catch_up()
            return None

    def _apply(self, update):
        self._put(update["records"], update["renewalInfos"], update["finished"])

    def _put(self, records, renewal_infos, finished):
        for record in records:
            self._put_newer(self.records, record["transactionId"], record)
        for info in renewal_infos:
            self._put_newer(self.renewal_infos, info["originalTransactionId"], info)
        for transaction in finished:
            if transaction in self.records:
                self.records[transaction]["isFinished"] = True

    @staticmethod
    def _put_newer(table, key, value):
        known = table.get(key)
        if known is None or known["recordRevision"] < value["recordRevision"]:
            # Finishing is for ever, whatever an older reading of the record said.
            if known and known.get("isFinished"):
                value["isFinished"] = True
            table[key] = value
