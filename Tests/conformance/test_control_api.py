"""The control API of a real fleet: through the plugin that users copy, and through tools that know nothing of us."""

import json
import re
import subprocess
import sys
import uuid
from pathlib import Path

import jsonschema
import pytest
from prometheus_client.parser import text_string_to_metric_families

from conftest import EXECUTABLE, REPOSITORY
from storefleet_fixtures import Fleet, StorefleetError, World

LIFETIME = "com.example.app.lifetime"
COINS = "com.example.app.coins"


@pytest.fixture(scope="module")
def fleet():
    fleet = Fleet(executable=EXECUTABLE)
    yield fleet
    fleet.stop()


@pytest.fixture
def fresh(fleet):
    """A world of its own on the module's fleet, with one account."""
    world = World(fleet.api, f"w-{uuid.uuid4()}")
    world.createWorld(
        catalog=(REPOSITORY / "Fixtures/Demo.storekit").read_text(),
        bundleId="com.example.app",
        environment="Sandbox",
        clock={"kind": "manual", "startsAt": 1_767_225_600_000},
        timeRate="realTime",
    )
    world.openAccount(account="alice", asksToBuy=False)
    return world


@pytest.fixture(scope="module")
def description(fleet):
    status, headers, body = fleet.api.call("GET", "/openapi.json", headers={"Authorization": ""})
    assert (status, headers["Content-Type"]) == (200, "application/json")
    return json.loads(body)


# The plugin


def test_a_refund_reaches_the_other_phone(fleet):
    phone, pad = fleet.devices
    account = fleet.account("account-1")
    with fleet.events() as events:
        assert fleet.device(phone).buy(LIFETIME) == "completed"
        events.wait_for("report", on=pad, where=lambda report: report["screen"]["access"] == "unlocked")
        account.refund(productId=LIFETIME, reason=1)
        events.wait_for("report", on=pad, where=lambda report: report["screen"]["access"] == "locked")
    assert fleet.device(pad).get()["screen"]["access"] == "locked"
    assert account.transactions()[0]["revocation"]["type"] == "REFUND_FULL"


def test_a_user_may_use_what_was_bought_with_the_token(fresh):
    user = uuid.uuid4()
    fresh.account("alice").purchase("com.example.app.yearly", appAccountToken=str(user))
    entitlements = fresh.user(user).get("entitlements")["entitlements"]
    assert [entry["productId"] for entry in entitlements] == ["com.example.app.yearly"]
    fresh.account("alice").setAutoRenew(productId="com.example.app.yearly", on=False)
    fresh.advance(days=400)
    assert fresh.user(user).get("entitlements")["entitlements"][0]["status"] == "expired"


def test_families_share_over_http(fresh):
    fresh.openAccount(account="bob", asksToBuy=False)
    fresh.family("smith").createFamily(organizer="alice")
    fresh.family("smith").joinFamily(account="bob")
    fresh.account("alice").purchase(LIFETIME)
    fresh.settle()
    assert [record["inAppOwnershipType"] for record in fresh.account("bob").transactions()] == ["FAMILY_SHARED"]
    assert fresh.family("smith").get()["members"] == ["alice", "bob"]


# Events


def test_a_stream_goes_on_where_it_ended(fresh):
    with fresh.events() as events:
        fresh.account("alice").purchase(COINS)
        first = events.wait_for("purchased", on="alice")
    fresh.account("alice").purchase(COINS)
    fresh.account("alice").purchase(COINS)
    with fresh.events(events.last_event_id) as again:
        sequences = [again.next().body["sequence"] for _ in range(2)]
    assert sequences == [first.body["sequence"] + 1, first.body["sequence"] + 2]


def test_whoever_cannot_go_on_is_told_to_ask_again(fresh):
    for last in ["deadbeef-7", "nonsense"]:
        with fresh.events(last) as events:
            assert events.next().name == "reset"
            fresh.account("alice").purchase(COINS)
            events.wait_for("purchased", on="alice")


def test_a_reader_that_pauses_misses_nothing(fresh):
    with fresh.events() as events:
        fresh.account("alice").purchase("com.example.app.monthly")
        now = fresh.advance(days=400)
        renewals = 0
        while (event := events.next()).name != "clockMoved":
            renewals += event.name == "renewed"
    assert event.body["now"] == now
    assert renewals == 13


def test_events_of_nobody_are_not_followed(fleet):
    with pytest.raises(StorefleetError) as error:
        with World(fleet.api, "none").events():
            pass
    assert (error.value.status, error.value.code) == (404, "unknownAddress")


# Errors


def error_of(fleet, method, path, body=None, headers=()):
    status, _, data = fleet.api.call(method, path, body, headers)
    return status, (json.loads(data).get("code") if data else None)


def test_what_cannot_be_done_is_said_with_its_code(fleet, fresh):
    alice = f"/control/v1{fresh.path}/accounts/alice"
    key = {"Idempotency-Key": "one"}
    assert error_of(fleet, "POST", f"{alice}/purchase", "{") == (400, "badBody")
    assert error_of(fleet, "POST", f"{alice}/purchase", b"\xff\xfe") == (400, "badBody")
    assert error_of(fleet, "POST", f"{alice}/purchase", {}) == (400, "badBody")
    assert error_of(fleet, "POST", f"{alice}/finish", {}, key) == (400, "badBody")
    assert error_of(fleet, "GET", f"{alice}/journal?limit=-1") == (400, "badBody")
    assert error_of(fleet, "POST", f"{alice}/finish", "a=1", {"Content-Type": "text/plain"}) == (
        415,
        "unsupportedMediaType",
    )
    assert error_of(fleet, "POST", f"{alice}/fly", {}) == (404, "unknownName")
    assert error_of(fleet, "GET", "/control/v1/worlds/none") == (404, "unknownAddress")
    assert error_of(fleet, "POST", f"/control/v1{fresh.path}/devices/none/launch", {}) == (404, "unknownAddress")
    assert error_of(fleet, "GET", "/control/v1/worlds", headers={"Authorization": "Bearer no"}) == (401, "unauthorized")
    assert error_of(fleet, "PUT", alice + "/purchase", {}) == (405, None)
    assert error_of(fleet, "POST", f"{alice}/purchase", b"{" + b" " * (1 << 20) + b"}") == (413, None)
    with pytest.raises(StorefleetError) as error:
        fresh.account("alice").purchase("nothing")
    assert (error.value.status, error.value.refusal) == (409, "productUnavailable")


def test_a_repeated_request_is_done_once_and_another_needs_another_key(fresh):
    key = uuid.uuid4()
    ids = {fresh.account("alice").purchase(COINS, key=key) for _ in range(3)}
    assert len(ids) == 1
    assert len(fresh.account("alice").transactions()) == 1
    with pytest.raises(StorefleetError) as error:
        fresh.account("alice").purchase(LIFETIME, key=key)
    assert (error.value.status, error.value.code) == (422, "keyReused")


# The description


def examples(kind):
    """The protocol's examples of a kind: its document is held to the code by the tests of the wire."""
    text = (REPOSITORY / "docs/protocol/03-messages.md").read_text()
    for name, body in re.findall(rf"```json (\w+)(?:\.\w+)*\.{kind}\n(.*?)```", text, re.DOTALL):
        yield name, json.loads(body)


def operations(description):
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            if method == "post":
                yield path.rpartition("/")[2], operation


def validates(instance, schema, description):
    return jsonschema.Draft202012Validator({**schema, "components": description["components"]}).is_valid(instance)


def test_every_example_of_the_protocol_fits_its_schema(description):
    requests, replies = {}, {}
    for name, operation in operations(description):
        requests.setdefault(name, []).append(operation["requestBody"]["content"]["application/json"]["schema"])
        replies.setdefault(name, []).append(operation["responses"]["200"]["content"]["application/json"]["schema"])
    seen = 0
    for kind, schemas in [("request", requests), ("reply", replies)]:
        for name, example in examples(kind):
            # Between nodes alone.
            if name in ("hello", "checkPositions", "reportDevices", "habitsChanged"):
                continue
            assert any(validates(example, schema, description) for schema in schemas[name]), f"{name}.{kind}: {example}"
            seen += 1
    assert seen > 100


def test_a_body_of_another_request_does_not_fit(description):
    schemas = {name: operation["requestBody"]["content"]["application/json"]["schema"] for name, operation in operations(description)}
    assert not validates({}, schemas["purchase"], description)
    assert not validates({"target": {"kind": "by"}}, schemas["advanceClock"], description)
    assert not validates({"gate": "door", "held": True}, schemas["hold"], description)


def test_schemathesis_finds_nothing(tmp_path):
    fleet = Fleet(executable=EXECUTABLE)
    try:
        fleet.account("account-1").purchase("com.example.app.yearly")
        config = tmp_path / "schemathesis.toml"
        # A device whose app is killed or offline makes some requests wait in vain, which is no mistake.
        config.write_text(
            f"""
            seed = 20260101
            request-timeout = 30.0
            [parameters]
            "path.world" = "{fleet.name}"
            "path.account" = "account-1"
            "path.device" = "{fleet.devices[0]}"
            "path.family" = "smith"
            "path.node" = "client-1"
            "path.user" = "{uuid.uuid4()}"
            "query.timeout" = 1
            [checks.not_a_server_error]
            expected-statuses = ["2xx", "4xx", "503", "504"]
            """
        )
        checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
        ran = subprocess.run(
            [Path(sys.executable).parent / "st", "--config-file", config, "--no-color"]
            + ["run", f"{fleet.api.base_url}/openapi.json", "--header", f"Authorization: Bearer {fleet.api.token}"]
            # A held gate holds up what comes after it, and a stream has no end.
            + ["--checks", checks, "--exclude-path-regex", "/(events|hold|startLoad)$"]
            + ["--phases", "coverage,fuzzing", "--max-examples", "3", "--generation-database", "none"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert ran.returncode == 0, ran.stdout[-20_000:] + ran.stderr[-5_000:]
        # And the fleet is well.
        assert fleet.api.call("GET", "/readyz")[0] == 200
        assert fleet.get("devices")["devices"]
    finally:
        fleet.stop()


# Metrics


def samples(fleet):
    status, headers, body = fleet.api.call("GET", "/metrics", headers={"Authorization": ""})
    assert status == 200
    assert headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    families = list(text_string_to_metric_families(body.decode()))
    assert len({family.name for family in families}) == len(families)
    for family in families:
        assert family.documentation and family.type in ("counter", "gauge", "histogram"), family
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def value(samples, name, **labels):
    return samples.get((name, tuple(sorted(labels.items()))), 0)


def test_metrics_count_what_happened(fleet, fresh):
    before = samples(fleet)
    fresh.account("alice").purchase(COINS)
    with pytest.raises(StorefleetError):
        fresh.account("alice").purchase("nothing")
    after = samples(fleet)

    def grew(name, **labels):
        return value(after, name, **labels) - value(before, name, **labels)

    assert grew("storefleet_requests_total", request="purchase", outcome="ok") == 1
    assert grew("storefleet_requests_total", request="purchase", outcome="refused") == 1
    assert grew("storefleet_purchases_total") == 1
    assert grew("storefleet_events_committed_total", kind="account", event="purchased") == 1
    assert grew("storefleet_request_duration_seconds_count", request="purchase") == 2
    assert grew("storefleet_request_duration_seconds_bucket", request="purchase", le="+Inf") == 2
    assert grew("storefleet_journal_commits_total") >= 1
    assert grew("storefleet_journal_commit_duration_seconds_count") == grew("storefleet_journal_commits_total")
    assert grew("storefleet_journal_written_bytes_total") > 100
    assert value(after, "storefleet_queue_depth", queue="mailboxes") == 0
    assert value(after, "storefleet_devices") == 2
    assert value(after, "storefleet_listening_devices") == 2
    assert value(after, "process_resident_memory_bytes") > 1 << 20


def test_buckets_never_shrink(fleet):
    buckets = {}
    for (name, labels), count in samples(fleet).items():
        if name.endswith("_bucket"):
            rest = tuple(label for label in labels if label[0] != "le")
            bound = float(dict(labels)["le"].replace("+Inf", "inf"))
            buckets.setdefault((name, rest), []).append((bound, count))
    assert buckets
    for rows in buckets.values():
        counts = [count for _, count in sorted(rows)]
        assert counts == sorted(counts)


def test_health_and_readiness_need_no_token(fleet):
    for path in ["/healthz", "/readyz"]:
        assert fleet.api.call("GET", path, headers={"Authorization": ""})[0] == 200
