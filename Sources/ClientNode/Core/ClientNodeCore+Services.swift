import Foundation
import Shared
import Wire

/// What the store does for apps besides selling: the app's own transaction, refund requests, sheets, notices.
extension ClientNodeCore {
  // MARK: The app transaction

  /// The one on the phone does, offline too, unless the app asks for a new one.
  mutating func appTransaction(_ call: CallID, _ app: AppID, _ account: String, refresh: Bool) {
    guard let device = devices[app.device] else { return }
    if !refresh, let world, let jws = device.store.state.appTransaction {
      let failure = failure(of: jws, nil, device.store.state, world, isDeviceBound: true)
      let signed = SignedAppTransaction(jws: jws, failure: failure)
      devices[app.device]?.answer(call, .success(.appTransaction(signed)), &effects)
    } else if device.isOnline {
      let request = GetAppTransaction(
        device: app.device, deviceVerificationId: device.store.state.deviceVerificationId)
      ask(
        request, of: address(.account, account), for: .appTransaction(app, call),
        giveUpMilliseconds: ClientNodeCore.storeMilliseconds)
    } else {
      devices[app.device]?.answer(call, .failure(.network), &effects)
    }
  }

  mutating func appTransactionCame(
    _ app: AppID, _ call: CallID, _ result: Result<GetAppTransaction.Reply, WireError>, _ bytes: Data
  ) {
    guard isRunning(app), let state = devices[app.device]?.store.state else { return }
    touch(app.device)
    switch result {
    case .success:
      guard let world else {
        devices[app.device]?.answer(call, .failure(.network), &effects)
        return
      }
      let jws = String(decoding: bytes, as: UTF8.self)
      let signed = SignedAppTransaction(jws: jws, failure: failure(of: jws, nil, state, world, isDeviceBound: true))
      // A bad one is shown, and the next time the store is asked again.
      if signed.failure == nil { devices[app.device]?.store.change { $0.appTransaction = jws } }
      devices[app.device]?.answer(call, .success(.appTransaction(signed)), &effects)
    case .failure(let error): devices[app.device]?.answer(call, .failure(DaemonError(error)), &effects)
    }
  }

  // MARK: Refund requests

  mutating func refundRequested(_ app: AppID, _ call: CallID, _ result: Result<AccountPosition, WireError>) {
    guard isRunning(app), let account = devices[app.device]?.account else { return }
    switch result {
    case .success(let position):
      devices[app.device]?.answer(call, .success(.done), &effects)
      accounts[account]?.heard(position.position)
      catchUpIfNeeded(account, within: 100...200)
    case .failure(let error): devices[app.device]?.answer(call, .failure(DaemonError(error)), &effects)
    }
  }

  // MARK: Sheets

  /// There is no screen: the sheet is put away at once, and the log says that it was asked for.
  mutating func show(_ sheet: StoreSheet, _ call: CallID, _ app: AppID) {
    let what =
      switch sheet {
      case .manageSubscriptions(let group): "manage subscriptions" + (group.map { " of group \($0)" } ?? "")
      case .redeemOfferCode: "redeem an offer code"
      case .review: "review the app"
      }
    effects.append(.log("device \(app.device): the app brought up the sheet to \(what)"))
    devices[app.device]?.answer(call, .success(.done), &effects)
  }

  // MARK: Notices

  /// Waits for the app when it does not run.
  mutating func give(_ notice: AppNotice, to name: String) {
    devices[name]?.waitingNotices.append(notice)
    if let app = devices[name]?.app, app.phase == .running { giveWaitingNotices(to: app.id) }
  }

  mutating func giveWaitingNotices(to app: AppID) {
    for notice in devices[app.device]?.waitingNotices ?? [] { effects.append(.notice(app, notice)) }
    devices[app.device]?.waitingNotices = []
  }
}
