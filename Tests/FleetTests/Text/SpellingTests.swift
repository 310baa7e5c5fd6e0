import Shared
import Testing

struct SpellingTests {
  @Test(arguments: [
    ("", "", 0), ("run", "run", 0), ("rnu", "run", 1), ("rn", "run", 1), ("devcie", "device", 1), ("", "abc", 3),
    ("kitten", "sitting", 3),
  ])
  func distanceCountsTheEdits(left: String, right: String, edits: Int) {
    #expect(Spelling.distance(left, right) == edits)
    #expect(Spelling.distance(right, left) == edits)
  }

  @Test func onlyANearWordIsProposed() {
    #expect(Spelling.closest(to: "simluate", among: ["server", "simulate"]) == "simulate")
    #expect(Spelling.closest(to: "frobnicate", among: ["server", "simulate"]) == nil)
    #expect(Spelling.closest(to: "x", among: []) == nil)
  }
}
