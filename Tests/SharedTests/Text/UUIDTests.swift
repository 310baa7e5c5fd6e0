import Foundation
import Shared
import Testing

@Suite struct UUIDTests {
  @Test func lowerCaseIsWhatFoundationWrites() {
    for _ in 0..<100 {
      let id = UUID()
      #expect(id.lowercaseText == id.uuidString.lowercased())
    }
  }
}
