"""Every notification that the store sends, received over HTTP and verified with Apple's library as published: nothing
is patched, the world's own root takes the place of Apple's."""

import base64
import time
import uuid

import pytest
from appstoreserverlibrary.models.ConsumptionRequestReason import ConsumptionRequestReason
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException, VerificationStatus

from conftest import World
from receiver import Receiver
from storefleet_wire import WireError

HOUR = 3_600_000
APP_APPLE_ID = 1_344_663_403
T = NotificationTypeV2
S = Subtype


class Backend:
    """A world, and a developer's server that hears of it."""

    def __init__(self, client, environment="Sandbox", statuses=(), **settings):
        self.receiver = Receiver(statuses)
        self.environment = environment
        self.world = World(
            client, environment=environment, notificationURLs={"production": {"url": self.receiver.url}}, **settings
        )
        root = base64.b64decode(self.world.description["rootCertificate"])
        app_apple_id = APP_APPLE_ID if environment == "Production" else None
        self.verifier = SignedDataVerifier([root], False, Environment(environment), World.BUNDLE, app_apple_id)

    def ask(self, name, body=None):
        return self.world.ask("notifications", self.world.name, name, body)

    def act(self, account, name, **body):
        return self.world.ask("account", account, name, body)

    def verify(self, payload):
        """The notification, with the transaction and the renewal info in it verified too."""
        told = self.verifier.verify_and_decode_notification(payload)
        if told.data and told.data.signedTransactionInfo:
            told.transaction = self.verifier.verify_and_decode_signed_transaction(told.data.signedTransactionInfo)
        if told.data and told.data.signedRenewalInfo:
            told.renewal = self.verifier.verify_and_decode_renewal_info(told.data.signedRenewalInfo)
        return told

    def hear(self, *expected):
        """Takes as many notifications as are expected, checks them, and that there are no others."""
        told = [self.verify(self.receiver.next()) for _ in expected]
        self.world.ask("world", self.world.name, "settle")
        assert self.receiver.is_quiet()
        kinds = [(each.notificationType, each.subtype) for each in told]
        assert sorted(kinds, key=str) == sorted(expected, key=str)
        for each in told:
            assert each.version == "2.0" and uuid.UUID(each.notificationUUID)
            assert each.data.bundleId == World.BUNDLE and each.data.environment == Environment(self.environment)
            if each.notificationType is not T.TEST:
                assert each.transaction.bundleId == World.BUNDLE
                is_subscription = each.transaction.expiresDate is not None
                assert (each.data.signedRenewalInfo is not None) == is_subscription
                assert (each.data.status is not None) == is_subscription
        return told

    def buy(self, account, product, **options):
        return self.world.buy(account, product, **options)

    def advance(self, days):
        return self.world.advance(days)

    def auto_renew(self, account, product, on):
        self.act(account, "setAutoRenew", productId=f"{World.BUNDLE}.{product}", on=on)

    def close(self):
        self.receiver.close()


@pytest.fixture
def make(client):
    made = []

    def make(*arguments, **settings):
        made.append(Backend(client, *arguments, **settings))
        return made[-1]

    yield make
    for backend in made:
        backend.close()


@pytest.fixture
def backend(make):
    backend = make()
    backend.world.open("alice")
    return backend


# Types and subtypes


def test_a_test_notification(backend):
    token = backend.ask("requestTestNotification")["testNotificationToken"]
    (told,) = backend.hear((T.TEST, None))
    assert told.data.signedTransactionInfo is None and told.data.status is None
    status = backend.ask("getTestNotificationStatus", {"testNotificationToken": token})
    assert [each["sendAttemptResult"] for each in status["sendAttempts"]] == ["SUCCESS"]
    assert backend.verify(status["signedPayload"]).notificationUUID == told.notificationUUID


def test_without_a_url_a_test_is_refused(world):
    with pytest.raises(WireError) as error:
        world.ask("notifications", world.name, "requestTestNotification")
    assert error.value.refusal == "noNotificationURL"


@pytest.mark.parametrize("product", ["coins", "lifetime", "season"])
def test_one_time_charges(backend, product):
    backend.buy("alice", product)
    (told,) = backend.hear((T.ONE_TIME_CHARGE, None))
    assert told.transaction.productId == f"{World.BUNDLE}.{product}"


def test_a_subscription_from_its_beginning_to_its_end(backend):
    backend.buy("alice", "basic.monthly")
    (told,) = backend.hear((T.SUBSCRIBED, S.INITIAL_BUY))
    assert told.data.status is Status.ACTIVE and told.renewal.autoRenewProductId == f"{World.BUNDLE}.basic.monthly"
    backend.advance(40)
    (told,) = backend.hear((T.DID_RENEW, None))
    assert told.transaction.rawTransactionReason == "RENEWAL"
    backend.auto_renew("alice", "basic.monthly", False)
    backend.hear((T.DID_CHANGE_RENEWAL_STATUS, S.AUTO_RENEW_DISABLED))
    backend.auto_renew("alice", "basic.monthly", True)
    backend.hear((T.DID_CHANGE_RENEWAL_STATUS, S.AUTO_RENEW_ENABLED))
    backend.auto_renew("alice", "basic.monthly", False)
    backend.hear((T.DID_CHANGE_RENEWAL_STATUS, S.AUTO_RENEW_DISABLED))
    backend.advance(40)
    (told,) = backend.hear((T.EXPIRED, S.VOLUNTARY))
    assert told.data.status is Status.EXPIRED
    backend.buy("alice", "basic.monthly")
    backend.hear((T.SUBSCRIBED, S.RESUBSCRIBE))


def test_changes_of_the_plan(backend):
    backend.buy("alice", "basic.monthly")
    backend.hear((T.SUBSCRIBED, S.INITIAL_BUY))
    backend.buy("alice", "monthly")
    (told,) = backend.hear((T.DID_CHANGE_RENEWAL_PREF, S.UPGRADE))
    assert told.transaction.productId == f"{World.BUNDLE}.monthly"
    backend.buy("alice", "basic.monthly")
    (told,) = backend.hear((T.DID_CHANGE_RENEWAL_PREF, S.DOWNGRADE))
    assert told.renewal.autoRenewProductId == f"{World.BUNDLE}.basic.monthly"
    backend.buy("alice", "monthly")
    backend.hear((T.DID_CHANGE_RENEWAL_PREF, None))


def test_redeemed_offers_of_subscribers(backend):
    backend.buy("alice", "basic.monthly")
    backend.hear((T.SUBSCRIBED, S.INITIAL_BUY))
    code = {"productId": f"{World.BUNDLE}.yearly", "referenceName": "workshop"}
    backend.act("alice", "redeemCode", **code)
    (told,) = backend.hear((T.OFFER_REDEEMED, S.UPGRADE))
    assert told.transaction.rawOfferType == 3
    backend.world.open("ben")
    backend.buy("ben", "yearly")
    backend.advance(8)
    backend.hear((T.SUBSCRIBED, S.INITIAL_BUY), (T.DID_RENEW, None))
    backend.act("ben", "redeemCode", **code)
    (told,) = backend.hear((T.OFFER_REDEEMED, None))
    assert told.renewal.rawOfferType == 3, "it begins with the next renewal"


def test_failed_renewals_without_grace(backend):
    backend.buy("alice", "basic.monthly")
    backend.act("alice", "setBilling", fails=True)
    backend.advance(40)
    first, failed = backend.hear((T.SUBSCRIBED, S.INITIAL_BUY), (T.DID_FAIL_TO_RENEW, None))
    assert failed.data.status is Status.BILLING_RETRY and failed.renewal.isInBillingRetryPeriod
    backend.act("alice", "setBilling", fails=False)
    backend.hear((T.DID_RENEW, S.BILLING_RECOVERY))
    backend.act("alice", "setBilling", fails=True)
    backend.advance(100)
    backend.hear((T.DID_FAIL_TO_RENEW, None), (T.EXPIRED, S.BILLING_RETRY))


def test_failed_renewals_with_grace(make):
    backend = make(gracePeriod={"days": 16, "renewals": "all"})
    backend.world.open("alice")
    backend.buy("alice", "basic.monthly")
    backend.act("alice", "setBilling", fails=True)
    backend.advance(32)
    told = backend.hear((T.SUBSCRIBED, S.INITIAL_BUY), (T.DID_FAIL_TO_RENEW, S.GRACE_PERIOD))
    assert told[1].data.status is Status.BILLING_GRACE_PERIOD and told[1].renewal.gracePeriodExpiresDate
    backend.advance(20)
    backend.hear((T.GRACE_PERIOD_EXPIRED, None))


def test_price_increases(backend):
    backend.buy("alice", "basic.monthly")
    backend.hear((T.SUBSCRIBED, S.INITIAL_BUY))
    product = f"{World.BUNDLE}.basic.monthly"
    backend.act("alice", "requestPriceIncrease", productId=product, priceMilliunits=9_990, needsConsent=True)
    (told,) = backend.hear((T.PRICE_INCREASE, S.PENDING))
    assert told.renewal.rawPriceIncreaseStatus == 0
    backend.act("alice", "answerPriceIncrease", agree=True)
    backend.hear((T.PRICE_INCREASE, S.ACCEPTED))
    backend.act("alice", "requestPriceIncrease", productId=product, priceMilliunits=19_990, needsConsent=True)
    backend.advance(40)
    backend.hear((T.PRICE_INCREASE, S.PENDING), (T.EXPIRED, S.PRICE_INCREASE))


def test_refunds(backend):
    product = f"{World.BUNDLE}.coins"
    backend.buy("alice", "coins")
    backend.hear((T.ONE_TIME_CHARGE, None))
    backend.act("alice", "requestRefund", productId=product, reason="UNINTENDED_PURCHASE")
    (told,) = backend.hear((T.CONSUMPTION_REQUEST, None))
    assert told.data.consumptionRequestReason is ConsumptionRequestReason.UNINTENDED_PURCHASE
    backend.act("alice", "declineRefund", productId=product)
    backend.hear((T.REFUND_DECLINED, None))
    backend.world.refund("alice", "coins")
    (told,) = backend.hear((T.REFUND, None))
    assert told.transaction.revocationDate and told.transaction.rawRevocationReason == 1
    backend.act("alice", "reverseRefund", productId=product)
    (told,) = backend.hear((T.REFUND_REVERSED, None))
    assert told.transaction.revocationDate is None


def test_a_refund_request_for_a_subscription_switches_auto_renew_off(backend):
    backend.buy("alice", "monthly")
    backend.hear((T.SUBSCRIBED, S.INITIAL_BUY))
    backend.act("alice", "requestRefund", productId=f"{World.BUNDLE}.monthly")
    backend.hear((T.CONSUMPTION_REQUEST, None), (T.DID_CHANGE_RENEWAL_STATUS, S.AUTO_RENEW_DISABLED))


def test_an_extension(backend):
    backend.buy("alice", "basic.monthly")
    backend.hear((T.SUBSCRIBED, S.INITIAL_BUY))
    backend.act("alice", "extendSubscription", productId=f"{World.BUNDLE}.basic.monthly", days=9, reason=0)
    backend.hear((T.RENEWAL_EXTENDED, None))


def test_a_family(backend):
    world = backend.world
    world.open("kid")
    world.ask("family", "f", "createFamily", {"organizer": "alice"})
    world.ask("family", "f", "joinFamily", {"account": "kid"})
    backend.buy("alice", "monthly")
    told = backend.hear((T.SUBSCRIBED, S.INITIAL_BUY), (T.SUBSCRIBED, S.INITIAL_BUY))
    owners = {each.transaction.inAppOwnershipType for each in told}
    assert owners == {InAppOwnershipType.PURCHASED, InAppOwnershipType.FAMILY_SHARED}
    assert len({each.transaction.originalTransactionId for each in told}) == 2
    assert len({each.transaction.appTransactionId for each in told}) == 2
    world.ask("family", "f", "leaveFamily", {"account": "kid"})
    (told,) = backend.hear((T.REVOKE, None))
    assert told.transaction.rawRevocationReason == 0 and told.data.status is Status.REVOKED


# BR-58, BR-69: what is accepted, and what is not


def test_br58_production_has_the_apps_id_and_other_environments_do_not(make):
    production = make("Production")
    production.world.open("alice")
    production.buy("alice", "coins")
    (told,) = production.hear((T.ONE_TIME_CHARGE, None))
    assert told.data.appAppleId == APP_APPLE_ID
    sandbox = make()
    sandbox.world.open("alice")
    sandbox.buy("alice", "coins")
    payload = sandbox.receiver.next()
    assert sandbox.verify(payload).data.appAppleId is None
    with pytest.raises(VerificationException):
        production.verifier.verify_and_decode_notification(payload)


def test_br58_another_environment_is_refused_as_that(backend):
    backend.buy("alice", "coins")
    payload = backend.receiver.next()
    root = base64.b64decode(backend.world.description["rootCertificate"])
    verifier = SignedDataVerifier([root], False, Environment.PRODUCTION, World.BUNDLE, APP_APPLE_ID)
    with pytest.raises(VerificationException) as error:
        verifier.verify_and_decode_notification(payload)
    assert error.value.status in (
        VerificationStatus.INVALID_ENVIRONMENT,
        VerificationStatus.INVALID_APP_IDENTIFIER,
    )


def test_br69_a_transaction_is_no_notification(backend):
    backend.buy("alice", "monthly")
    told = backend.verifier.verify_and_decode_notification(backend.receiver.next())
    for part in (told.data.signedTransactionInfo, told.data.signedRenewalInfo):
        with pytest.raises(VerificationException):
            backend.verifier.verify_and_decode_notification(part)


# Delivery


def test_br66_production_tries_again_on_the_worlds_clock(make):
    backend = make("Production", [503, 500, 404, 302])
    backend.world.open("alice")
    backend.buy("alice", "coins")
    backend.advance(4)
    payloads = backend.receiver.take(5)
    assert len(set(payloads)) == 1, "the same bytes at each try"
    told = backend.verify(payloads[0])
    now = backend.world.ask("world", backend.world.name, "describeWorld")["now"]
    history = backend.ask("getNotificationHistory", {"startDate": World.START, "endDate": now + 1})
    assert not history["hasMore"]
    (item,) = history["notificationHistory"]
    assert item["signedPayload"] == payloads[0]
    tries = [(each["attemptDate"] - told.signedDate) // HOUR for each in item["sendAttempts"]]
    assert tries == [0, 1, 13, 37, 85]
    results = [each["sendAttemptResult"] for each in item["sendAttempts"]]
    assert results == ["UNSUCCESSFUL_HTTP_RESPONSE_CODE"] * 4 + ["SUCCESS"]


def test_the_sandbox_tries_once(make):
    backend = make(statuses=[500])
    backend.world.open("alice")
    backend.buy("alice", "coins")
    backend.receiver.next()
    backend.advance(10)
    backend.buy("alice", "coins")
    backend.hear((T.ONE_TIME_CHARGE, None))
    states = [each["state"] for each in backend.ask("listNotifications", {"after": 0, "limit": 9})["notifications"]]
    assert states == ["failed", "delivered"]


def test_a_killed_server_goes_on(mortal_server):
    with mortal_server.connect() as client:
        client.hello()
        backend = Backend(client, "Production", statuses=[500])
        try:
            backend.world.open("alice")
            backend.buy("alice", "coins")
            first = backend.receiver.next()
            backend.world.ask("world", backend.world.name, "settle")
            mortal_server.kill()
            mortal_server.start()
            backend.advance(1)
            assert backend.receiver.next() == first
        finally:
            backend.close()


def test_the_fifth_try_arrives_though_the_server_is_killed_between_all_of_them(mortal_server):
    with mortal_server.connect() as client:
        client.hello()
        backend = Backend(client, "Production", statuses=[503] * 4)
        try:
            backend.world.open("alice")
            backend.buy("alice", "coins")
            def noted(tries):
                """The notification, once so many of its tries are on disk. After a restart, `settle` waits for phones."""
                deadline = time.monotonic() + 30
                while time.monotonic() < deadline:
                    (entry,) = backend.ask("listNotifications", {"after": 0, "limit": 9})["notifications"]
                    if len(entry["sendAttempts"]) == tries:
                        return entry
                raise AssertionError(f"not {tries} tries, but {entry}")

            seconds = []
            for tries, hours in enumerate((1, 12, 24, 48), start=1):
                noted(tries)
                mortal_server.kill()
                mortal_server.start()
                # The world is read from disk, which is no part of the wait.
                backend.world.ask("world", backend.world.name, "describeWorld")
                began = time.monotonic()
                backend.advance(hours / 24)
                seconds.append(time.monotonic() - began)
            assert min(seconds) < 1, "85 hours pass as fast as the receiver answers"
            entry = noted(5)
            payloads = backend.receiver.take(5)
            assert backend.receiver.is_quiet() and len(set(payloads)) == 1
            assert entry["state"] == "delivered"
            tries = [(each["attemptDate"] - World.START) // HOUR for each in entry["sendAttempts"]]
            assert tries == [0, 1, 13, 37, 85]
        finally:
            backend.close()
