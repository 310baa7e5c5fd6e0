import ClientNode
import Foundation
import ServerNode
import Shared
import Testing
import Wire

extension Town {
  // MARK: The store's

  func perform(_ effect: ServerEffect) {
    switch effect {
    case .load(let address):
      give(.loaded(address, Result { () throws(JournalError) in try journal.activate(address) }))
    case .loadWhole(let address):
      give(.loaded(address, Result { () throws(JournalError) in try journal.load(address) }))
    case .appendTogether(let ticket, _) where isDiskFull:
      give(.appendedTogether(ticket, .failure(JournalError(.full, "no space"))))
    case .appendTogether(let ticket, let appends):
      give(.appendedTogether(ticket, Result { () throws(JournalError) in try journal.commit(appends) }))
    case .readRecords(let ticket, let actor, let wanted):
      give(.readRecords(ticket, Result { () throws(JournalError) in try journal.archived(wanted, of: actor) }))
    case .append(let ticket, _) where isDiskFull: give(.appended(ticket, .failure(JournalError(.full, "no space"))))
    case .append(let ticket, let append):
      give(.appended(ticket, Result { () throws(JournalError) in try journal.commit([append])[0] }))
    case .read(let ticket, let actor, let after, let limit):
      give(
        .read(ticket, Result { () throws(JournalError) in try journal.events(of: actor, after: after, limit: limit) }))
    case .readNotifications(let ticket, let actor, let query):
      give(
        .readNotifications(
          ticket, Result { () throws(JournalError) in try journal.notifications(of: actor, matching: query) }))
    case .post(let ticket, let post): give(.posted(ticket, answersPost(post)))
    case .erase(let world, let keeping):
      give(
        .erased(
          world: world, Result { () throws(JournalError) in try journal.erase(world: world, keeping: keeping) }))
    case .openAuthority(let world, _): give(.authorityOpened(world: world, openAuthority(world)))
    case .sign(let ticket, let world, let jobs): give(.signed(ticket, sign(jobs, world)))
    case .send(let peer, let frames): deliver(frames, to: peer)
    case .publish(let frames):
      guard let event = try? EventFrames(frames: frames) else { return }
      for (name, phone) in phones.sorted(by: { $0.key < $1.key })
      where phone.isLinkUp && phone.subscriptions.contains(event.topic) {
        give(name, .event(frames))
      }
    case .wake(let delay): serverWakeAt = monotonic + delay
    case .log: break
    }
  }

  private func deliver(_ frames: [Data], to peer: PeerID) {
    for (name, phone) in phones {
      for link in ClientLink.allCases where phone.peer(link).bytes == peer.routingId {
        if link == .control || phone.isLinkUp { give(name, .received(link, frames)) }
        return
      }
    }
    if let reply = try? ReplyFrames(frames: frames), let id = reply.id { replies[id] = reply }
  }

  private func openAuthority(_ world: String) -> Result<WorldKeys, ServerNodeError> {
    do {
      let authority = try authorities[world] ?? CertificateAuthority(world: world)
      authorities[world] = authority
      let offersKey = try offersKeys[world] ?? OffersKey.generate(id: "OWN")
      offersKeys[world] = offersKey
      return .success(WorldKeys(rootCertificate: authority.rootDER, offersKey: offersKey))
    } catch { return .failure(ServerNodeError("\(error)")) }
  }

  private func sign(_ jobs: [SigningJob], _ world: String) -> Result<[Data], ServerNodeError> {
    do {
      let signer = try signers[world] ?? JWSSigner(authority: try #require(authorities[world]))
      signers[world] = signer
      return .success(try jobs.map { try $0.signed(by: signer) })
    } catch { return .failure(ServerNodeError("\(error)")) }
  }

  // MARK: A phone's

  func perform(_ effect: ClientEffect, _ name: String) {
    guard let phone = phones[name] else { return }
    switch effect {
    case .send(let link, let frames): send(frames, from: phone, over: link)
    case .subscribe(let topic):
      phones[name]?.subscriptions.insert(topic)
      if phone.isLinkUp { give(.subscribed(topic: topic)) }
    case .unsubscribe(let topic): phones[name]?.subscriptions.remove(topic)
    case .persist(let id, let write):
      phones[name]?.disk.save(write)
      give(name, .persisted(id, failure: nil))
    case .wake(let at): phones[name]?.wakeAt = at.map { ($0.microseconds + 999) / 1_000 }
    case .answer(let call, let result):
      if phone.answers[call] != nil { Issue.record("a call was answered twice") }
      phones[name]?.answers[call] = result
    case .yield(let iterators, let element): hear(element, iterators, name)
    case .notice(_, let notice): phones[name]?.notices.append(notice)
    case .end(let iterators): phones[name]?.ended.formUnion(iterators)
    case .startApp(let identity, _): startApp(AppID(device: name, incarnation: identity.incarnation))
    case .killApp(let app): give(name, .appKilled(app))
    case .readScreen(let app): give(name, .screenRead(app, AppScreen(access: .locked)))
    case .signIn(let request, let app, _): give(name, .signedIn(request, app))
    case .log(let line): phones[name]?.log.append(line)
    case .fail(let error): Issue.record("phone \(name) cannot go on: \(error)")
    case .connectEvents, .appear, .allowPayments, .buy, .restore, .askHost, .ready, .showTime, .remember, .endProcess:
      break
    }
  }

  private func send(_ frames: [Data], from phone: Phone, over link: ClientLink) {
    if let request = try? RequestFrames(frames: frames) {
      requests[request.name, default: 0] += 1
      guard link == .control || (phone.isLinkUp && letsThrough(phone.name, request.name)) else { return }
    }
    give(.received(peer: PeerID(phone.peer(link).bytes), frames: frames))
  }

  /// What the app's initializer does.
  private func startApp(_ app: AppID) {
    let name = app.device
    phones[name]?.app = app
    phones[name]?.listeners = []
    phones[name]?.heard = [:]
    phones[name]?.statuses = []
    phones[name]?.storefronts = []
    for _ in 0..<(phones[name]?.listensAtLaunch ?? 0) { listen(on: name) }
    iterators += 1
    phones[name]?.statusListener = IteratorID(iterators)
    give(name, .iteratorOpened(IteratorID(iterators), app, .statuses))
    iterators += 1
    give(name, .iteratorOpened(IteratorID(iterators), app, .storefronts))
    give(name, .appLaunched(app, failure: nil))
  }

  private func hear(_ element: StreamElement, _ iterators: [IteratorID], _ name: String) {
    guard let phone = phones[name], let app = phone.app else { return }
    switch element {
    case .storefront(let storefront): phones[name]?.storefronts.append(storefront)
    case .status(let status): phones[name]?.statuses.append(status)
    case .transaction(let transaction):
      for iterator in iterators {
        if phone.ended.contains(iterator) { Issue.record("an iterator that has ended got an element") }
        phones[name]?.heard[iterator, default: []].append(transaction)
      }
      guard phone.finishes, let first = phone.listeners.first, iterators.contains(first) else { return }
      calls += 1
      give(name, .call(CallID(calls), app, .finish(transaction.record.transactionId)))
    }
  }
}
