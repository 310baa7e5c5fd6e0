import Foundation
import Testing
import Wire

@Suite(.timeLimit(.minutes(2))) struct ZMQPublishingTests {
  @Test func aVerbosePublisherHearsEachRepeatedSubscription() async throws {
    try await withReactor { context, reactor in
      let publisher = TestPeer(context, reactor)
      try await publisher.open(.xpub, .unbounded { $0.xpubVerbose = true })
      let endpoint = try await publisher.bind("tcp://127.0.0.1:*")
      var subscribers: [TestPeer] = []
      for kind in [ZMQSocketKind.sub, .xsub, .sub] {
        let subscriber = TestPeer(context, reactor)
        try await subscriber.open(kind)
        try await subscriber.connect(endpoint)
        try await subscriber.subscribe("news;")
        #expect(ZMQSubscriptionChange(try await publisher.next()) == .subscribe(Data("news;".utf8)))
        subscribers.append(subscriber)
      }
      // Only the last of three leaves a topic without readers.
      for subscriber in subscribers { try await subscriber.unsubscribe("news;") }
      #expect(ZMQSubscriptionChange(try await publisher.next()) == .unsubscribe(Data("news;".utf8)))
      try await subscribers[0].subscribe("end;")
      #expect(ZMQSubscriptionChange(try await publisher.next()) == .subscribe(Data("end;".utf8)))
    }
  }

  @Test func whatIsPublishedAfterTheSubscriptionEchoIsNeverLost() async throws {
    try await withReactor { context, reactor in
      let publisher = TestPeer(context, reactor)
      let subscriber = TestPeer(context, reactor)
      try await publisher.open(.xpub, .unbounded { $0.xpubVerbose = true })
      try await subscriber.open(.sub)
      try await subscriber.connect(try await publisher.bind("tcp://127.0.0.1:*"))
      for round in 0..<1000 {
        let topic = "t/\(round);"
        try await subscriber.subscribe(topic)
        #expect(ZMQSubscriptionChange(try await publisher.next()) == .subscribe(Data(topic.utf8)))
        #expect(try await publisher.send(topic, "event"))
        #expect(try await subscriber.nextTexts() == [topic, "event"])
        if round.isMultiple(of: 3) {
          try await subscriber.unsubscribe(topic)
          #expect(ZMQSubscriptionChange(try await publisher.next()) == .unsubscribe(Data(topic.utf8)))
        }
      }
    }
  }

  @Test func aTopicOfAnotherDeviceIsNotDelivered() async throws {
    try await withReactor { context, reactor in
      let publisher = TestPeer(context, reactor)
      let subscriber = TestPeer(context, reactor)
      try await publisher.open(.xpub)
      try await subscriber.open(.sub)
      try await subscriber.connect(try await publisher.bind("inproc://\(UUID())"))
      let one = ActorAddress(world: "w", kind: .device, key: "1").topic
      let ten = ActorAddress(world: "w", kind: .device, key: "10").topic
      try await subscriber.subscribe(one)
      _ = try await publisher.next()
      #expect(try await publisher.send(ten, "for ten"))
      #expect(try await publisher.send(one, "for one"))
      #expect(try await subscriber.nextTexts() == [one, "for one"])
    }
  }

  @Test func otherSocketsCannotSubscribe() async throws {
    try await withReactor { context, reactor in
      let dealer = TestPeer(context, reactor)
      try await dealer.open(.dealer)
      let error = await #expect(throws: ZMQError.self) { try await dealer.subscribe("t") }
      #expect(error?.code == .notSupported)
      let subscriber = TestPeer(context, reactor)
      try await subscriber.open(.sub)
      let refused = await #expect(throws: ZMQError.self) { try await subscriber.send("t") }
      #expect(refused?.code == .notSupported)
    }
  }

  @Test func whatIsNoSubscriptionReadsAsNone() {
    #expect(ZMQSubscriptionChange([Data([1])]) == .subscribe(Data()))
    #expect(ZMQSubscriptionChange([Data([0, 65])]) == .unsubscribe(Data("A".utf8)))
    #expect(ZMQSubscriptionChange([Data([2, 65])]) == nil)
    #expect(ZMQSubscriptionChange([Data()]) == nil)
    #expect(ZMQSubscriptionChange([]) == nil)
    #expect(ZMQSubscriptionChange([Data([1]), Data()]) == nil)
  }
}
