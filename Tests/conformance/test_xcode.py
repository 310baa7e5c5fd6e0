"""Worlds of the environment Xcode sign as StoreKit Testing in Xcode does, and Apple's library takes it as it takes
Xcode's: for its own environment it looks at no signature, and for every other one it refuses."""

import base64
import subprocess
import uuid

import pytest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import VerificationException, VerificationStatus
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from apple import Backend, header_of, payload_of
from conftest import EXECUTABLE, World
from receiver import Receiver

TIMES = ("purchaseDate", "originalPurchaseDate", "expiresDate", "signedDate")


@pytest.fixture
def world(client):
    world = World(client, environment="Xcode", habits={"profile": "xcode"})
    world.open("alice")
    return world


@pytest.fixture
def backend(world):
    return Backend(world)


def signed_transaction(world, backend, product="monthly"):
    return backend.client().get_transaction_info(world.bought("alice", product)).signedTransactionInfo


def is_signed_by(certificate, jws):
    """ES256, by hand: Apple's library does not look at it."""
    head, payload, signature = jws.split(".")
    raw = base64.urlsafe_b64decode(signature + "==")
    numbers = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    # Raises when it is not.
    certificate.public_key().verify(numbers, f"{head}.{payload}".encode(), ec.ECDSA(hashes.SHA256()))
    return True


def test_one_self_signed_certificate_signs(world, backend):
    signed = signed_transaction(world, backend)
    header = header_of(signed)
    assert set(header) == {"alg", "kid", "typ", "x5c"}
    assert (header["alg"], header["kid"], header["typ"]) == ("ES256", "Apple_Xcode_Key", "JWT")
    (text,) = header["x5c"]
    certificate = x509.load_der_x509_certificate(base64.b64decode(text))
    name = certificate.subject
    for kind in (x509.NameOID.COMMON_NAME, x509.NameOID.ORGANIZATION_NAME):
        assert [part.value for part in name.get_attributes_for_oid(kind)] == ["StoreKit Testing in Xcode"]
    assert certificate.issuer == name
    constraints = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
    assert constraints.ca and constraints.path_length == 0
    certificate.verify_directly_issued_by(certificate)
    assert is_signed_by(certificate, signed)
    # It is what the world gives out as its root: there is no other.
    assert base64.b64decode(text) == backend.root == base64.b64decode(world.description["rootCertificate"])
    assert Backend(World(world.client, environment="Xcode")).root != backend.root


def test_the_payload_is_xcodes(world, backend):
    payload = payload_of(signed_transaction(world, backend))
    assert payload["environment"] == "Xcode" and payload["isUpgraded"] is False
    assert all(isinstance(payload[time], float) for time in TIMES)
    # A copy for a server is bound to no device.
    assert "deviceVerification" not in payload
    signed = backend.client().get_app_transaction_info(payload["transactionId"]).signedAppTransactionInfo
    app = payload_of(signed)
    assert app["receiptType"] == "Xcode" and "appAppleId" not in app
    assert app["originalPurchaseDate"] == -62_135_769_600_000 and isinstance(app["requestDate"], float)


def test_apples_verifier_takes_it_as_xcodes_and_as_nothing_else(world, backend):
    signed = signed_transaction(world, backend)
    transaction = backend.verified(signed)
    assert transaction.environment == Environment.XCODE and transaction.isUpgraded is False
    assert int(transaction.purchaseDate) == world.START
    (group,) = backend.client().get_all_subscription_statuses(transaction.transactionId).data
    renewal = backend.verifier.verify_and_decode_renewal_info(group.lastTransactions[0].signedRenewalInfo)
    assert renewal.environment == Environment.XCODE and renewal.renewalDate == transaction.expiresDate
    app = backend.client().get_app_transaction_info(transaction.transactionId).signedAppTransactionInfo
    assert backend.verifier.verify_and_decode_app_transaction(app).receiptType == Environment.XCODE
    for environment in (Environment.SANDBOX, Environment.PRODUCTION):
        with pytest.raises(VerificationException) as error:
            backend.verifying([backend.root], environment).verify_and_decode_signed_transaction(signed)
        assert error.value.status is VerificationStatus.INVALID_CHAIN_LENGTH
    # Another environment's data is no Xcode's, whoever has signed it.
    other = World(world.client)
    other.open("alice")
    with pytest.raises(VerificationException) as error:
        backend.verified(signed_transaction(other, Backend(other)))
    assert error.value.status is VerificationStatus.INVALID_ENVIRONMENT


def test_nobody_vouches_for_it_online(world, backend):
    certificate = x509.load_der_x509_certificate(backend.root)
    with pytest.raises(x509.ExtensionNotFound):
        certificate.extensions.get_extension_for_class(x509.AuthorityInformationAccess)


def test_notifications_are_signed_alike(client):
    with Receiver() as receiver:
        world = World(client, environment="Xcode", notificationURLs={"production": {"url": receiver.url}})
        world.open("alice")
        world.buy("alice", "monthly")
        payload = receiver.next()
        told = Backend(world).verifier.verify_and_decode_notification(payload)
        assert told.data.environment == Environment.XCODE
        for signed in (payload, told.data.signedTransactionInfo, told.data.signedRenewalInfo):
            assert header_of(signed)["kid"] == "Apple_Xcode_Key"
        assert isinstance(payload_of(payload)["signedDate"], float)


def test_a_killed_server_signs_with_the_same_certificate(mortal_server):
    with mortal_server.connect() as client:
        client.hello()
        world = World(client, environment="Xcode")
        root = world.description["rootCertificate"]
        mortal_server.kill()
        mortal_server.start()
        assert world.ask("world", world.name, "describeWorld")["rootCertificate"] == root


@pytest.mark.parametrize(
    "options, environment",
    [
        (["--habits", "xcode"], "Xcode"),
        (["--habits", "xcode,lateListing=5"], "Xcode"),
        (["--habits", "xcode", "--environment", "Sandbox"], "Sandbox"),
        (["--habits", "field"], "Sandbox"),
        ([], "Sandbox"),
    ],
)
def test_the_profile_chooses_the_environment_where_none_is_said(server, client, options, environment):
    name = f"w-{uuid.uuid4()}"
    fleet = ["--connect", server.endpoints["requests"], "--token", server.token, "--world", name]
    subprocess.run([EXECUTABLE, "world", "create", *options, *fleet], check=True, capture_output=True)
    assert client.ask(f"{name}/world/{name}", "describeWorld").body["environment"] == environment
