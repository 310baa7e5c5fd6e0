import Testing
import Wire

@testable import ClientNode

@Suite(.timeLimit(.minutes(1))) struct NoticeBoardTests {
  @Test func theFirstReaderGetsWhatCameBefore() async {
    var board = NoticeBoard()
    board.post(.message(.generic))
    let first = DaemonStream<SendMessage.Reason>()
    board.add(first)
    let second = DaemonStream<SendMessage.Reason>()
    board.add(second)
    board.post(.message(.billingIssue))
    #expect(await first.next() == .generic)
    #expect(await first.next() == .billingIssue)
    #expect(await second.next() == .billingIssue)
    board.end()
    #expect(await first.next() == nil)
  }

  @Test func aReaderThatIsGoneLeavesTheNextOneWhatComes() async {
    var board = NoticeBoard()
    do {
      let reader = DaemonStream<SendPurchaseIntent>()
      board.add(reader)
    }
    board.post(.purchaseIntent(SendPurchaseIntent(productId: "a")))
    let reader = DaemonStream<SendPurchaseIntent>()
    board.add(reader)
    #expect(await reader.next()?.productId == "a")
  }
}
