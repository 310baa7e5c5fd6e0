import Foundation
import Shared
import Wire

extension ClientNodeCore {
  /// Sends a request and keeps it until it is answered.
  /// - Parameter giveUpMilliseconds: nil tries for ever.
  @discardableResult
  mutating func ask<Message: Request>(
    _ message: Message, of address: ActorAddress, for purpose: OutgoingRequest.Purpose, on link: ClientLink = .store,
    attachments: [Data] = [], giveUpMilliseconds: Int64? = nil
  ) -> RequestID {
    let id = RequestID(random.uuid())
    let frames = RequestFrames(message, to: address, id: id, attachments: attachments)
    requests[id] = OutgoingRequest(
      frames: frames, link: link, purpose: purpose,
      givesUpAt: giveUpMilliseconds.map { now.advanced(byMilliseconds: $0) })
    send(id)
    return id
  }

  private mutating func send(_ id: RequestID) {
    guard let request = requests[id] else { return }
    transmit(request.frames.frames, over: request.link, for: request.purpose)
    wait(id, milliseconds: request.replyMilliseconds)
  }

  private mutating func wait(_ id: RequestID, milliseconds: Int64) {
    let due = jitter(milliseconds...(milliseconds + milliseconds / 4))
    timers.set(.request(id), at: min(due, requests[id]?.givesUpAt ?? due))
  }

  mutating func requestDue(_ id: RequestID) {
    guard let request = requests[id] else { return }
    if let givesUpAt = request.givesUpAt, givesUpAt <= now {
      requests[id] = nil
      complete(request, id, .failure(WireError(.deadlineExceeded, "the store did not answer in time")))
      return
    }
    requests[id]?.attempts += 1
    send(id)
  }

  mutating func receive(_ frames: [Data], on link: ClientLink) {
    // Kinds are told apart by the header; what is neither is a reply that cannot be read.
    if link == .control, let header = frames.first, let (kind, _) = try? Frames.parseHeader(header),
      kind == Frames.Kind.request.rawValue
    {
      receiveControl(frames)
      return
    }
    do {
      arrive(try ReplyFrames(frames: frames), over: link)
    } catch {
      effects.append(.log("a message from the server was ignored: \(error.message)"))
    }
  }

  mutating func receive(_ reply: ReplyFrames) {
    guard let id = reply.id else {
      if case .failed(let error) = reply.outcome {
        effects.append(.log("the server could not read a message of this node: \(error.message)"))
      }
      return
    }
    if let link = link.take(id) {
      helloAnswered(reply.outcome, on: link)
      return
    }
    // A retry may be answered twice.
    guard let request = requests[id] else { return }
    switch reply.outcome {
    case .failed(let error) where error.isRetriable:
      if error.code == .helloFirst {
        self.link.greeted.remove(request.link)
        if request.link == .control { self.link.isListed = false }
        greet(request.link)
      }
      requests[id]?.attempts += 1
      timers.clear(.request(id))
      // `requestDue` sends it again; an attempt is counted there too, which only makes the back-off steeper.
      wait(id, milliseconds: request.backOffMilliseconds)
    case .failed(let error):
      requests[id] = nil
      timers.clear(.request(id))
      complete(request, id, .failure(error))
    case .ok(let body):
      requests[id] = nil
      timers.clear(.request(id))
      complete(request, id, .success((body, reply.attachments)))
    }
  }

  typealias Outcome = Result<(body: Data, attachments: [Data]), WireError>

  private mutating func complete(_ request: OutgoingRequest, _ id: RequestID, _ outcome: Outcome) {
    switch request.purpose {
    case .describeWorld: worldDescribed(decode(DescribeWorld.self, outcome))
    case .checkPositions(let sent): positionsChecked(sent, decode(CheckPositions.self, outcome))
    case .catchUp(let account, let after): caughtUp(account, after: after, decode(CatchUp.self, outcome))
    case .copies(let account, let wanted):
      let attachments = (try? outcome.get().attachments) ?? []
      copiesCame(account, wanted, decode(GetSignedCopies.self, outcome), attachments)
    case .reports: reportsSent(decode(ReportDevices.self, outcome))
    case .products(let app, let call): productsCame(app, call, decode(GetProducts.self, outcome))
    case .purchase(let app, let call): purchaseAnswered(app, call, decode(Purchase.self, outcome))
    case .sync(let app, let call): synced(app, call, decode(CatchUp.self, outcome))
    case .introEligibility(let app, let call, let group):
      eligibilityCame(app, call, group, decode(GetIntroEligibility.self, outcome))
    case .appTransaction(let app, let call):
      let jws = (try? outcome.get().attachments.first) ?? Data()
      appTransactionCame(app, call, decode(GetAppTransaction.self, outcome), jws)
    case .refundRequest(let app, let call): refundRequested(app, call, decode(RequestRefund.self, outcome))
    case .finish(let device, let ids): finishTold(device, ids, decode(Finish.self, outcome))
    case .claim(let device, let key): claimAnswered(device, key, decode(Claim.self, outcome))
    }
  }

  private func decode<Message: Request>(
    _ type: Message.Type, _ outcome: Outcome
  ) -> Result<Message.Reply, WireError> {
    outcome.flatMap { answer in
      Result { () throws(WireError) in try WireJSON.decode(Message.Reply.self, from: answer.body) }
    }
  }

  /// Forgets requests, so that their replies find nobody.
  mutating func drop(where isDropped: (OutgoingRequest.Purpose) -> Bool) -> [OutgoingRequest.Purpose] {
    let dropped = requests.filter { isDropped($0.value.purpose) }
    for id in dropped.keys {
      requests[id] = nil
      timers.clear(.request(id))
    }
    return dropped.sorted { $0.key.description < $1.key.description }.map(\.value.purpose)
  }
}
