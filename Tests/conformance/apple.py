"""A developer's server with Apple's own library, as published, pointed at a world instead of at Apple."""

import base64
import json

import pytest
from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

CLIENT_ENVIRONMENTS = {"Production": Environment.PRODUCTION}
VERIFIER_ENVIRONMENTS = {
    "Production": Environment.PRODUCTION,
    "Sandbox": Environment.SANDBOX,
    "Xcode": Environment.XCODE,
    "LocalTesting": Environment.LOCAL_TESTING,
}


class Backend:
    """What `storefleet keys` gives a developer, put into Apple's classes."""

    def __init__(self, world, online=True):
        self.world = world
        self.keys = world.ask("world", world.name, "describeAPIKeys")
        self.root = base64.b64decode(self.keys["rootCertificate"])
        self.verifier = self.verifying([self.root], online=online)

    def url(self, base):
        return f"{self.keys['http']}/{self.world.name}/{base}"

    def client(self, base="sandbox", key=None, key_id=None, issuer=None, bundle=None):
        environment = Environment.PRODUCTION if base == "production" else Environment.SANDBOX
        client = AppStoreServerAPIClient(
            (key or self.keys["privateKey"]).encode(),
            key_id or self.keys["keyId"],
            issuer or self.keys["issuerId"],
            bundle or self.keys["bundleId"],
            environment,
        )
        client._base_url = self.url(base)
        return client

    def verifying(self, roots, environment=None, online=False, bundle=None):
        environment = environment or VERIFIER_ENVIRONMENTS[self.world.environment]
        number = self.keys.get("appAppleId") or (1 if environment == Environment.PRODUCTION else None)
        return SignedDataVerifier(roots, online, environment, bundle or self.keys["bundleId"], number)

    def verified(self, signed):
        return self.verifier.verify_and_decode_signed_transaction(signed)


def header_of(jws):
    """The JOSE header, read without the library."""
    part = jws.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def payload_of(jws):
    part = jws.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def order_id(transaction):
    """docs/server-api.md: the number behind 2000000000000000, in base 32."""
    digits, rest, text = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", transaction - 2_000_000_000_000_000, ""
    while rest or len(text) < 10:
        text, rest = digits[rest % 32] + text, rest // 32
    return "M" + text


def refused(call, *arguments):
    """The code of the error that a call ends in."""
    with pytest.raises(APIException) as caught:
        call(*arguments)
    assert caught.value.http_status_code == caught.value.raw_api_error // 10_000
    assert caught.value.error_message
    return caught.value.api_error
