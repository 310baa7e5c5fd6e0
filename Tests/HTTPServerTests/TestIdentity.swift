import HTTPServer

/// A certificate for localhost and 127.0.0.1 that signs itself and outlives the project. For tests only: its key is
/// public.
enum TestIdentity {
  static let tls = HTTPTLSIdentity(certificateChain: certificate, privateKey: key)

  static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBmjCCAUGgAwIBAgIULvzzqWpGnhMAbViOm8tCxp5CrrcwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTIwMTA1MTIyNloYDzIxMjYxMTA3
    MDUxMjI2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAAR+2MX9MSD7bszZQyG+Q96e1WYX3801pod1i8GghtuGkIDM4J4pHn3n
    8PeXeWH+ReQcyVQQgvnGywt/2PMGih7mo28wbTAdBgNVHQ4EFgQUo+VZwaxOK1Z7
    0/USTWnM/dRjjUYwHwYDVR0jBBgwFoAUo+VZwaxOK1Z70/USTWnM/dRjjUYwGgYD
    VR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZI
    zj0EAwIDRwAwRAIgTFAClncNKTikRhefce3QKFnN/IqRTCQiVgJiYkQRObQCIBN0
    +h+ZrJdJyY0fHxcp3r9UmIWMuzXn0YKVm203IDVn
    -----END CERTIFICATE-----

    """

  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6CuJI6EDAgItkhu/
    ee0JeBUF1SmZsgVWCr+UAO3AbX+hRANCAAR+2MX9MSD7bszZQyG+Q96e1WYX3801
    pod1i8GghtuGkIDM4J4pHn3n8PeXeWH+ReQcyVQQgvnGywt/2PMGih7m
    -----END PRIVATE KEY-----

    """
}
