import Shared
import Testing

@Suite struct TransactionIDTests {
  @Test(arguments: ["0", "7", "007", "2000000000000001", "18446744073709551615"])
  func digitsAreAnID(_ text: String) { #expect(TransactionID(text)?.rawValue == UInt64(text)) }

  @Test(arguments: [
    "", " ", "+5", "-5", "1.5", "0x10", "12 ", "1_000", "٣", "18446744073709551616", "184467440737095516150", "abc",
  ])
  func everythingElseIsNone(_ text: String) {
    #expect(TransactionID(text) == nil)
    #expect(TransactionID(text[...]) == nil)
  }
}
