"""A store that is driven from Python alone: the protocol's pages are enough, and peers can send anything."""

import base64
import hashlib
import json
import uuid

import pytest
import zmq
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from zmq.utils.monitor import recv_monitor_message

from conftest import World
from storefleet_wire import NoReply, WireError, header, parse_event, parse_request, reply_frames, request_frames

MONTHLY = "com.example.app.monthly"
MOST_BYTES_PER_FRAME = 64 << 20
MOST_FRAMES = 1_023


# Sessions


def test_a_request_before_the_hello_is_answered_with_hello_first_and_done_after_it(server):
    with server.connect() as client:
        request_id = uuid.uuid4().bytes
        with pytest.raises(WireError) as error:
            client.ask_once("w/node/server", "checkPositions", {"positions": []}, request_id=request_id)
        assert error.value.code == "helloFirst"
        assert error.value.is_retriable
        client.hello()
        assert client.ask_once("w/node/server", "checkPositions", {"positions": []}, request_id=request_id).body == {
            "stale": []
        }


def test_a_wrong_token_is_refused(server):
    with server.connect(token="guess") as client:
        with pytest.raises(WireError) as error:
            client.hello()
        assert error.value.code == "unauthorized"
        assert server.token not in error.value.message


def test_heartbeats_name_the_servers_incarnation_and_the_accounts_that_changed(world, client):
    alice = world.open("alice")
    position = world.buy("alice", "lifetime")["position"]

    def tells_of_it(event):
        return position in event.body["recent"]

    heartbeat = client.next_event("*;", wanted=tells_of_it)
    assert heartbeat.name == "heartbeat"
    assert heartbeat.body["incarnation"] == heartbeat.sequence == client.incarnation
    assert position["account"] == alice


def test_a_client_connection_buys_and_does_not_refund(server, world):
    world.open("alice")
    with server.connect() as phone:
        phone.hello(role="client")
        body = {"productId": "com.example.app.lifetime", "quantity": 1, "simulatesAskToBuy": False}
        assert phone.ask(world.account("alice"), "purchase", body).body["outcome"]["kind"] == "purchased"
        with pytest.raises(WireError) as error:
            phone.ask(world.account("alice"), "refund", {"productId": "com.example.app.lifetime", "reason": 0})
        assert error.value.code == "unauthorized"


# The store


def test_a_purchase_a_refund_and_renewals_reach_a_subscriber_in_order(world, client):
    user = str(uuid.uuid4())
    account = client.follow(world.open("alice"))
    assert account.position == (1, 1)
    assert account.records == {}

    bought = world.buy("alice", "monthly", token=user)
    assert bought["outcome"]["kind"] == "purchased"
    update = account.next_update()
    assert (update["name"], update["sequence"], account.position) == ("purchased", 2, (1, 2))
    trial = bought["outcome"]["transactionId"]
    assert account.records[trial]["offer"]["discountType"] == "FREE_TRIAL"
    assert account.records[trial]["expiresDate"] == World.START + 7 * World.DAY
    assert [entitlement["status"] for entitlement in world.entitlements(user)] == ["trial"]

    assert world.advance(days=8) == World.START + 8 * World.DAY
    update = account.next_update()
    assert (update["name"], update["at"]) == ("renewed", World.START + 7 * World.DAY)
    assert account.renewal_infos[trial]["latestTransactionId"] != trial
    assert [entitlement["status"] for entitlement in world.entitlements(user)] == ["active"]

    world.refund("alice", "monthly")
    update = account.next_update()
    assert update["name"] == "refunded"
    latest = account.renewal_infos[trial]["latestTransactionId"]
    assert account.records[latest]["revocation"]["reason"] == 1
    assert account.records[latest]["recordRevision"] == 2
    assert [entitlement["status"] for entitlement in world.entitlements(user)] == ["revoked"]
    assert account.gaps == 0

    # What was followed is what a newcomer finds.
    newcomer = client.follow(world.account("alice"))
    assert (newcomer.position, newcomer.records, newcomer.renewal_infos) == (
        account.position,
        account.records,
        account.renewal_infos,
    )


def test_an_event_names_the_request_that_caused_it(world, client):
    account = client.follow(world.open("alice"))
    request_id = uuid.uuid4()
    world.buy("alice", "coins", request_id=request_id.bytes)
    assert uuid.UUID(account.next_update()["cause"]["request"]) == request_id


def test_finished_transactions_are_finished_for_everybody(world, client):
    account = client.follow(world.open("alice"))
    coins = world.buy("alice", "coins")["outcome"]["transactionId"]
    world.ask("account", "alice", "finish", {"transactionIds": [coins, "99"], "device": "python"})
    account.next_update()
    assert account.next_update()["finished"] == [coins]
    assert account.records[coins]["isFinished"]
    assert client.follow(world.account("alice")).records[coins]["isFinished"]


def test_owned_things_come_back_and_ask_to_buy_waits_for_its_answer(world):
    world.open("alice")
    world.open("kid", asks_to_buy=True)
    owned = world.buy("alice", "lifetime")["outcome"]["transactionId"]
    assert world.buy("alice", "lifetime")["outcome"] == {"kind": "existing", "transactionId": owned}
    pending = world.buy("kid", "lifetime")["outcome"]
    assert pending["kind"] == "pending"
    world.ask("account", "kid", "answerAskToBuy", {"approve": True, "askToBuy": pending["askToBuy"]})
    journal = world.ask("account", "kid", "readJournal", {"after": 1, "limit": 10})["events"]
    assert [event["name"] for event in journal] == ["askedToBuy", "purchased"]


def test_the_store_says_no_with_a_reason(world):
    world.open("alice")
    with pytest.raises(WireError) as error:
        world.buy("alice", "typo")
    assert (error.value.code, error.value.refusal) == ("refused", "productUnavailable")
    with pytest.raises(WireError) as error:
        world.buy("nobody", "lifetime")
    assert error.value.code == "unknownAddress"
    with pytest.raises(WireError) as error:
        world.ask("account", "alice", "setAutoRenew", {"productId": MONTHLY})
    assert error.value.code == "badBody"
    assert "'on'" in error.value.message


def test_a_users_topic_tells_of_each_entitlement(world, client):
    user = str(uuid.uuid4())
    world.open("alice")
    echo = client.subscribe(world.address("user", user))
    assert echo.sequence == 0
    world.buy("alice", "lifetime", token=user)
    event = client.next_event(f"{world.name}/user/{user};")
    assert (event.name, event.sequence) == ("entitlementChanged", 1)
    assert event.body == {"entitlement": world.entitlements(user)[0], "removed": False}


def test_the_worlds_topic_tells_that_the_clock_was_moved(world, client):
    client.subscribe(world.address("world", world.name))
    now = world.advance(days=3)
    # As the jump begins, and when everything on the way has happened.
    begins = client.next_event(f"{world.name}/world/{world.name};")
    assert (begins.name, begins.body) == ("clockMoves", {"to": now})
    ends = client.next_event(f"{world.name}/world/{world.name};")
    assert (ends.name, ends.body) == ("clockMoved", {"now": now})


def test_a_clock_that_is_moved_twice_under_one_id_is_moved_once(world):
    request_id = uuid.uuid4().bytes
    target = {"target": {"kind": "by", "milliseconds": World.DAY}}
    first = world.ask("world", world.name, "advanceClock", target, request_id=request_id)
    assert world.ask("world", world.name, "advanceClock", target, request_id=request_id) == first
    assert world.ask("world", world.name, "describeWorld")["now"] == first["now"] == World.START + World.DAY


def test_a_family_shares_what_one_of_it_buys(world, client):
    for name in ("mum", "kid"):
        world.open(name)
    world.ask("family", "smith", "createFamily", {"organizer": "mum"})
    world.ask("family", "smith", "joinFamily", {"account": "kid"})
    kid = client.follow(world.account("kid"))
    world.buy("mum", "lifetime")
    update = kid.next_update()
    assert update["name"] == "granted"
    assert update["records"][0]["inAppOwnershipType"] == "FAMILY_SHARED"


# Catching up


def test_a_gap_is_noticed_and_caught_up_with(world, client):
    account = client.follow(world.open("alice"))
    client.events.unsubscribe(f"{account.address};")
    # The echo of a later subscription says that the end of the earlier one has arrived.
    client.subscribe(world.account("bob"))
    lost = [world.buy("alice", "coins")["outcome"]["transactionId"] for _ in range(3)]
    client.subscribe(account.address)
    last = world.buy("alice", "coins")
    assert account.next_update() is None
    assert account.gaps == 1
    assert set(account.records) == {*lost, last["outcome"]["transactionId"]}
    assert account.position == (1, last["position"]["sequence"])


def test_catch_up_gives_events_to_the_near_and_a_snapshot_to_the_far(world, client):
    alice = world.open("alice")
    for _ in range(65):
        world.buy("alice", "coins")

    def catch_up(epoch, after):
        reply = client.ask(alice, "catchUp", {"epoch": epoch, "after": after}).body
        assert reply["position"] == {"account": alice, "epoch": 1, "sequence": 66}
        return reply["content"]

    near = catch_up(1, 2)
    assert near["kind"] == "events"
    assert [event["sequence"] for event in near["events"]] == list(range(3, 67))
    assert catch_up(1, 66) == {"kind": "events", "events": []}
    for epoch, after in [(1, 1), (1, 0), (1, 67), (0, 0), (7, 66)]:
        far = catch_up(epoch, after)
        assert far["kind"] == "snapshot"
        assert len(far["snapshot"]["records"]) == 65


def test_positions_are_compared_in_one_batch(world, client):
    world.open("alice")
    right = world.buy("alice", "lifetime")["position"]
    wrong = {**right, "sequence": 1}
    assert client.ask("any/node/server", "checkPositions", {"positions": [right]}).body == {"stale": []}
    assert client.ask("any/node/server", "checkPositions", {"positions": [wrong]}).body == {"stale": [right]}


# Signed copies


def verifier(world):
    root = base64.b64decode(world.description["rootCertificate"])
    return SignedDataVerifier([root], False, Environment.SANDBOX, World.BUNDLE)


def test_apples_library_believes_signed_copies(world, client):
    alice = world.open("alice")
    user = str(uuid.uuid4())
    transaction = world.buy("alice", "monthly", token=user)["outcome"]["transactionId"]
    copies = [
        {"subject": {"kind": "transaction", "transactionId": transaction}},
        {"subject": {"kind": "renewalInfo", "originalTransactionId": transaction}},
        {"subject": {"kind": "transaction", "transactionId": "99"}},
    ]
    reply = client.ask(alice, "getSignedCopies", {"copies": copies})
    assert reply.body == {"revisions": [1, 1, None]}
    signed_transaction, signed_info, nothing = (attachment.decode() for attachment in reply.attachments)
    assert nothing == ""
    payload = verifier(world).verify_and_decode_signed_transaction(signed_transaction)
    assert (payload.transactionId, payload.productId, payload.appAccountToken) == (transaction, MONTHLY, user)
    info = verifier(world).verify_and_decode_renewal_info(signed_info)
    assert (info.originalTransactionId, info.autoRenewProductId) == (transaction, MONTHLY)


def test_apples_library_refuses_another_worlds_and_a_foreign_signature(world, client):
    alice = world.open("alice")
    transaction = world.buy("alice", "lifetime")["outcome"]["transactionId"]
    copies = [{"subject": {"kind": "transaction", "transactionId": transaction}}]
    good = client.ask(alice, "getSignedCopies", {"copies": copies}).attachments[0].decode()
    foreign = client.ask(alice, "getSignedCopies", {"copies": copies, "fault": "foreignRoot"}).attachments[0].decode()
    verifier(world).verify_and_decode_signed_transaction(good)
    with pytest.raises(VerificationException):
        verifier(world).verify_and_decode_signed_transaction(foreign)
    with pytest.raises(VerificationException):
        verifier(World(client)).verify_and_decode_signed_transaction(good)


def test_a_copy_for_a_device_is_bound_to_it(world, client):
    alice = world.open("alice")
    transaction = world.buy("alice", "lifetime")["outcome"]["transactionId"]
    phone = str(uuid.uuid4())
    copies = [{"subject": {"kind": "transaction", "transactionId": transaction}, "deviceVerificationId": phone}]
    signed = client.ask(alice, "getSignedCopies", {"copies": copies}).attachments[0]
    payload = json.loads(base64.urlsafe_b64decode(signed.split(b".")[1] + b"=="))
    digest = hashlib.sha384((payload["deviceVerificationNonce"] + phone).encode()).digest()
    assert base64.b64decode(payload["deviceVerification"]) == digest


def test_a_claim_binds_a_purchase_without_a_token_to_a_user(world, client):
    alice = world.open("alice")
    user = str(uuid.uuid4())
    transaction = world.buy("alice", "lifetime")["outcome"]["transactionId"]
    copies = [{"subject": {"kind": "transaction", "transactionId": transaction}}]
    signed = client.ask(alice, "getSignedCopies", {"copies": copies}).attachments[0]
    assert world.entitlements(user) == []
    client.ask(alice, "claim", {"appAccountToken": user, "device": "phone"}, attachments=[signed])
    world.ask("world", world.name, "settle")
    assert [entitlement["productId"] for entitlement in world.entitlements(user)] == ["com.example.app.lifetime"]
    with pytest.raises(WireError) as error:
        client.ask(alice, "claim", {"appAccountToken": user, "device": "phone"}, attachments=[signed[:-4] + b"AAAA"])
    assert error.value.refusal == "unverified"


# A client node in Python


def test_a_client_node_in_python_answers_for_its_device(server, world, client):
    world.open("alice")
    phone = world.address("device", "phone")
    report = {"device": "phone", "account": "alice", "incarnation": 1, "online": True, "epoch": 1, "sequence": 1}
    report |= {"unfinished": [], "updates": []}
    with server.connect() as node:
        node.hello(role="client", devices=[{"world": world.name, "device": "phone", "account": "alice"}])
        client.subscribe(phone)
        node.ask("any/node/server", "reportDevices", {"world": world.name, "reports": [report]})
        assert client.next_event(f"{phone};").body == report

        request_id = uuid.uuid4().bytes
        client.send(request_frames(request_id, phone, "setOnline", {"online": False}))
        request = parse_request(node.requests.recv_multipart())
        assert (request.address, request.name, request.body) == (phone, "setOnline", {"online": False})
        assert request.id == request_id
        node.send(reply_frames(request.id, report | {"online": False}))
        assert client.receive().body["online"] is False

        # What it answered counts as its report: it is online again. Settled only when it says that it has what its
        # account has.
        node.ask("any/node/server", "reportDevices", {"world": world.name, "reports": [report]})
        world.buy("alice", "lifetime")
        settle = uuid.uuid4().bytes
        client.send(request_frames(settle, world.address("world", world.name), "settle", {}))
        with pytest.raises(NoReply):
            client.receive(timeout=0.2)
        node.ask("any/node/server", "reportDevices", {"world": world.name, "reports": [report | {"sequence": 2}]})
        assert client.receive().id == settle


def test_an_answer_is_taken_from_the_client_node_that_was_asked(server, world, client):
    phone = world.address("device", "phone")
    devices = [{"world": world.name, "device": "phone", "account": "alice"}]
    with server.connect() as asked, server.connect() as other:
        asked.hello(role="client", devices=devices)
        request_id = uuid.uuid4().bytes
        client.send(request_frames(request_id, phone, "inspect", {}))
        assert parse_request(asked.requests.recv_multipart()).id == request_id
        other.node = "other"
        other.hello(role="client")
        other.send(reply_frames(request_id, {"from": "other"}))
        other.ask("any/node/server", "checkPositions", {"positions": []})
        asked.send(reply_frames(request_id, {"from": "asked"}))
        assert client.receive().body == {"from": "asked"}


def test_a_device_that_nobody_has_is_unknown(world):
    with pytest.raises(WireError) as error:
        world.ask("device", "phone", "inspect")
    assert error.value.code == "unknownAddress"


# Junk

GOOD_ID = bytes(range(16))
GOOD = request_frames(GOOD_ID, "w/node/server", "checkPositions", {"positions": []})


def with_frame(index, frame):
    return [*GOOD[:index], frame, *GOOD[index + 1 :]]


JUNK = {
    "one empty frame": ([b""], "badFrame"),
    "an empty delimiter, as REQ sends": ([b"", *GOOD], "badFrame"),
    "another protocol": ([b"GET / HTTP/1.1\r\n\r\n"], "badFrame"),
    "a header alone": (GOOD[:1], "badFrame"),
    "no body": (GOOD[:4], "badFrame"),
    "a truncated header": (with_frame(0, GOOD[0][:7]), "badFrame"),
    "the wrong magic": (with_frame(0, b"sf" + GOOD[0][2:]), "badFrame"),
    "another version": (with_frame(0, header(b"Q", 1_000, version=2)), "unsupportedVersion"),
    "an event": (with_frame(0, header(b"E")), "badFrame"),
    "a short id": (with_frame(1, b"1234"), "badFrame"),
    "an address without a key": (with_frame(2, b"w/node"), "badFrame"),
    "an address that is not UTF-8": (with_frame(2, b"w/node/\xff\xfe"), "badFrame"),
    "a name that is not UTF-8": (with_frame(3, b"check\xc3\x28"), "badFrame"),
    "an unknown name": (with_frame(3, b"abracadabra"), "unknownName"),
    "a name of a million letters": (with_frame(3, b"a" * 1_000_000), "unknownName"),
    "an unknown kind": (with_frame(2, b"w/teapot/server"), "unknownAddress"),
    "a world that was not created": (
        request_frames(GOOD_ID, "nowhere/account/alice", "catchUp", {"epoch": 1, "after": 0}),
        "unknownAddress",
    ),
    "a body that is no JSON": (with_frame(4, b"{"), "badBody"),
    "a body that is not UTF-8": (with_frame(4, b'{"positions":["\xff"]}'), "badBody"),
    "a body of another type": (with_frame(4, b"[]"), "badBody"),
    "a body of brackets": (with_frame(4, b"[" * 100_000), "badBody"),
    "a number that is too large": (
        with_frame(4, b'{"positions":[{"account":"w/account/a","epoch":1e99,"sequence":1}]}'),
        "badBody",
    ),
}


@pytest.mark.parametrize("what", JUNK)
def test_junk_is_answered_with_an_error(client, what):
    frames, code = JUNK[what]
    client.send(frames)
    reply = client.receive()
    assert reply.status == reply.body["code"] == code
    assert 0 < len(reply.body["message"]) < 1_000
    # The connection and the server are as good as before.
    assert client.ask("any/node/server", "checkPositions", {"positions": []}).body == {"stale": []}


def test_a_reply_that_nobody_waits_for_is_passed_over(client):
    client.send(reply_frames(uuid.uuid4().bytes, {}))
    assert client.ask("any/node/server", "checkPositions", {"positions": []}).body == {"stale": []}


def test_more_frames_than_allowed_are_dropped_and_the_connection_lives(client):
    client.send(GOOD + [b""] * (MOST_FRAMES - len(GOOD)))
    assert client.receive().status == "ok"
    client.send(GOOD + [b""] * (MOST_FRAMES - len(GOOD) + 1))
    assert client.ask("any/node/server", "checkPositions", {"positions": []}).body == {"stale": []}


def test_a_frame_beyond_the_limit_costs_the_connection_and_nothing_else(server, client):
    with server.connect() as glutton:
        glutton.hello()
        monitor = glutton.requests.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        glutton.requests.send_multipart(with_frame(4, bytes(MOST_BYTES_PER_FRAME + 1)), copy=False)
        assert monitor.poll(30_000), "the connection was not dropped"
        assert recv_monitor_message(monitor)["event"] == zmq.EVENT_DISCONNECTED
        glutton.requests.disable_monitor()
        # The socket connects again by itself, and has to introduce itself again.
        assert glutton.ask("any/node/server", "checkPositions", {"positions": []}).body == {"stale": []}
    assert client.ask("any/node/server", "checkPositions", {"positions": []}).body == {"stale": []}


def test_subscriptions_to_anything_do_no_harm(server, client):
    with zmq.Context.instance().socket(zmq.SUB) as sub:
        sub.connect(server.endpoints["events"])
        for topic in (b"\xff\xfe;", b";", b"no/such;", b"w/teapot/x;", b"x" * 1_000, b"w/account/\x00;", b"*;"):
            sub.subscribe(topic)
        assert sub.poll(30_000)
        assert parse_event(sub.recv_multipart()).name in ("heartbeat", "subscribed")
    assert client.ask("any/node/server", "checkPositions", {"positions": []}).body == {"stale": []}


def test_a_subscription_beyond_the_limit_costs_the_connection(server, client):
    with zmq.Context.instance().socket(zmq.SUB) as sub:
        sub.reconnect_ivl = -1
        monitor = sub.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        sub.connect(server.endpoints["events"])
        sub.subscribe(b"x" * 2_000)
        assert monitor.poll(30_000), "the connection was not dropped"
        sub.disable_monitor()
    assert client.next_event("*;", wanted=lambda event: True)


# Crashes


def test_a_retry_gets_the_same_reply_and_buys_nothing_more(world):
    world.open("alice")
    request_id = uuid.uuid4().bytes
    first = world.buy("alice", "coins", request_id=request_id)
    assert world.buy("alice", "coins", request_id=request_id) == first
    assert world.buy("alice", "coins") != first


def test_what_was_acknowledged_survives_a_kill_and_a_retry_gets_the_same_reply(mortal_server):
    with mortal_server.connect() as client:
        incarnation = client.hello()["incarnation"]
        world = World(client)
        account = client.follow(world.open("alice"))
        ids = [uuid.uuid4().bytes for _ in range(3)]
        replies = []
        for request_id in ids:
            replies.append(world.buy("alice", "coins", request_id=request_id))
            mortal_server.kill()
            mortal_server.start()
        assert [world.buy("alice", "coins", request_id=request_id) for request_id in ids] == replies
        # The connection was made anew, so the hello was said again on the way.
        assert client.incarnation == incarnation + 3
        client.subscribe(account.address)
        account.catch_up()
        assert set(account.records) == {reply["outcome"]["transactionId"] for reply in replies}
        assert account.position == (1, 4)
        # And the store goes on from there, on the same clock and with the same certificates.
        world.buy("alice", "lifetime")
        assert account.next_update()["sequence"] == 5
        description = world.ask("world", world.name, "describeWorld")
        assert description == world.description


def test_a_request_that_a_kill_cut_short_is_done_once(mortal_server):
    with mortal_server.connect() as client:
        client.hello()
        world = World(client)
        alice = world.open("alice")
        body = {"productId": "com.example.app.coins", "quantity": 1, "simulatesAskToBuy": False}
        ids = [uuid.uuid4().bytes for _ in range(200)]
        for request_id in ids:
            client.send(request_frames(request_id, alice, "purchase", body))
        # Some are done and answered, some are done, some are on their way.
        client.receive()
        mortal_server.kill()
        mortal_server.start()
        transactions = {
            client.ask(alice, "purchase", body, request_id=request_id).body["outcome"]["transactionId"]
            for request_id in ids
        }
        snapshot = client.ask(alice, "catchUp", {"epoch": 0, "after": 0}).body["content"]["snapshot"]
        assert {record["transactionId"] for record in snapshot["records"]} == transactions
        assert len(snapshot["records"]) == len(transactions) == len(ids)
