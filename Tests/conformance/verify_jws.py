"""Verifies a signed transaction with Apple's own server library.

usage: verify_jws.py ROOT_DER_FILE JWS BUNDLE_ID ENVIRONMENT

Prints the decoded transaction as one JSON object; if the library refuses it, prints its status and ends with 1.
"""

import json
import sys

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException


def main() -> int:
    if len(sys.argv) != 5:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root_path, jws, bundle_id, environment = sys.argv[1:]
    with open(root_path, "rb") as file:
        roots = [file.read()]
    # Online checks ask the certificates' OCSP responder, which the certificates of a Storefleet world do not name.
    verifier = SignedDataVerifier(roots, False, Environment(environment), bundle_id)
    try:
        transaction = verifier.verify_and_decode_signed_transaction(jws)
    except VerificationException as error:
        print(error.status.name)
        return 1
    print(
        json.dumps(
            {
                "transactionId": transaction.transactionId,
                "productId": transaction.productId,
                "type": transaction.rawType,
                "signedDate": transaction.signedDate,
            },
            sort_keys=True,
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
