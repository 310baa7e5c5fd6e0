import Foundation
import Shared
import Testing

@Suite struct DeviceVerificationTests {
  let deviceID = UUID(uuidString: "0F7A3B52-9C1D-4E86-A5B4-1D2E3F405162")!
  let nonce = UUID(uuidString: "E3C5A1B0-7D42-4F19-8B6E-9A0B1C2D3E4F")!

  /// From `printf e3c5a1b0-…3e4f0f7a3b52-…5162 | openssl dgst -sha384 -binary | base64`, with the ids written out.
  let known = "AZ9G5p52EWN7BZhSrlOSuCZEuuoG6adN0nO139CdFgnhs2kaFZcrRNY4Fc8yHmkw"

  @Test func theDigestIsSHA384OfNonceAndDeviceInLowerCase() throws {
    #expect(try DeviceVerification.digest(nonce: nonce, deviceID: deviceID).base64EncodedString() == known)
    #expect(try DeviceVerification(nonce: nonce, deviceID: deviceID).digest.base64EncodedString() == known)
  }

  @Test(arguments: ["E3C5A1B0-7D42-4F19-8B6E-9A0B1C2D3E4F", "e3c5a1b0-7d42-4f19-8b6e-9a0b1c2d3e4f"])
  func theRightDeviceAcceptsItsData(nonce: String) throws {
    try DeviceVerification.check(deviceVerification: known, nonce: nonce, deviceID: deviceID)
  }

  @Test func anotherDeviceAnotherNonceAndNonsenseAreInvalidDeviceVerification() {
    let text = nonce.uuidString
    for (digest, nonce, device) in [
      (known, text, UUID()), (known, UUID().uuidString, deviceID), (known, "x", deviceID), ("", text, deviceID),
      ("!", text, deviceID), (String(known.dropLast(4)), text, deviceID),
    ] {
      #expect(throws: VerificationFailure.invalidDeviceVerification) {
        try DeviceVerification.check(deviceVerification: digest, nonce: nonce, deviceID: device)
      }
    }
  }

  @Test func absentPropertiesAreMissingRequiredProperties() {
    for (digest, nonce) in [(nil, nonce.uuidString), (known, nil), (nil, nil)] as [(String?, String?)] {
      #expect(throws: VerificationFailure.missingRequiredProperties) {
        try DeviceVerification.check(deviceVerification: digest, nonce: nonce, deviceID: deviceID)
      }
    }
  }
}
