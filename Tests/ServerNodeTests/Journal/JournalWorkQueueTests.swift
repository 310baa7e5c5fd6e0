@testable import ServerNode
import Testing
import Wire

@Suite struct JournalWorkQueueTests {
  private func append(_ count: Int = 1, bytes: Int = 0) -> JournalWorkQueue.Work {
    let appends = (0..<count).map { _ in JournalAppend.purchase() }
    return .append(JournalWorkQueue.Append(appends: appends, byteCount: bytes) { _ in })
  }

  /// How many entries each turn takes: appends, reads.
  private func turns(_ work: [JournalWorkQueue.Work]) -> [[Int]] {
    var queue = JournalWorkQueue()
    for entry in work { queue.add(entry) }
    var turns: [[Int]] = []
    while let turn = queue.takeTurn() { turns.append([turn.appends.count, turn.reads.count]) }
    return turns
  }

  @Test func anEmptyQueueHasNoTurn() { #expect(turns([]) == []) }

  @Test func aTurnIsBoundedInAppends() {
    #expect(turns(Array(repeating: append(), count: 1_500)) == [[1_024, 0], [476, 0]])
  }

  @Test func aTurnIsBoundedInBytes() {
    #expect(turns(Array(repeating: append(bytes: 3 << 20), count: 2)) == [[1, 0], [1, 0]])
  }

  @Test func anEntryBeyondTheBoundsGoesAlone() {
    #expect(
      turns([append(), append(2_000), append(bytes: 1 << 30), append()]) == [[1, 0], [1, 0], [1, 0], [1, 0]])
  }

  @Test func readsDoNotSplitAGroup() {
    #expect(turns([append(), .read { _ in }, append(), .read { _ in }]) == [[2, 2]])
  }

  @Test func aReadNeverOvertakesAnAppendThatCameEarlier() {
    #expect(turns([append(), append(2_000), .read { _ in }]) == [[1, 0], [1, 1]])
  }

  @Test func aBarrierRunsAlone() {
    #expect(turns([append(), .barrier { _ in }, append(), .read { _ in }]) == [[1, 0], [0, 1], [1, 1]])
  }
}
