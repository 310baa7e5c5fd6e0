"""A developer's server with Apple's own library, as published, pointed at a world instead of at Apple."""

import base64
import json

from appstoreserverlibrary.api_client import AppStoreServerAPIClient
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
