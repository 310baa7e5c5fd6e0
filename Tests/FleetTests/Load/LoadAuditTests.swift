import Fleet
import Shared
import Testing
import Wire

@Suite struct LoadAuditTests {
  /// Two processes; `a1`, `a2` and `a3` are devices of one account, `b1` is alone in its own.
  private let accounts = ["a1": "a", "a2": "a", "a3": "a", "b1": "b"]
  private var one = LoadRecord(devices: ["a1", "a2"])
  private var two = LoadRecord(devices: ["a3", "b1"])

  private func audit(_ change: (inout LoadRecord, inout LoadRecord) -> Void) -> LoadAudit {
    var (one, two) = (one, two)
    change(&one, &two)
    return LoadAudit([one, two], accountOfDevice: accounts)
  }

  @Test func everyOtherDeviceOfTheAccountIsOwedThePurchase() {
    let audit = audit { one, two in
      one.buy(0, 100, at: 1_000)
      one.see(1, 100, at: 1_400)
      two.see(0, 100, at: 1_900)
      two.buy(1, 900, at: 2_000)
    }
    #expect((audit.bought, audit.owed, audit.delivered, audit.lost) == (2, 2, 2, 0))
    #expect((audit.duplicates, audit.late, audit.unacknowledged) == (0, 0, 0))
    #expect(audit.propagation.count == 2)
    #expect(audit.propagation.maximum == 900)
    #expect(audit.propagation.percentile(thousandths: 500) == 400)
  }

  @Test func whatADeviceNeverGotIsLost() {
    let audit = audit { one, two in
      one.buy(0, 100)
      two.see(0, 100)
    }
    #expect((audit.owed, audit.delivered, audit.lost) == (2, 1, 1))
  }

  @Test func whatADeviceGotAgainIsADuplicateAndMakesUpForNoLoss() {
    let audit = audit { one, two in
      one.buy(0, 100)
      two.see(0, 100)
      two.see(0, 100)
    }
    #expect((audit.lost, audit.duplicates) == (1, 1))
    #expect(audit.propagation.count == 1)
  }

  @Test func theBuyerLearnsOfItFromItsPurchaseAlone() {
    let audit = audit { one, _ in
      one.buy(0, 100)
      one.see(0, 100)
      one.see(1, 100)
    }
    #expect((audit.lost, audit.duplicates) == (1, 1))
  }

  @Test func anEarlierTransactionAfterALaterOneIsLate() {
    let audit = audit { one, two in
      one.buy(0, 100)
      one.buy(0, 101)
      one.buy(0, 102)
      for id in [101, 100, 102] as [UInt64] { one.see(1, id) }
      for id in [100, 101, 102] as [UInt64] { two.see(0, id) }
    }
    #expect((audit.late, audit.lost, audit.duplicates) == (1, 0, 0))
  }

  @Test func aDeliveryThatNobodyWasToldToHaveBoughtIsNamedApart() {
    let audit = audit { _, two in two.see(0, 100) }
    #expect((audit.unacknowledged, audit.owed, audit.lost, audit.duplicates) == (1, 0, 0, 0))
  }

  @Test func aTransactionThatWasHandedBackToASecondBuyerIsOwedToTheRest() {
    let audit = audit { one, two in
      one.buy(0, 100)
      one.see(1, 100)
      one.buy(1, 100)
      two.see(0, 100)
    }
    #expect((audit.bought, audit.existing, audit.owed, audit.delivered) == (1, 1, 1, 1))
    #expect((audit.lost, audit.duplicates) == (0, 0))
  }

  @Test func indexesThatARecordDoesNotExplainArePassedOver() {
    let audit = audit { one, _ in
      one.buy(9, 100)
      one.see(9, 100)
    }
    #expect((audit.bought, audit.unacknowledged) == (0, 0))
  }
}

extension LoadRecord {
  fileprivate mutating func buy(_ device: UInt32, _ transaction: UInt64, at intendedAt: Int64 = 0) {
    purchases.append(LoadPurchase(device: device, transaction: transaction, intendedAt: intendedAt))
  }

  fileprivate mutating func see(_ device: UInt32, _ transaction: UInt64, at: Int64 = 0) {
    deliveries.append(LoadDelivery(device: device, transaction: transaction, at: at))
  }
}
