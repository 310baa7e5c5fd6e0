import Wire

extension ControlRequest {
  /// Everything that the control API takes. What is served and what `/openapi.json` says both come from here.
  package static let all: [ControlRequest] = worlds + accounts + families + users + devices + nodes + notifications

  /// Requests that are between nodes alone, and so have no place here.
  package static let betweenNodes: Set<String> = [
    Hello.name, CheckPositions.name, ReportDevices.name, HabitsChanged.name,
  ]

  private static let worlds: [ControlRequest] = [
    .init(ListWorlds.self, to: .server, "Which worlds there are."),
    .init(CreateWorld.self, to: .world, "Makes a world; the same settings again change nothing."),
    .init(DescribeWorld.self, to: .world, "The world's settings, its clock and its root certificate."),
    .init(ResetWorld.self, to: .world, "Everything that was bought is gone; accounts, settings and the clock stay."),
    .init(OpenAccount.self, to: .world, "Makes an account; the same settings again change nothing."),
    .init(ListAccounts.self, to: .world, "Who has an account."),
    .init(ListDevices.self, to: .world, "What is known of each device."),
    .init(GetProducts.self, to: .world, "Products of the catalogue, by their ids."),
    .init(DescribeOfferKeys.self, to: .world, "The key with which the developer signs offers."),
    .init(DescribeAPIKeys.self, to: .world, "What a developer's server needs to call the App Store Server API."),
    .init(SetNotificationURL.self, to: .world, "Where notifications go."),
    .init(ExtendAllSubscriptions.self, to: .world, "The next renewal of everybody who subscribes to a product moves."),
    .init(DescribeExtension.self, to: .world, "How far an extension of all subscriptions has got."),
    .init(LocateAccount.self, to: .world, "Whose ids have this number in them."),
    .init(AdvanceClock.self, to: .world, "Moves a manual clock; what falls due on the way happens before the reply."),
    .init(SetTimeRate.self, to: .world, "How fast subscriptions renew."),
    .init(ChangeWorld.self, to: .world, "Changes catalogue, storefront, locale, grace period, Ask to Buy or clock."),
    .init(Settle.self, to: .world, "Waits until every online device has reported the current state of its account."),
    .init(SetHabits.self, to: .world, "Changes what the world does differently from what Apple documents."),
    .init(SetFamilyShareable.self, to: .world, "A product is shared with families from now on."),
    .init(SetInterruptedPurchases.self, to: .world, "Whether purchases are interrupted, for all accounts."),
    .init(HoldGate.self, to: .world, reply: ToldDevices.self, "Holds a gate on every device, or lets it go."),
    .init(SetSimulatedError.self, to: .world, reply: ToldDevices.self, "Makes StoreKit fail on every device."),
    .init(SetPurchasesAllowed.self, to: .world, reply: ToldDevices.self, "Whether any device's user may buy."),
    .init(SetNetworkFaults.self, to: .world, reply: ToldDevices.self, "What the network does to every device."),
    .init(SetOnline.self, to: .world, reply: ToldDevices.self, "Takes every device off the network, or back."),
  ]

  private static let accounts: [ControlRequest] = [
    .init(Purchase.self, to: .account, "Buys for the account, without a device."),
    .init(RedeemCode.self, to: .account, "The customer redeems an offer code."),
    .init(BackdatePurchase.self, to: .account, "For tests: the account bought this in the past."),
    .init(DeleteTransaction.self, to: .account, "For tests: a purchase never was."),
    .init(ExpireSubscription.self, to: .account, "For tests: a subscription ends now."),
    .init(RenewSubscription.self, to: .account, "For tests: the running period ends now, and the next begins."),
    .init(Finish.self, to: .account, "Marks transactions as finished."),
    .init(CatchUp.self, to: .account, "The events after a position, or a snapshot."),
    .init(
      GetSignedCopies.self, to: .account, "Signs transactions and renewal infos; `attachments` has the JWS of each.",
      givesAttachments: true),
    .init(
      GetAppTransaction.self, to: .account, "Signs the app transaction; `attachments` has the JWS.",
      givesAttachments: true),
    .init(ListPendingPurchases.self, to: .account, "The purchases that wait for somebody."),
    .init(AnswerAskToBuy.self, to: .account, "The family organiser approves a purchase, or declines it."),
    .init(
      SetInterruptedPurchases.self, to: .account, reply: AccountPosition.self, "Whether purchases are interrupted."),
    .init(ResolveIssue.self, to: .account, "The customer has done what an interrupted purchase waited for."),
    .init(SetAutoRenew.self, to: .account, "Cancels a subscription, or resumes it."),
    .init(SetBilling.self, to: .account, "Whether renewals can be charged."),
    .init(RequestPriceIncrease.self, to: .account, "Asks the customer to accept a higher price."),
    .init(AnswerPriceIncrease.self, to: .account, "The customer accepts a higher price, or does not."),
    .init(ExtendSubscription.self, to: .account, "The running period ends later."),
    .init(Refund.self, to: .account, "Money back."),
    .init(RequestRefund.self, to: .account, "The customer asks for money back."),
    .init(SendConsumptionInformation.self, to: .account, "The developer tells what was used of a purchase."),
    .init(DeclineRefund.self, to: .account, "No money back."),
    .init(ReverseRefund.self, to: .account, "A refund is taken back."),
    .init(
      Claim.self, to: .account, "A signed transaction, in `attachments`, belongs to a user of the app.",
      takesAttachments: true),
    .init(SetAppAccountToken.self, to: .account, "The developer's server says whose a purchase is."),
    .init(SetStorefront.self, to: .account, "The account moves to another storefront."),
    .init(GetIntroEligibility.self, to: .account, "Whether introductory offers apply."),
    .init(GetSubscriptions.self, to: .account, "The last state of each subscription, the family's included."),
    .init(ReadJournal.self, to: .account, "The account's events as they are stored."),
    .init(ResetAccount.self, to: .account, "Everything that the account has bought is gone."),
  ]

  private static let families: [ControlRequest] = [
    .init(CreateFamily.self, to: .family, "Makes a family."),
    .init(DescribeFamily.self, to: .family, "Who is in the family."),
    .init(JoinFamily.self, to: .family, "An account joins."),
    .init(LeaveFamily.self, to: .family, "A member leaves."),
    .init(SetSharing.self, to: .family, "A purchaser shares a product, or stops."),
    .init(SetAppHidden.self, to: .family, "A member hides the app among its purchases, or shows it again."),
    .init(SetPurchaseSharing.self, to: .family, "The organiser ends purchase sharing, or begins it again."),
  ]

  private static let users: [ControlRequest] = [
    .init(GetEntitlements.self, to: .user, "What the user may use.")
  ]

  private static let devices: [ControlRequest] = [
    .init(InspectDevice.self, to: .device, "Where the device is and what its app shows."),
    .init(LaunchDevice.self, to: .device, "Launches the app."),
    .init(KillDevice.self, to: .device, "Kills the app."),
    .init(SetOnline.self, to: .device, "Takes the device off the network, or back."),
    .init(TapBuy.self, to: .device, "Taps the buy button of a product."),
    .init(TapRestore.self, to: .device, "Taps the restore button."),
    .init(HoldGate.self, to: .device, "Holds a gate, or lets it go."),
    .init(SignInUser.self, to: .device, "Signs a user of the app in, or out."),
    .init(SetSkew.self, to: .device, "Sets the device's clock ahead, or behind."),
    .init(BreakSync.self, to: .device, "Breaks the device's sync, for tests of the checks."),
    .init(TamperCopies.self, to: .device, "Spoils the next signed copies that the device gets."),
    .init(SendMessage.self, to: .device, "The App Store has a message for the app's user."),
    .init(SendPurchaseIntent.self, to: .device, "The user taps a promoted product in the App Store."),
    .init(SetSimulatedError.self, to: .device, "Makes a part of StoreKit fail."),
    .init(SetPurchasesAllowed.self, to: .device, "Whether the device's user may buy."),
    .init(
      SetInterruptedPurchases.self, to: .device, reply: DeviceReport.self,
      "Whether purchases on this device are interrupted."),
    .init(
      SetNetworkFaults.self, to: .device, reply: DeviceReport.self, "What the network does to the device's messages."),
  ]

  private static let notifications: [ControlRequest] = [
    .init(ListNotifications.self, to: .notifications, "What the developer's server was told, the oldest first."),
    .init(RequestTestNotification.self, to: .notifications, "Sends a test notification."),
    .init(GetTestNotificationStatus.self, to: .notifications, "What became of a test notification."),
    .init(GetNotificationHistory.self, to: .notifications, "Apple's notification history."),
    .init(SetNotificationFault.self, to: .notifications, "Notifications get lost, come twice, late or out of order."),
  ]

  private static let nodes: [ControlRequest] = [
    .init(SetNetworkFaults.self, to: .node, "What the network does to a client node's messages."),
    .init(PrepareLoad.self, to: .node, "Makes every running app ready to buy."),
    .init(StartLoad.self, to: .node, "A client node's part of a load run; answered when it has ended."),
    .init(CountLoad.self, to: .node, "How far a client node's load is."),
    .init(CollectLoad.self, to: .node, "What a client node has recorded of its load."),
  ]
}
