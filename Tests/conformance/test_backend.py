"""A developer's backend from end to end: Apple's client asks the world, and a real HTTP server takes what the world
tells. Every endpoint but Retention Messaging, and every notification that the store causes."""

import datetime
import inspect
import ipaddress
import json
import subprocess
import uuid

import pytest
from appstoreserverlibrary.api_client import APIError, AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2 as T
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Subtype import Subtype as S
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from apple import Backend, order_id, refused
from conftest import EXECUTABLE, REPOSITORY, World
from receiver import Receiver
from storefleet_wire import WireError

HOUR = 3_600_000
APP = World.BUNDLE


class Shop:
    """A world, its backend and the receiver of its notifications."""

    def __init__(self, client, environment="Sandbox", statuses=(), online=True, **settings):
        self.receiver = Receiver(statuses)
        urls = {"production": {"url": self.receiver.url}}
        self.world = World(client, environment=environment, notificationURLs=urls, **settings)
        self.backend = Backend(self.world, online=online)
        self.api = self.backend.client("production" if environment == "Production" else "sandbox")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.receiver.close()

    def act(self, account, name, **body):
        return self.world.ask("account", account, name, body)

    def settle(self):
        self.world.ask("world", self.world.name, "settle")

    def hear(self):
        """The next notification, with all that is signed in it verified."""
        return self.verify(self.receiver.next())

    def verify(self, payload):
        verifier = self.backend.verifier
        told = verifier.verify_and_decode_notification(payload)
        if told.data and told.data.signedTransactionInfo:
            assert verifier.verify_and_decode_signed_transaction(told.data.signedTransactionInfo)
        if told.data and told.data.signedRenewalInfo:
            assert verifier.verify_and_decode_renewal_info(told.data.signedRenewalInfo)
        return told

    def history(self, days=30, **filters):
        """All pages of the notification history: its items, and how many there were on each page."""
        now = self.world.ask("world", self.world.name, "describeWorld")["now"]
        request = NotificationHistoryRequest(startDate=now - days * World.DAY, endDate=now, **filters)
        items, pages, token = [], [], None
        while True:
            page = self.api.get_notification_history(token, request)
            items += page.notificationHistory
            pages.append(len(page.notificationHistory))
            assert page.hasMore == (page.paginationToken is not None)
            token = page.paginationToken
            if not page.hasMore:
                return items, pages

    def kinds(self, items):
        return [kind(self.verify(item.signedPayload)) for item in items]


def kind(told):
    return told.notificationType, told.subtype


def results(item):
    return [attempt.sendAttemptResult for attempt in item.sendAttempts]


# One story


def test_a_backend_is_tested_told_and_catches_up(client):
    refusals = [SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE]
    with Shop(client, "Production", statuses=[200, 200, 500, 500]) as shop:
        # It asks for a test, receives it, verifies it, and reads that it has arrived.
        token = shop.api.request_test_notification().testNotificationToken
        test = shop.hear()
        assert kind(test) == (T.TEST, None) and test.data.appAppleId == shop.backend.keys["appAppleId"]
        shop.settle()
        status = shop.api.get_test_notification_status(token)
        assert shop.verify(status.signedPayload).notificationUUID == test.notificationUUID
        assert results(status) == [SendAttemptResult.SUCCESS]
        assert refused(shop.api.get_test_notification_status, str(uuid.uuid4())) in (
            APIError.INVALID_TEST_NOTIFICATION_TOKEN,
            APIError.TEST_NOTIFICATION_NOT_FOUND,
        )

        # A customer subscribes; then the backend is down for two tries of what follows.
        shop.world.open("alice")
        shop.world.open("bob")
        monthly = shop.world.bought("alice", "basic.monthly")
        assert kind(shop.hear()) == (T.SUBSCRIBED, S.INITIAL_BUY)
        shop.act("alice", "setAutoRenew", productId=f"{APP}.basic.monthly", on=False)
        missed = [shop.receiver.next()]
        shop.settle()
        (failed,), _ = shop.history(onlyFailures=True)
        assert failed.signedPayload == missed[0] and results(failed) == refusals
        shop.world.ask("world", shop.world.name, "advanceClock", {"target": {"kind": "by", "milliseconds": 13 * HOUR}})
        missed += shop.receiver.take(2)
        assert len(set(missed)) == 1, "the same bytes at every try"
        assert shop.history(onlyFailures=True) == ([], [0])

        # The history has it all, by type, by subtype and by transaction.
        coins = shop.world.bought("bob", "coins")
        shop.hear()
        shop.settle()
        status, subscribed, coined = (T.DID_CHANGE_RENEWAL_STATUS, S.AUTO_RENEW_DISABLED), (
            T.SUBSCRIBED,
            S.INITIAL_BUY,
        ), (T.ONE_TIME_CHARGE, None)
        items, _ = shop.history()
        assert shop.kinds(items) == [(T.TEST, None), subscribed, status, coined]
        hours = [(attempt.attemptDate - World.START) // HOUR for attempt in items[2].sendAttempts]
        assert hours == [0, 1, 13] and results(items[2]) == refusals * 2 + [SendAttemptResult.SUCCESS]
        assert shop.kinds(shop.history(notificationType=T.DID_CHANGE_RENEWAL_STATUS)[0]) == [status]
        of_subtype = {"notificationType": T.DID_CHANGE_RENEWAL_STATUS, "notificationSubtype": S.AUTO_RENEW_ENABLED}
        assert shop.history(**of_subtype)[0] == []
        of_subtype["notificationSubtype"] = S.AUTO_RENEW_DISABLED
        assert shop.kinds(shop.history(**of_subtype)[0]) == [status]
        assert shop.kinds(shop.history(transactionId=monthly)[0]) == [subscribed, status]
        assert shop.kinds(shop.history(transactionId=coins)[0]) == [coined]


def test_history_comes_in_pages_without_gaps_or_repetitions(client):
    with Shop(client, online=False) as shop:
        shop.world.open("alice")
        for _ in range(45):
            shop.world.buy("alice", "coins")
        sent = shop.receiver.take(45)
        shop.settle()
        items, pages = shop.history()
        assert [item.signedPayload for item in items] == sent and pages == [20, 20, 5]
        assert all(results(item) == [SendAttemptResult.SUCCESS] for item in items)
        assert shop.history(onlyFailures=True) == ([], [0])


@pytest.mark.parametrize("environment, hours", [("Production", [0, 1, 13, 37, 85, 157]), ("Sandbox", [0])])
def test_a_backend_that_is_down_gets_as_many_tries_as_documented(client, environment, hours):
    with Shop(client, environment, statuses=[503] * 9, online=False) as shop:
        shop.world.open("alice")
        shop.world.buy("alice", "coins")
        shop.world.advance(8)
        payloads = shop.receiver.take(len(hours))
        shop.settle()
        assert shop.receiver.is_quiet() and len(set(payloads)) == 1
        (item,), _ = shop.history(onlyFailures=True)
        assert [(attempt.attemptDate - World.START) // HOUR for attempt in item.sendAttempts] == hours
        assert set(results(item)) == {SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE}


@pytest.mark.parametrize("environment", ["Sandbox", "Production", "Xcode", "LocalTesting"])
def test_the_lines_that_keys_prints_are_all_that_it_takes(server, client, environment, tmp_path):
    world = World(client, environment=environment)
    world.open("alice")
    bought = world.bought("alice", "lifetime")
    fleet = ["--connect", server.endpoints["requests"], "--token", server.token, "--world", world.name]
    command = [EXECUTABLE, "keys", "--json", "--out", tmp_path, *fleet]
    lines = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["lines"]
    assert set(lines) == {"python", "node", "swift", "java"}
    names = {}
    exec(lines["python"], names)
    signed = names["client"].get_transaction_info(bought).signedTransactionInfo
    assert names["verifier"].verify_and_decode_signed_transaction(signed).transactionId == bought


# Every endpoint


def mass_extension(shop):
    request = MassExtendRenewalDateRequest(
        extendByDays=1,
        extendReasonCode=ExtendReasonCode.OTHER,
        requestIdentifier=str(uuid.uuid4()),
        productId=f"{APP}.cloud.weekly",
    )
    identifier = shop.api.extend_renewal_date_for_all_active_subscribers(request).requestIdentifier
    assert identifier == request.requestIdentifier
    shop.settle()
    return identifier


def statuses(shop, ids):
    (group,) = shop.api.get_all_subscription_statuses(ids["cloud.weekly"]).data
    assert group.lastTransactions[0].originalTransactionId == ids["cloud.weekly"]


def transaction_history(shop, ids):
    for version in GetTransactionHistoryVersion:
        page = shop.api.get_transaction_history(ids["coins"], None, TransactionHistoryRequest(), version)
        found = [shop.backend.verified(signed).transactionId for signed in page.signedTransactions]
        assert sorted(found) == sorted(ids.values())


def transaction_info(shop, ids):
    signed = shop.api.get_transaction_info(ids["lifetime"]).signedTransactionInfo
    assert shop.backend.verified(signed).productId == f"{APP}.lifetime"


def app_transaction_info(shop, ids):
    signed = shop.api.get_app_transaction_info(ids["coins"]).signedAppTransactionInfo
    assert shop.backend.verifier.verify_and_decode_app_transaction(signed).bundleId == APP


def refund_history(shop, ids):
    shop.world.refund("alice", "lifetime")
    (signed,) = shop.api.get_refund_history(ids["coins"], None).signedTransactions
    assert shop.backend.verified(signed).transactionId == ids["lifetime"]


def order_lookup(shop, ids):
    assert shop.api.look_up_order_id(order_id(int(ids["coins"]))).status == OrderLookupStatus.VALID


def extension(shop, ids):
    request = ExtendRenewalDateRequest(
        extendByDays=3, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION, requestIdentifier="goodwill"
    )
    assert shop.api.extend_subscription_renewal_date(ids["cloud.weekly"], request).success


def extension_status(shop, ids):
    status = shop.api.get_status_of_subscription_renewal_date_extensions(mass_extension(shop), f"{APP}.cloud.weekly")
    assert status.complete and (status.succeededCount, status.failedCount) == (1, 0)


def consumption(shop, ids):
    shop.act("alice", "requestRefund", transactionId=ids["coins"])
    request = ConsumptionRequest(
        customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED
    )
    assert shop.api.send_consumption_information(ids["coins"], request) is None


def old_consumption(shop, ids):
    shop.act("alice", "requestRefund", transactionId=ids["coins"])
    assert shop.api.send_consumption_data(ids["coins"], ConsumptionRequestV1(customerConsented=True)) is None


def account_token(shop, ids):
    token = str(uuid.uuid4())
    shop.api.set_app_account_token(ids["lifetime"], UpdateAppAccountTokenRequest(appAccountToken=token))
    signed = shop.api.get_transaction_info(ids["lifetime"]).signedTransactionInfo
    assert shop.backend.verified(signed).appAccountToken == token


def finish(shop, ids):
    shop.api.finish_transaction(ids["coins"])
    page = shop.api.get_transaction_history(ids["coins"], None, TransactionHistoryRequest())
    assert len(page.signedTransactions) == 2, "the first version leaves out what is consumed"


def ask_for_test(shop, ids):
    assert shop.api.request_test_notification().testNotificationToken


def status_of_test(shop, ids):
    token = shop.api.request_test_notification().testNotificationToken
    shop.settle()
    assert results(shop.api.get_test_notification_status(token)) == [SendAttemptResult.SUCCESS]


def notification_history(shop, ids):
    shop.settle()
    assert set(shop.kinds(shop.history()[0])) == {(T.SUBSCRIBED, S.INITIAL_BUY), (T.ONE_TIME_CHARGE, None)}


ENDPOINTS = {
    "get_all_subscription_statuses": statuses,
    "get_transaction_history": transaction_history,
    "get_transaction_info": transaction_info,
    "get_app_transaction_info": app_transaction_info,
    "get_refund_history": refund_history,
    "look_up_order_id": order_lookup,
    "extend_subscription_renewal_date": extension,
    "extend_renewal_date_for_all_active_subscribers": lambda shop, ids: mass_extension(shop),
    "get_status_of_subscription_renewal_date_extensions": extension_status,
    "send_consumption_information": consumption,
    "send_consumption_data": old_consumption,
    "set_app_account_token": account_token,
    "finish_transaction": finish,
    "request_test_notification": ask_for_test,
    "get_test_notification_status": status_of_test,
    "get_notification_history": notification_history,
}

MESSAGING = {
    "upload_image",
    "delete_image",
    "get_image_list",
    "upload_message",
    "delete_message",
    "get_message_list",
    "configure_default_message",
    "delete_default_message",
    "get_default_message",
    "configure_realtime_url",
    "delete_realtime_url",
    "get_realtime_url",
    "initiate_performance_test",
    "get_performance_test_results",
}


def test_no_endpoint_of_apples_client_is_left_out():
    methods = {name for name, _ in inspect.getmembers(AppStoreServerAPIClient, inspect.isfunction) if name[0] != "_"}
    assert methods == set(ENDPOINTS) | MESSAGING


@pytest.mark.filterwarnings("ignore:send_consumption_data")
@pytest.mark.parametrize("name", ENDPOINTS)
def test_every_endpoint_answers_apples_client(client, name):
    # Production: orders are found there alone.
    with Shop(client, "Production") as shop:
        shop.world.open("alice")
        ids = {product: shop.world.bought("alice", product) for product in ("coins", "lifetime", "cloud.weekly")}
        ENDPOINTS[name](shop, ids)


# Every notification

CAUSED = {
    (T.SUBSCRIBED, S.INITIAL_BUY),
    (T.SUBSCRIBED, S.RESUBSCRIBE),
    (T.DID_RENEW, None),
    (T.DID_RENEW, S.BILLING_RECOVERY),
    (T.DID_CHANGE_RENEWAL_PREF, S.UPGRADE),
    (T.DID_CHANGE_RENEWAL_PREF, S.DOWNGRADE),
    (T.DID_CHANGE_RENEWAL_PREF, None),
    (T.DID_CHANGE_RENEWAL_STATUS, S.AUTO_RENEW_ENABLED),
    (T.DID_CHANGE_RENEWAL_STATUS, S.AUTO_RENEW_DISABLED),
    (T.OFFER_REDEEMED, None),
    (T.OFFER_REDEEMED, S.UPGRADE),
    (T.OFFER_REDEEMED, S.DOWNGRADE),
    (T.DID_FAIL_TO_RENEW, None),
    (T.DID_FAIL_TO_RENEW, S.GRACE_PERIOD),
    (T.GRACE_PERIOD_EXPIRED, None),
    (T.EXPIRED, S.VOLUNTARY),
    (T.EXPIRED, S.BILLING_RETRY),
    (T.EXPIRED, S.PRICE_INCREASE),
    (T.EXPIRED, None),
    (T.PRICE_INCREASE, S.PENDING),
    (T.PRICE_INCREASE, S.ACCEPTED),
    (T.REFUND, None),
    (T.REFUND_DECLINED, None),
    (T.REFUND_REVERSED, None),
    (T.CONSUMPTION_REQUEST, None),
    (T.REVOKE, None),
    (T.RENEWAL_EXTENDED, None),
    (T.RENEWAL_EXTENSION, S.SUMMARY),
    (T.RENEWAL_EXTENSION, S.FAILURE),
    (T.ONE_TIME_CHARGE, None),
    (T.TEST, None),
}
"""All of Apple's table but EXPIRED PRODUCT_NOT_FOR_SALE (the catalogue of a world does not change), what belongs to
Advanced Commerce, external purchases and parents' consent, which the store does not have."""


def catalog_with_offers():
    """The demo's, with a code and a promotional offer for the smallest plan too."""
    catalog = json.loads((REPOSITORY / "Fixtures/Demo.storekit").read_text())
    plans = {plan["productID"]: plan for group in catalog["subscriptionGroups"] for plan in group["subscriptions"]}
    yearly, basic = plans[f"{APP}.yearly"], plans[f"{APP}.basic.monthly"]
    own = {"subscriptionPeriod": "P1M", "displayPrice": "1.99"}
    basic["codeOffers"] = [{**yearly["codeOffers"][0], **own, "internalID": "A6D3A06B", "referenceName": "again"}]
    basic["adHocOffers"] = [{**yearly["adHocOffers"][0], **own, "internalID": "A6D3A06C", "offerID": "less"}]
    return json.dumps(catalog)


def promotion(world, product, offer):
    """The offer as the backend signs it, with Apple's own signature creator."""
    keys = world.ask("world", world.name, "describeOfferKeys")
    creator = PromotionalOfferSignatureCreator(keys["privateKey"].encode(), keys["keyId"], APP)
    nonce, now = uuid.uuid4(), world.ask("world", world.name, "describeWorld")["now"]
    signature = creator.create_signature(f"{APP}.{product}", offer, "", nonce, now)
    signed = {"keyId": keys["keyId"], "nonce": str(nonce), "timestamp": now, "signature": signature}
    return {"kind": "promotional", "offerId": offer, **signed}


def live_through_everything(shop):
    world = shop.world
    for name in ("alice", "ben", "cleo", "dora", "emil", "kid"):
        world.open(name)
    basic, monthly, yearly, coins = (f"{APP}.{name}" for name in ("basic.monthly", "monthly", "yearly", "coins"))
    shop.api.request_test_notification()

    # Coins: refused, refunded, given back.
    world.buy("alice", "coins")
    shop.act("alice", "requestRefund", productId=coins)
    shop.act("alice", "declineRefund", productId=coins)
    world.refund("alice", "coins")
    shop.act("alice", "reverseRefund", productId=coins)

    # Plans: up, down, and down taken back; by offers too.
    world.buy("alice", "basic.monthly")
    for product in ("monthly", "basic.monthly", "monthly"):
        world.buy("alice", product)
    shop.act("alice", "redeemCode", productId=yearly, referenceName="workshop")
    offer = promotion(world, "basic.monthly", "less")
    shop.act("alice", "purchase", productId=basic, quantity=1, simulatesAskToBuy=False, offer=offer)
    world.buy("ben", "basic.monthly")
    shop.act("ben", "redeemCode", productId=basic, referenceName="again")

    # A year's trial cannot be extended, a paid month can.
    world.buy("cleo", "yearly")
    world.buy("dora", "basic.monthly")
    for product in (yearly, basic):
        shop.api.extend_renewal_date_for_all_active_subscribers(
            MassExtendRenewalDateRequest(
                extendByDays=1,
                extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
                requestIdentifier=str(uuid.uuid4()),
                productId=product,
            )
        )
    shop.settle()

    # Dearer: one agrees, one says nothing.
    for name, agrees in (("ben", True), ("dora", False)):
        shop.act(name, "requestPriceIncrease", productId=basic, priceMilliunits=9_990, needsConsent=True)
        if agrees:
            shop.act(name, "answerPriceIncrease", agree=True)
    world.advance(40)

    # No money: it comes in time, or never; a member who leaves meanwhile has lost the access already.
    world.ask("family", "f", "createFamily", {"organizer": "emil"})
    world.ask("family", "f", "joinFamily", {"account": "kid"})
    world.buy("emil", "monthly")
    world.advance(8)
    shop.act("emil", "setBilling", fails=True)
    world.advance(50)
    world.ask("family", "f", "leaveFamily", {"account": "kid"})
    shop.act("emil", "setBilling", fails=False)
    world.ask("family", "f", "joinFamily", {"account": "kid"})
    world.ask("family", "f", "leaveFamily", {"account": "kid"})
    shop.act("emil", "setBilling", fails=True)
    world.advance(130)

    # The end, and another beginning.
    world.buy("dora", "monthly")
    for on in (False, True, False):
        shop.act("dora", "setAutoRenew", productId=monthly, on=on)
    world.advance(40)
    world.buy("dora", "monthly")
    shop.settle()


@pytest.mark.parametrize("environment", ["Sandbox", "Production"])
def test_every_notification_that_the_store_causes_is_received_and_verified(client, environment):
    heard = set()
    grace = {"gracePeriod": {"days": 16, "renewals": "all"}}
    for settings in ({}, grace):
        with Shop(client, environment, online=False, catalog=catalog_with_offers(), **settings) as shop:
            live_through_everything(shop)
            entries = shop.world.ask("notifications", shop.world.name, "listNotifications", {"after": 0, "limit": 200})
            assert not entries["hasMore"] and {entry["state"] for entry in entries["notifications"]} == {"delivered"}
            told = [shop.hear() for _ in entries["notifications"]]
            assert shop.receiver.is_quiet()
            assert len({each.notificationUUID for each in told}) == len(told)
            for each in told:
                assert (each.data is None) == (each.summary is not None) == (each.subtype is S.SUMMARY)
            heard |= {kind(each) for each in told}
    assert heard == CAUSED


# Receivers with certificates of their own


def self_signed(folder):
    """A private key and a certificate for 127.0.0.1 that nobody vouches for: both in one file, the certificate alone."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "backend")])
    today = datetime.datetime.now(datetime.timezone.utc)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
        .public_bytes(serialization.Encoding.PEM)
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    identity = folder / f"{uuid.uuid4()}.pem"
    identity.write_bytes(private + certificate)
    return identity, certificate.decode()


def test_a_receiver_with_a_certificate_of_its_own_is_believed_once_it_is_trusted(client, tmp_path):
    identity, certificate = self_signed(tmp_path)
    _, another = self_signed(tmp_path)
    with Receiver(identity=identity) as receiver:
        world = World(client, notificationURLs={"production": {"url": receiver.url}})
        world.open("alice")
        backend = Backend(world)

        def told():
            """What became of the last notification."""
            world.buy("alice", "coins")
            world.ask("world", world.name, "settle")
            listed = world.ask("notifications", world.name, "listNotifications", {"after": 0, "limit": 9})
            (attempt,) = listed["notifications"][-1]["sendAttempts"]
            return attempt["sendAttemptResult"]

        def trust(pem):
            endpoint = {"url": receiver.url, "trustedCertificates": pem}
            world.ask("world", world.name, "setNotificationURL", {"endpoint": endpoint})

        assert told() == "TLS_ISSUE"
        trust(another)
        assert told() == "TLS_ISSUE"
        trust(certificate)
        assert told() == "SUCCESS"
        assert backend.verifier.verify_and_decode_notification(receiver.next()).rawNotificationType == "ONE_TIME_CHARGE"
        trust(another + certificate)
        assert told() == "SUCCESS"
        # What was agreed on with one certificate is no door for another.
        trust(another)
        assert told() == "TLS_ISSUE"
        url = world.ask("world", world.name, "describeWorld")["notificationURLs"]["sandbox"]
        assert url["trustedCertificates"] == another


def test_the_command_line_reads_whom_to_trust_from_a_file(server, world, tmp_path):
    identity, certificate = self_signed(tmp_path)
    with Receiver(identity=identity) as receiver:
        fleet = ["--connect", server.endpoints["requests"], "--token", server.token, "--world", world.name]

        def storefleet(*words):
            return subprocess.run([EXECUTABLE, *words, *fleet], capture_output=True, text=True)

        url = ["notifications", "url", receiver.url]
        assert storefleet(*url).returncode == 0
        assert "TLS_ISSUE" in storefleet("notifications", "test").stdout
        trusted = storefleet(*url, "--trust", identity)
        assert trusted.returncode == 0, trusted.stderr
        assert "SUCCESS" in storefleet("notifications", "test").stdout
        description = world.ask("world", world.name, "describeWorld")["notificationURLs"]["sandbox"]
        # The key, which is in the same file, stays where it is.
        assert description["trustedCertificates"] == certificate
        (tmp_path / "none.pem").write_text("nothing")
        for file, code, word in [("none.pem", 1, "no certificate"), ("missing.pem", 3, "cannot read")]:
            refused = storefleet(*url, "--trust", tmp_path / file)
            assert refused.returncode == code and word in refused.stderr
        plain = storefleet("notifications", "url", "http://127.0.0.1:1/", "--trust", identity)
        assert plain.returncode == 2 and "https alone" in plain.stderr


@pytest.mark.parametrize(
    "endpoint",
    [
        {"url": "https://localhost:1/", "trustedCertificates": "no certificate"},
        {"url": "https://localhost:1/", "trustedCertificates": ""},
        {"url": "https://localhost:1/", "trustedCertificates": "x" * 70_000},
        {"url": "http://localhost:1/", "trustedCertificates": "no certificate"},
        {"url": "https://localhost:1/", "trustedCertificates": "-----BEGIN PRIVATE KEY-----\nMIGH"},
    ],
)
def test_certificates_that_are_none_are_refused(world, endpoint):
    with pytest.raises(WireError) as error:
        world.ask("world", world.name, "setNotificationURL", {"endpoint": endpoint})
    assert error.value.code == "badBody" and "certificate" in str(error.value)
