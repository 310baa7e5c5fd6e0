"""Apple's App Store Server Library calls a world's App Store Server API, every endpoint, and verifies what it signed."""

import base64
import json
import re
import tempfile
import time
import uuid

import jwt
import pytest
import requests
from appstoreserverlibrary.api_client import APIError, APIException, GetTransactionHistoryVersion
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest
from appstoreserverlibrary.models.Type import Type
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.signed_data_verifier import VerificationException, VerificationStatus
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from apple import Backend, header_of, order_id, payload_of, refused
from conftest import Server, World
from receiver import Receiver

TOKEN = "7e3fb204-942c-4a8e-9c0e-3d851e9b6f10"


@pytest.fixture
def backend(world):
    world.open("alice")
    return Backend(world)


def history(client, any_id, request=None, revision=None, between=None):
    """Follows `hasMore`: the signed transactions as they came, and the last revision."""
    signed, pages = [], 0
    while True:
        page = client.get_transaction_history(
            any_id, revision, request or TransactionHistoryRequest(), GetTransactionHistoryVersion.V2
        )
        assert len(page.signedTransactions) <= 20
        signed += page.signedTransactions
        revision = page.revision
        pages += 1
        if not page.hasMore:
            return signed, revision, pages
        if between:
            between(pages)


# Every signed thing, and every endpoint


def test_transactions_are_found_and_verified_with_online_checks(world, backend):
    bought = world.bought("alice", "lifetime", token=TOKEN)
    signed = backend.client().get_transaction_info(bought).signedTransactionInfo
    transaction = backend.verified(signed)
    assert transaction.transactionId == bought
    assert transaction.productId == "com.example.app.lifetime"
    assert transaction.type == Type.NON_CONSUMABLE
    assert transaction.appAccountToken == TOKEN
    assert transaction.environment == Environment.SANDBOX
    assert transaction.inAppOwnershipType == InAppOwnershipType.PURCHASED
    assert transaction.price == 49_990 and transaction.currency == "USD" and transaction.storefront == "USA"


def test_the_envelope_is_apples(world, backend):
    signed = backend.client().get_transaction_info(world.bought("alice", "coins")).signedTransactionInfo
    header = header_of(signed)
    assert header["alg"] == "ES256" and len(header["x5c"]) == 3 and "kid" not in header
    assert all(isinstance(payload_of(signed)[key], int) for key in ("purchaseDate", "signedDate", "price"))


def test_statuses_carry_renewal_info_of_every_group(world, backend):
    world.bought("alice", "cloud.weekly")
    monthly = world.bought("alice", "monthly")
    response = backend.client().get_all_subscription_statuses(monthly)
    assert response.bundleId == world.BUNDLE and response.environment == Environment.SANDBOX
    assert response.appAppleId is None
    assert {group.subscriptionGroupIdentifier for group in response.data} == {"5E1F00D1", "5E1F00D2"}
    for group in response.data:
        (last,) = group.lastTransactions
        assert last.status == Status.ACTIVE
        renewal = backend.verifier.verify_and_decode_renewal_info(last.signedRenewalInfo)
        transaction = backend.verified(last.signedTransactionInfo)
        assert renewal.originalTransactionId == last.originalTransactionId == transaction.originalTransactionId
        assert renewal.autoRenewStatus == AutoRenewStatus.ON
        assert renewal.renewalDate == transaction.expiresDate
    assert backend.client().get_all_subscription_statuses(monthly, [Status.EXPIRED]).data == []


def test_the_app_transaction_is_verified(world, backend):
    bought = world.bought("alice", "coins")
    signed = backend.client().get_app_transaction_info(bought).signedAppTransactionInfo
    app = backend.verifier.verify_and_decode_app_transaction(signed)
    assert app.receiptType == Environment.SANDBOX and app.bundleId == world.BUNDLE
    again = backend.client().get_app_transaction_info(app.appTransactionId)
    assert backend.verifier.verify_and_decode_app_transaction(again.signedAppTransactionInfo)
    assert backend.verified(backend.client().get_transaction_info(bought).signedTransactionInfo).appTransactionId == (
        app.appTransactionId
    )


def test_refunds_are_looked_up(world, backend):
    coins, lifetime = world.bought("alice", "coins"), world.bought("alice", "lifetime")
    assert backend.client().get_refund_history(coins, None).signedTransactions == []
    world.refund("alice", "coins")
    response = backend.client().get_refund_history(lifetime, None)
    (refunded,) = [backend.verified(signed) for signed in response.signedTransactions]
    assert refunded.transactionId == coins and refunded.revocationDate == world.START
    assert response.hasMore is False
    assert backend.client().get_refund_history(lifetime, response.revision).signedTransactions == []


def test_finishing_takes_a_transaction_off_the_list(world, backend):
    coins = world.bought("alice", "coins")
    versions = [GetTransactionHistoryVersion.V1, GetTransactionHistoryVersion.V2]
    client = backend.client()

    def found():
        pages = [client.get_transaction_history(coins, None, TransactionHistoryRequest(), each) for each in versions]
        return [len(page.signedTransactions) for page in pages]

    assert found() == [1, 1]
    client.finish_transaction(coins)
    client.finish_transaction(coins)
    assert found() == [0, 1]


def test_tokens_are_set_afterwards(world, backend):
    yearly = world.bought("alice", "yearly")
    request = UpdateAppAccountTokenRequest(appAccountToken=TOKEN)
    backend.client().set_app_account_token(yearly, request)
    assert backend.verified(backend.client().get_transaction_info(yearly).signedTransactionInfo).appAccountToken == TOKEN
    assert world.entitlements(TOKEN)[0]["originalTransactionId"] == yearly
    bad = UpdateAppAccountTokenRequest(appAccountToken="nobody")
    assert refused(backend.client().set_app_account_token, yearly, bad) == (
        APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR
    )


def test_consumption_decides_a_refund_in_both_versions(world, backend):
    v1 = ConsumptionRequestV1(customerConsented=True, rawRefundPreference=2)
    v2 = ConsumptionRequest(
        customerConsented=True,
        sampleContentProvided=False,
        deliveryStatus=DeliveryStatus.DELIVERED,
        refundPreference=RefundPreference.GRANT_FULL,
    )
    for request, is_refunded in [(v1, False), (v2, True)]:
        coins = world.bought("alice", "coins")
        world.ask("account", "alice", "requestRefund", {"transactionId": coins})
        send = backend.client().send_consumption_information if is_refunded else backend.client().send_consumption_data
        send(coins, request)
        transaction = backend.verified(backend.client().get_transaction_info(coins).signedTransactionInfo)
        assert (transaction.revocationDate is not None) == is_refunded
        # Nobody asks any more: Apple takes it, and nothing comes of it.
        send(coins, request)
    lifetime = world.bought("alice", "lifetime")
    assert refused(backend.client().send_consumption_information, lifetime, v2) == (
        APIError.INVALID_TRANSACTION_TYPE_NOT_SUPPORTED
    )


def test_extensions_of_one_and_of_all(world, backend):
    for name in ("bob", "carol"):
        world.open(name)
    cloud = world.bought("alice", "cloud.weekly")
    for name in ("bob", "carol"):
        world.buy(name, "cloud.weekly")
    request = ExtendRenewalDateRequest(
        extendByDays=10, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION, requestIdentifier="one"
    )
    response = backend.client().extend_subscription_renewal_date(cloud, request)
    assert response.success and response.originalTransactionId == cloud
    assert response.effectiveDate == world.START + 17 * world.DAY
    mass = MassExtendRenewalDateRequest(
        extendByDays=5,
        extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
        requestIdentifier=str(uuid.uuid4()),
        storefrontCountryCodes=["USA", "MEX"],
        productId="com.example.app.cloud.weekly",
    )
    identifier = backend.client().extend_renewal_date_for_all_active_subscribers(mass).requestIdentifier
    assert identifier == mass.requestIdentifier
    world.ask("world", world.name, "settle")
    status = backend.client().get_status_of_subscription_renewal_date_extensions(identifier, mass.productId)
    assert status.complete and status.completeDate == world.START
    assert status.succeededCount == 3 and status.failedCount == 0
    (entry,) = world.ask("account", "alice", "getSubscriptions")["subscriptions"]
    assert entry["renewalInfo"]["renewalDate"] == world.START + 22 * world.DAY


def test_orders_are_looked_up_in_production(client):
    world = World(client, environment="Production")
    world.open("alice")
    backend = Backend(world)
    coins = world.bought("alice", "coins")
    order = order_id(int(coins))
    found = backend.client("production").look_up_order_id(order)
    assert found.status == OrderLookupStatus.VALID
    (transaction,) = [backend.verified(signed) for signed in found.signedTransactions]
    assert transaction.transactionId == coins and transaction.environment == Environment.PRODUCTION
    assert backend.client("sandbox").look_up_order_id(order).status == OrderLookupStatus.INVALID
    assert refused(backend.client("production").look_up_order_id, "nonsense") == APIError.GENERAL_BAD_REQUEST
    # Production alone says the app's number, and Apple's verifier asks for it.
    signed = backend.client("production").get_app_transaction_info(coins).signedAppTransactionInfo
    assert backend.verifier.verify_and_decode_app_transaction(signed).appAppleId == backend.keys["appAppleId"]


def test_without_a_url_there_are_no_notifications(world, backend):
    assert refused(backend.client().request_test_notification) == APIError.SERVER_NOTIFICATION_URL_NOT_FOUND
    assert refused(backend.client().get_test_notification_status, "token") == APIError.INVALID_TEST_NOTIFICATION_TOKEN
    request = NotificationHistoryRequest(startDate=world.START - world.DAY, endDate=world.START)
    page = backend.client().get_notification_history(None, request)
    assert page.notificationHistory == [] and page.hasMore is False
    assert refused(backend.client().get_notification_history, "token", request) == APIError.INVALID_PAGINATION_TOKEN


# BR-58, BR-69: what verifiers take


def test_only_the_right_root_environment_and_bundle_verify(world, backend):
    signed = backend.client().get_transaction_info(world.bought("alice", "coins")).signedTransactionInfo

    def status(verifier):
        with pytest.raises(VerificationException) as caught:
            verifier.verify_and_decode_signed_transaction(signed)
        return caught.value.status

    other = Backend(World(world.client))
    assert status(other.verifier) == VerificationStatus.VERIFICATION_FAILURE
    production = backend.verifying([backend.root], Environment.PRODUCTION)
    assert status(production) == VerificationStatus.INVALID_ENVIRONMENT
    assert status(backend.verifying([backend.root], bundle="com.example.other")) == (
        VerificationStatus.INVALID_APP_IDENTIFIER
    )
    head, payload, signature = signed.split(".")
    forged = ".".join([head, payload[:-2] + ("AA" if payload[-2:] != "AA" else "BB"), signature])
    with pytest.raises(VerificationException):
        backend.verified(forged)


def test_br69_only_the_right_verifier_takes_a_token(client):
    with Receiver() as receiver:
        world = World(client, notificationURLs={"production": {"url": receiver.url}})
        world.open("alice")
        backend = Backend(world)
        monthly = world.bought("alice", "monthly")
        (group,) = backend.client().get_all_subscription_statuses(monthly).data
        (last,) = group.lastTransactions
        verifier = backend.verifier
        tokens = {
            verifier.verify_and_decode_signed_transaction: last.signedTransactionInfo,
            verifier.verify_and_decode_renewal_info: last.signedRenewalInfo,
            verifier.verify_and_decode_app_transaction: (
                backend.client().get_app_transaction_info(monthly).signedAppTransactionInfo
            ),
            verifier.verify_and_decode_notification: receiver.next(),
        }
        for verify, own in tokens.items():
            assert verify(own)
            for token in tokens.values():
                # A transaction and a renewal info are alike: both say their environment, and only one its app.
                if token is own or verify == verifier.verify_and_decode_renewal_info:
                    continue
                with pytest.raises(VerificationException):
                    verify(token)


# BR-59: chains and algorithms


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def test_br59_apples_verifier_refuses_the_same(world, backend):
    signed, other = (
        backend.client().get_transaction_info(world.bought("alice", "coins")).signedTransactionInfo for _ in range(2)
    )
    header, (head, payload, signature) = header_of(signed), signed.split(".")
    chain = header["x5c"]

    def under(**changes):
        return ".".join([base64url(json.dumps({**header, **changes}).encode()), payload, signature])

    raw = base64.urlsafe_b64decode(signature + "==")
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    forged = {
        "two certificates": under(x5c=chain[:2]),
        "four certificates": under(x5c=chain + chain[-1:]),
        "none": under(alg="none"),
        "HS256": under(alg="HS256"),
        "RS256": under(alg="RS256"),
        "DER": f"{head}.{payload}.{base64url(der)}",
        "another's signature": f"{head}.{payload}.{other.split('.')[2]}",
        "another's payload": f"{head}.{other.split('.')[1]}.{signature}",
        "reversed": under(x5c=chain[::-1]),
    }
    assert backend.verified(signed)
    for name, jws in forged.items():
        with pytest.raises(VerificationException):
            print(name, backend.verified(jws))


# BR-64: devices


def test_br64_what_a_server_gets_is_bound_to_no_device(client):
    with Receiver() as receiver:
        world = World(client, notificationURLs={"production": {"url": receiver.url}})
        world.open("alice")
        backend = Backend(world)
        monthly = world.bought("alice", "monthly")
        (group,) = backend.client().get_all_subscription_statuses(monthly).data
        data = payload_of(receiver.next())["data"]
        copies = [
            backend.client().get_transaction_info(monthly).signedTransactionInfo,
            backend.client().get_app_transaction_info(monthly).signedAppTransactionInfo,
            group.lastTransactions[0].signedRenewalInfo,
            data["signedTransactionInfo"],
            data["signedRenewalInfo"],
        ]
        for copy in copies:
            assert not {"deviceVerification", "deviceVerificationNonce"} & set(payload_of(copy))


# BR-70: which environment is it?

ID_CALLS = [
    lambda client, id: client.get_transaction_info(id),
    lambda client, id: client.get_all_subscription_statuses(id),
    lambda client, id: client.get_transaction_history(
        id, None, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2
    ),
    lambda client, id: client.get_transaction_history(id, None, TransactionHistoryRequest()),
    lambda client, id: client.get_refund_history(id, None),
    lambda client, id: client.get_app_transaction_info(id),
    lambda client, id: client.finish_transaction(id),
    lambda client, id: client.set_app_account_token(id, UpdateAppAccountTokenRequest(appAccountToken=TOKEN)),
    lambda client, id: client.send_consumption_information(
        id,
        ConsumptionRequest(customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED),
    ),
    lambda client, id: client.send_consumption_data(id, ConsumptionRequestV1(customerConsented=True)),
]


@pytest.mark.parametrize("environment", ["Sandbox", "Production"])
def test_the_documented_fallback_finds_everything(client, environment):
    world = World(client, environment=environment)
    world.open("alice")
    backend = Backend(world)
    coins = world.bought("alice", "coins")
    own, other = ("sandbox", "production") if environment == "Sandbox" else ("production", "sandbox")
    for ask in ID_CALLS:
        assert refused(ask, backend.client(other), coins) == APIError.TRANSACTION_ID_NOT_FOUND
        ask(backend.client(own), coins)
        for base in ("production", "sandbox"):
            assert refused(ask, backend.client(base), "2000000099000001") == APIError.TRANSACTION_ID_NOT_FOUND
    # Two endpoints have a code of their own for it, so a fallback has to know both.
    extend = ExtendRenewalDateRequest(
        extendByDays=1, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier=str(uuid.uuid4())
    )
    weekly = world.bought("alice", "cloud.weekly")
    error = refused(backend.client(other).extend_subscription_renewal_date, weekly, extend)
    assert error == APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND
    assert backend.client(own).extend_subscription_renewal_date(weekly, extend).success
    answers = [call(backend, "GET", f"/inApps/v1/refund/lookup/{coins}", base) for base in (other, own)]
    assert answers[0].json()["errorCode"] == APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND and answers[1].ok


def test_an_app_that_was_never_released_gets_401_in_production():
    with tempfile.TemporaryDirectory(prefix="storefleet-") as folder:
        server = Server(folder, options=["--http", "127.0.0.1:0", "--api-unreleased"]).start()
        try:
            with server.connect() as client:
                client.hello()
                world = World(client)
                world.open("alice")
                backend = Backend(world)
                coins = world.bought("alice", "coins")
                for call in ID_CALLS:
                    with pytest.raises(APIException) as caught:
                        call(backend.client("production"), coins)
                    assert caught.value.http_status_code == 401 and caught.value.api_error is None
                    call(backend.client("sandbox"), coins)
        finally:
            server.stop()


# A server class as teams write it: production first, then sandbox on 4040010, and nothing believed unverified


class CarefulServer:
    """Answers what a customer owns. JWTs of its own, 20 minutes long, and used again until they are nearly over."""

    lifetime = 20 * 60

    def __init__(self, backend):
        self.backend = backend
        self._token = None
        self._expires = 0

    def token(self):
        now = int(time.time())
        if now > self._expires - 60:
            claims = {
                "iss": self.backend.keys["issuerId"],
                "iat": now,
                "exp": now + self.lifetime,
                "aud": "appstoreconnect-v1",
                "bid": self.backend.keys["bundleId"],
            }
            headers = {"kid": self.backend.keys["keyId"]}
            self._token = jwt.encode(claims, self.backend.keys["privateKey"], algorithm="ES256", headers=headers)
            self._expires = now + self.lifetime
        return self._token

    def request(self, base, path):
        headers = {"Authorization": f"Bearer {self.token()}"}
        return requests.get(self.backend.url(base) + path, headers=headers, timeout=10)

    def with_fallback(self, path):
        answer = self.request("production", path)
        if answer.status_code == 404 and answer.json().get("errorCode") == 4040010:
            answer = self.request("sandbox", path)
        answer.raise_for_status()
        return answer.json()

    def transaction(self, transaction_id):
        signed = self.with_fallback(f"/inApps/v1/transactions/{transaction_id}")["signedTransactionInfo"]
        return self.backend.verified(signed)


class CarelessServer(CarefulServer):
    """Chooses the host by its own deployment, and believes what it decodes."""

    def transaction(self, transaction_id):
        answer = self.request("production", f"/inApps/v1/transactions/{transaction_id}")
        answer.raise_for_status()
        return payload_of(answer.json()["signedTransactionInfo"])


def test_a_careful_server_finds_what_testers_bought(world, backend):
    server = CarefulServer(backend)
    for product in ("coins", "lifetime"):
        bought = world.bought("alice", product)
        assert server.transaction(bought).productId == f"com.example.app.{product}"
    with pytest.raises(requests.HTTPError):
        server.transaction("2000000099000001")


def test_a_careless_server_loses_testers_and_is_fooled(world, backend):
    bought = world.bought("alice", "coins")
    with pytest.raises(requests.HTTPError):
        CarelessServer(backend).transaction(bought)
    # What another authority signed decodes all the same; only the verifier tells.
    other = World(world.client)
    other.open("mallory")
    forged = Backend(other).client().get_transaction_info(other.bought("mallory", "lifetime")).signedTransactionInfo
    assert payload_of(forged)["productId"] == "com.example.app.lifetime"
    with pytest.raises(VerificationException):
        backend.verified(forged)


# BR-71: tokens


def signed_token(backend, key=None, headers=None, **changes):
    now = int(time.time())
    claims = {
        "iss": backend.keys["issuerId"],
        "iat": now,
        "exp": now + 300,
        "aud": "appstoreconnect-v1",
        "bid": backend.keys["bundleId"],
    }
    claims.update(changes)
    claims = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(
        claims,
        key or backend.keys["privateKey"],
        algorithm="ES256",
        headers={"kid": backend.keys["keyId"], **(headers or {})},
    )


def test_tokens_are_accepted_and_refused_as_documented(world, backend):
    coins = world.bought("alice", "coins")
    now = int(time.time())
    strange = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )

    def status(token):
        headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
        url = backend.url("sandbox") + f"/inApps/v1/transactions/{coins}"
        answer = requests.get(url, headers=headers, timeout=10)
        assert answer.status_code == 200 or answer.content == b""
        return answer.status_code

    for ahead in (-120, -5, 0, 5, 55):
        assert status(signed_token(backend, iat=now + ahead, exp=now + ahead + 300)) == 200, ahead
    assert status(signed_token(backend, iat=now + 300, exp=now + 600)) == 401
    for minutes, expected in ((59, 200), (60, 200), (61, 401)):
        assert status(signed_token(backend, iat=now, exp=now + minutes * 60)) == expected, minutes
    assert status(signed_token(backend, iat=None)) == 200
    bad = [
        {"aud": "appstoreconnect-v2"},
        {"bid": "com.example.other"},
        {"iss": str(uuid.uuid4())},
        {"exp": now - 1},
        {"exp": None},
        {"headers": {"kid": "ABCDEFGHJK"}},
        {"key": strange},
    ]
    for change in bad:
        assert status(signed_token(backend, **change)) == 401, change
    for text in (None, "", "x", "a.b.c"):
        assert status(text) == 401


def test_the_machines_clock_counts_for_tokens_and_not_the_worlds(world, backend):
    coins = world.bought("alice", "coins")
    token = signed_token(backend)
    world.advance(400)
    url = backend.url("sandbox") + f"/inApps/v1/transactions/{coins}"
    assert requests.get(url, headers={"Authorization": f"Bearer {token}"}, timeout=10).status_code == 200


# BR-72: validation


def call(backend, method, path, base="sandbox", **options):
    headers = {"Authorization": f"Bearer {signed_token(backend)}", **options.pop("headers", {})}
    return requests.request(method, backend.url(base) + path, headers=headers, timeout=10, **options)


def test_bad_bodies_are_the_clients_mistake(world, backend):
    cloud = world.bought("alice", "cloud.weekly")
    paths = [
        ("PUT", f"/inApps/v1/subscriptions/extend/{cloud}"),
        ("POST", "/inApps/v1/subscriptions/extend/mass"),
        ("PUT", f"/inApps/v1/transactions/consumption/{cloud}"),
        ("PUT", f"/inApps/v2/transactions/consumption/{cloud}"),
        ("PUT", f"/inApps/v1/transactions/{cloud}/appAccountToken"),
        ("POST", "/inApps/v1/notifications/history"),
    ]
    bodies = [b"", b"{", b"[]", b"7", b'"x"', b"null", b"\xff\xfe", b"[" * 5_000, b'{"a":' * 2_000]
    for method, path in paths:
        for body in bodies:
            answer = call(backend, method, path, data=body, headers={"Content-Type": "application/json"})
            assert answer.status_code == 400 and answer.json()["errorCode"] == 4000000, (path, body[:20])
        answer = call(backend, method, path, data=b"{}", headers={"Content-Type": "text/plain"})
        assert answer.status_code == 400 and answer.json()["errorCode"] == 4000000
        answer = call(backend, method, path, json={})
        assert answer.status_code == 400 and answer.json()["errorCode"] != 4000000, path


V1_FIELDS = {
    "consumptionStatus": (4, APIError.INVALID_CONSUMPTION_STATUS),
    "platform": (3, APIError.INVALID_PLATFORM),
    "sampleContentProvided": (1, APIError.INVALID_SAMPLE_CONTENT_PROVIDED),
    "deliveryStatus": (6, APIError.INVALID_DELIVERY_STATUS),
    "appAccountToken": ("x", APIError.INVALID_APP_ACCOUNT_TOKEN),
    "accountTenure": (8, APIError.INVALID_ACCOUNT_TENURE),
    "playTime": (8, APIError.INVALID_PLAY_TIME),
    "lifetimeDollarsRefunded": (8, APIError.INVALID_LIFETIME_DOLLARS_REFUNDED),
    "lifetimeDollarsPurchased": (8, APIError.INVALID_LIFETIME_DOLLARS_PURCHASED),
    "userStatus": (5, APIError.INVALID_USER_STATUS),
    "refundPreference": (4, 4000044),
    "customerConsented": (False, APIError.INVALID_CUSTOMER_CONSENTED),
}


def test_each_field_of_consumption_has_its_error(world, backend):
    coins = world.bought("alice", "coins")
    path = f"/inApps/v1/transactions/consumption/{coins}"
    for field, (value, code) in V1_FIELDS.items():
        for wrong in (value, {"a": 1}, [], -1):
            answer = call(backend, "PUT", path, json={"customerConsented": True, field: wrong})
            assert answer.json()["errorCode"] == code, (field, wrong)
    assert call(backend, "PUT", path, json={"customerConsented": True, "appAccountToken": ""}).status_code == 202
    path = f"/inApps/v2/transactions/consumption/{coins}"
    good = {"customerConsented": True, "sampleContentProvided": False, "deliveryStatus": "DELIVERED"}
    for field, wrong, code in [
        ("customerConsented", None, APIError.INVALID_CUSTOMER_CONSENTED),
        ("sampleContentProvided", None, APIError.INVALID_SAMPLE_CONTENT_PROVIDED),
        ("deliveryStatus", 0, APIError.INVALID_DELIVERY_STATUS),
        ("deliveryStatus", None, APIError.INVALID_DELIVERY_STATUS),
        ("refundPreference", "MAYBE", 4000044),
        ("consumptionPercentage", 100_001, APIError.GENERAL_BAD_REQUEST),
    ]:
        assert call(backend, "PUT", path, json={**good, field: wrong}).json()["errorCode"] == code, field
    assert call(backend, "PUT", path, json=good).status_code == 202


def test_floods_get_their_error_and_leave_nothing_behind(world, backend):
    coins = world.bought("alice", "coins")
    path = f"/inApps/v1/transactions/{coins}"
    consumption = f"/inApps/v1/transactions/consumption/{coins}"

    def memory():
        text = requests.get(f"{backend.keys['http']}/metrics", timeout=10).text
        return float(re.search(r"^process_resident_memory_bytes (.*)$", text, re.MULTILINE)[1])

    def flood():
        """What each of these is answered with."""
        token = signed_token(backend)
        json_type = {"Content-Type": "application/json"}
        return [
            call(backend, "GET", path, headers={"X-Flood": "x" * 40_000}).status_code,
            call(backend, "GET", path, headers={f"X-{number}": "x" for number in range(300)}).status_code,
            call(backend, "GET", path + "?" + "a=b&" * 10_000).status_code,
            call(backend, "GET", path, headers={"Authorization": f"Bearer {token}{'A' * 4_000}"}).status_code,
            call(backend, "PUT", consumption, data=b'{"a":"' + b"x" * (1 << 21) + b'"}', headers=json_type).status_code,
            call(backend, "GET", f"/inApps/v2/history/{coins}?revision={'A' * 5_000}").status_code,
            call(backend, "GET", f"/inApps/v1/transactions/{'9' * 1_000}").status_code,
            call(backend, "GET", "/inApps/v1/nothing").status_code,
            call(backend, "POST", path, data=b"", headers=json_type).status_code,
        ]

    expected = [431, 431, 414, 401, 413, 400, 400, 404, 405]
    assert flood() == expected
    for _ in range(5):
        flood()
    before = memory()
    for _ in range(20):
        assert flood() == expected
    assert memory() < before + (16 << 20)
    assert backend.verified(backend.client().get_transaction_info(coins).signedTransactionInfo).transactionId == coins


# BR-73: the history cursor


def test_changes_between_pages_come_again(world, backend):
    ids = [world.bought("alice", "coins") for _ in range(57)]
    client = backend.client()

    def change(page):
        if page == 2:
            ids.extend(world.bought("alice", "coins") for _ in range(3))
            for id in ids[:2]:
                world.ask("account", "alice", "refund", {"transactionId": id, "reason": 1})

    signed, revision, _ = history(client, ids[0], between=change)
    world.ask("account", "alice", "refund", {"transactionId": ids[2], "reason": 1})
    later, revision, pages = history(client, ids[0], revision=revision)
    assert [backend.verified(each).transactionId for each in later] == [ids[2]] and pages == 1
    newest = {}
    for each in signed + later:
        transaction = backend.verified(each)
        newest[transaction.transactionId] = transaction
    assert set(newest) == set(ids) and len(ids) == 60
    assert {id for id, each in newest.items() if each.revocationDate} == set(ids[:3])
    assert history(client, ids[0], revision=revision) == ([], revision, 1)


def test_filters_of_the_history(world, backend):
    coins, lifetime = world.bought("alice", "coins"), world.bought("alice", "lifetime")
    world.advance(1)
    cloud = world.bought("alice", "cloud.weekly")
    world.refund("alice", "coins")

    def ids(**filters):
        signed, _, _ = history(backend.client(), lifetime, TransactionHistoryRequest(**filters))
        return [backend.verified(each).transactionId for each in signed]

    assert ids() == ids(sort=Order.ASCENDING) == [lifetime, cloud, coins]
    assert ids(sort=Order.DESCENDING) == [coins, cloud, lifetime]
    assert ids(productTypes=[ProductType.CONSUMABLE, ProductType.NON_CONSUMABLE]) == [lifetime, coins]
    assert ids(productIds=["com.example.app.cloud.weekly"]) == [cloud]
    assert ids(subscriptionGroupIdentifiers=["5E1F00D2"]) == [cloud]
    assert ids(revoked=True) == [coins] and ids(revoked=False) == [lifetime, cloud]
    assert ids(inAppOwnershipType=InAppOwnershipType.FAMILY_SHARED) == []
    assert ids(startDate=world.START + world.DAY) == [cloud]
    assert ids(endDate=world.START + world.DAY) == [lifetime, coins]


def test_a_revision_of_another_account_is_refused(world, backend):
    world.open("bob")
    alice, bob = world.bought("alice", "coins"), world.bought("bob", "coins")
    _, revision, _ = history(backend.client(), alice)
    request = TransactionHistoryRequest()
    for text in (revision, "nonsense", ""):
        assert refused(backend.client().get_transaction_history, bob, text, request) == (
            APIError.INVALID_REQUEST_REVISION
        )


# BR-74: the time window of notification history


@pytest.mark.parametrize(
    "start, end, code",
    [
        # The sandbox keeps 30 days, production 180.
        (-30 * World.DAY, 0, None),
        (-30 * World.DAY - 1, 0, APIError.START_DATE_TOO_FAR_IN_PAST),
        (-World.DAY, World.DAY, None),
        (-World.DAY, -World.DAY, APIError.START_DATE_AFTER_END_DATE),
        (-World.DAY, -2 * World.DAY, APIError.START_DATE_AFTER_END_DATE),
        (World.DAY, 2 * World.DAY, APIError.START_DATE_AFTER_END_DATE),
    ],
)
def test_the_window_of_notification_history(world, backend, start, end, code):
    request = NotificationHistoryRequest(startDate=world.START + start, endDate=world.START + end)
    if code:
        assert refused(backend.client().get_notification_history, None, request) == code
    else:
        assert backend.client().get_notification_history(None, request).notificationHistory == []


def test_filters_of_notification_history(world, backend):
    coins = world.bought("alice", "coins")
    window = {"startDate": world.START - world.DAY, "endDate": world.START}

    def code(**fields):
        answer = call(backend, "POST", "/inApps/v1/notifications/history", json={**window, **fields})
        return answer.json().get("errorCode")

    assert code() is None and code(transactionId=coins) is None and code(notificationType="REFUND") is None
    assert code(transactionId=coins, notificationType="REFUND") == 4000019
    assert code(notificationSubtype="UPGRADE") == 4000018 and code(notificationType="") == 4000018
    assert code(transactionId="x") == 4000006 and code(transactionId="2000000099000001") == 4040010
    # Seconds are no milliseconds.
    assert code(startDate=window["startDate"] // 1_000, endDate=window["endDate"] // 1_000) == 4000012
    assert code(startDate="x") == 4000015 and code(endDate=None) == 4000016


# BR-76: several entries of one group


def test_own_and_shared_subscriptions_stand_side_by_side(world, backend):
    world.open("bob")
    monthly = world.bought("alice", "monthly")
    world.ask("account", "alice", "setAutoRenew", {"productId": "com.example.app.monthly", "on": False})
    world.bought("alice", "cloud.weekly")
    world.advance(40)
    family = world.address("family", "house")
    world.client.ask(family, "createFamily", {"organizer": "bob"})
    world.client.ask(family, "joinFamily", {"account": "alice"})
    world.buy("bob", "yearly")
    response = backend.client().get_all_subscription_statuses(monthly)
    lasts = {group.subscriptionGroupIdentifier: group.lastTransactions for group in response.data}
    assert sorted(last.rawStatus for last in lasts["5E1F00D1"]) == [Status.ACTIVE, Status.EXPIRED]
    assert len(lasts["5E1F00D2"]) == 1
    active = backend.client().get_all_subscription_statuses(monthly, [Status.ACTIVE])
    assert all(last.status == Status.ACTIVE for group in active.data for last in group.lastTransactions)
    shared = [
        backend.verified(last.signedTransactionInfo).inAppOwnershipType for last in lasts["5E1F00D1"]
    ]
    assert set(shared) == {InAppOwnershipType.PURCHASED, InAppOwnershipType.FAMILY_SHARED}


# Limits


def test_beyond_a_limit_the_answer_says_when_to_come_back():
    with tempfile.TemporaryDirectory(prefix="storefleet-") as folder:
        server = Server(folder, options=["--http", "127.0.0.1:0", "--api-rate-limit", "3"]).start()
        try:
            with server.connect() as client:
                client.hello()
                world = World(client)
                world.open("alice")
                backend = Backend(world)
                coins = world.bought("alice", "coins")
                path = f"/inApps/v1/transactions/{coins}"
                answers = [call(backend, "GET", path) for _ in range(5)]
                assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
                assert answers[3].json()["errorCode"] == APIError.RATE_LIMIT_EXCEEDED
                wait = int(answers[3].headers["Retry-After"]) - time.time() * 1_000
                assert 0 < wait <= 3_600_000
                # Another kind of endpoint has a limit of its own.
                assert call(backend, "GET", f"/inApps/v2/refund/lookup/{coins}").status_code == 200
        finally:
            server.stop()
