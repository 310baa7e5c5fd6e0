import Foundation
import Shared
import Wire

extension ClientNodeCore {
  mutating func receiveControl(_ frames: [Data]) {
    let request: RequestFrames
    do {
      request = try RequestFrames(frames: frames)
    } catch {
      effects.append(.log("a control message was ignored: \(error.message)"))
      return
    }
    switch control.admit(request.id) {
    case .open: return
    case .answered(let frames):
      effects.append(.send(.control, frames))
      return
    case .new: break
    }
    let address = request.address
    if address == self.address(.node, configuration.node), request.name == HabitsChanged.name {
      do {
        take(try WireJSON.decode(HabitsChanged.self, from: request.body))
        reply(request.id, Done())
      } catch {
        reply(request.id, error)
      }
      return
    }
    if address == self.address(.node, configuration.node) {
      if request.name == SetNetworkFaults.name {
        setNetwork(request)
        return
      }
      effects.append(.askHost(request.id, name: request.name, body: request.body))
      return
    }
    guard address.world == configuration.world, address.kind == .device, devices[address.key] != nil else {
      reply(
        request.id,
        WireError(.unknownAddress, "\(address) does not live on client node \(configuration.node): send it elsewhere"))
      return
    }
    do {
      try obey(request, address.key)
    } catch {
      reply(request.id, error)
    }
  }

  private mutating func obey(_ request: RequestFrames, _ name: String) throws(WireError) {
    func body<Message: Request>(_ type: Message.Type) throws(WireError) -> Message {
      try WireJSON.decode(type, from: request.body)
    }
    switch request.name {
    case LaunchDevice.name: launch(name, request.id)
    case KillDevice.name: kill(name, request.id)
    case SetOnline.name:
      setOnline(name, try body(SetOnline.self).online)
      replyReport(request.id, name)
    case TapBuy.name: try buy(name, try body(TapBuy.self), request.id)
    case TapRestore.name:
      let tap = try body(TapRestore.self)
      let app = try runningApp(name)
      if tap.wait == false {
        reply(request.id, TapRestore.Reply(outcome: "started"))
      } else {
        control.taps[name, default: []].append(request.id)
      }
      effects.append(.restore(request.id, app))
    case HoldGate.name:
      let gate = try body(HoldGate.self)
      try gate.check()
      devices[name]?.gates.set(gate)
      touch(name)
      if !gate.held { release(name, gate) }
      replyReport(request.id, name)
    case SetSimulatedError.name:
      let error = try body(SetSimulatedError.self)
      try error.check()
      devices[name]?.errors.set(error)
      touch(name)
      replyReport(request.id, name)
    case SetPurchasesAllowed.name:
      allowPurchases(name, try body(SetPurchasesAllowed.self).allowed)
      replyReport(request.id, name)
    case SetInterruptedPurchases.name:
      devices[name]?.interruptsPurchases = try body(SetInterruptedPurchases.self).on
      touch(name)
      replyReport(request.id, name)
    case SetNetworkFaults.name:
      try setNetwork(try body(SetNetworkFaults.self).faults, of: name)
      replyReport(request.id, name)
    case SignInUser.name: signIn(name, try body(SignInUser.self).appAccountToken, request.id)
    case SetSkew.name:
      try setSkew(name, try body(SetSkew.self).milliseconds)
      replyReport(request.id, name)
    case BreakSync.name:
      let fault = try body(BreakSync.self)
      devices[name]?.updatesToLose = max(fault.dropUpdates, 0)
      devices[name]?.catchesUp = fault.catchUp
      if let account = devices[name]?.account { catchUpIfNeeded(account, within: 0...20) }
      touch(name)
      replyReport(request.id, name)
    case TamperCopies.name:
      let fault = try body(TamperCopies.self)
      devices[name]?.tampering = fault.count > 0 ? (fault.fault, fault.count) : nil
      replyReport(request.id, name)
    case SendMessage.name:
      give(.message(try body(SendMessage.self).reason), to: name)
      replyReport(request.id, name)
    case SendPurchaseIntent.name:
      give(.purchaseIntent(try body(SendPurchaseIntent.self)), to: name)
      replyReport(request.id, name)
    case InspectDevice.name:
      guard devices[name]?.app?.phase == .running else {
        replyReport(request.id, name)
        return
      }
      control.inspecting[name, default: []].append(request.id)
      readScreen(name)
    default:
      throw WireError(.unknownName, "a device knows no request '\(request.name.prefix(100))'")
    }
  }

  private mutating func setNetwork(_ request: RequestFrames) {
    do throws(WireError) {
      try setNetwork(try WireJSON.decode(SetNetworkFaults.self, from: request.body).faults)
      reply(request.id, Done())
    } catch {
      reply(request.id, error)
    }
  }

  private mutating func allowPurchases(_ name: String, _ allowed: Bool) {
    touch(name)
    devices[name]?.purchasesAllowed = allowed
    if let app = devices[name]?.app?.id { effects.append(.allowPayments(app, allowed)) }
  }

  private func runningApp(_ name: String) throws(WireError) -> AppID {
    guard let app = devices[name]?.app, app.phase == .running else {
      throw notRunning(name)
    }
    return app.id
  }

  // MARK: What people do to a phone

  private mutating func setOnline(_ name: String, _ online: Bool) {
    guard let device = devices[name], device.isOnline != online else { return }
    touch(name)
    if !online { cutOff(name) }
    devices[name]?.setOnline(online)
    if online {
      tellFinishes(name)
      hasten(device.account)
      catchUpIfNeeded(device.account, within: 0...20)
    }
  }

  private mutating func buy(_ name: String, _ tap: TapBuy, _ request: RequestID) throws(WireError) {
    let app = try runningApp(name)
    let order = PurchaseOrder(
      productId: tap.productId, quantity: tap.quantity, appAccountToken: devices[name]?.store.state.user,
      intendedAt: tap.intendedAt)
    if tap.wait {
      control.taps[name, default: []].append(request)
    } else {
      reply(request, TapBuy.Reply(phase: "started"))
    }
    effects.append(.buy(request, app, order))
  }

  private mutating func signIn(_ name: String, _ user: UUID?, _ request: RequestID) {
    touch(name)
    devices[name]?.store.change { $0.user = user }
    devices[name]?.mayHaveClaims = true
    guard let app = devices[name]?.app, app.phase == .running else {
      replyReport(request, name)
      return
    }
    control.taps[name, default: []].append(request)
    effects.append(.signIn(request, app.id, user: user))
  }

  // MARK: Replies

  mutating func reply(_ request: RequestID, _ body: some Encodable) {
    answer(request, .ok(WireJSON.encode(body)))
  }

  mutating func reply(_ request: RequestID, _ error: WireError) { answer(request, .failed(error)) }

  mutating func hostAnswered(_ request: RequestID, _ result: Result<Data, WireError>) {
    switch result {
    case .success(let body): answer(request, .ok(body))
    case .failure(let error): answer(request, .failed(error))
    }
  }

  mutating func replyReport(_ request: RequestID, _ device: String) {
    guard let report = devices[device]?.report() else { return }
    reply(request, report)
  }

  private mutating func answer(_ request: RequestID, _ outcome: ReplyFrames.Outcome) {
    let frames = ReplyFrames(id: request, outcome: outcome).frames
    guard control.close(request, frames) else { return }
    for (device, taps) in control.taps where taps.contains(request) {
      control.taps[device] = taps.filter { $0 != request }
    }
    effects.append(.send(.control, frames))
  }
}
