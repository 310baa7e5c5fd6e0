/// One kind of step: its key, what may stand beside it, and an example, which docs/scenarios.md shows.
struct StepVerb: Sendable {
  let name: String
  let keys: [String]
  let example: String
  let read: @Sendable (inout StepReader) -> ScenarioAction?

  init(
    _ name: String, keys: [String] = [], example: String,
    read: @escaping @Sendable (inout StepReader) -> ScenarioAction?
  ) {
    self.name = name
    self.keys = keys
    self.example = example
    self.read = read
  }

  /// `expect` comes last: it is a verb only in a step that has no other.
  static let all: [StepVerb] = [
    StepVerb(
      "buy", keys: ["on", "account", "quantity", "wait", "expect"],
      example: #"{buy: "com.example.app.lifetime", on: "alice-phone"}"#
    ) { $0.buy() },
    StepVerb(
      "refund", keys: ["account", "reason", "percent"],
      example: #"{refund: "com.example.app.lifetime", account: "alice"}"#
    ) { $0.refund() },
    StepVerb(
      "redeem", keys: ["code", "offer", "account"],
      example: #"{redeem: "com.example.app.yearly", offer: "workshop", account: "alice"}"#
    ) { $0.redeem() },
    StepVerb(
      "requestRefund", keys: ["reason", "account"],
      example: #"{requestRefund: "com.example.app.lifetime", account: "alice"}"#
    ) { $0.requestRefund() },
    StepVerb(
      "consumption", keys: ["percent", "prefer", "delivery", "account"],
      example: #"{consumption: "com.example.app.coins", percent: 40, prefer: "prorated", account: "alice"}"#
    ) { $0.consumption() },
    StepVerb(
      "declineRefund", keys: ["account"], example: #"{declineRefund: "com.example.app.lifetime", account: "alice"}"#
    ) { $0.refundPart("declineRefund") { .declineRefund(productId: $0) } },
    StepVerb(
      "reverseRefund", keys: ["account"], example: #"{reverseRefund: "com.example.app.lifetime", account: "alice"}"#
    ) { $0.refundPart("reverseRefund") { .reverseRefund(productId: $0) } },
    StepVerb("approve", keys: ["account"], example: #"{approve: true, account: "kid"}"#) {
      $0.answer(approve: true, key: "approve")
    },
    StepVerb("decline", keys: ["account"], example: #"{decline: "com.example.app.lifetime", account: "kid"}"#) {
      $0.answer(approve: false, key: "decline")
    },
    StepVerb(
      "autoRenew", keys: ["on", "account"],
      example: #"{autoRenew: "com.example.app.monthly", on: false, account: "alice"}"#
    ) { $0.autoRenew() },
    StepVerb("bill", keys: ["product", "account"], example: #"{bill: "fail", account: "alice"}"#) { $0.bill() },
    StepVerb(
      "priceIncrease", keys: ["to", "consent", "product", "account"],
      example: #"{priceIncrease: "com.example.app.monthly", to: "6.99", consent: true, account: "alice"}"#
    ) { $0.priceIncrease() },
    StepVerb(
      "extend", keys: ["days", "reason", "account"],
      example: #"{extend: "com.example.app.monthly", days: 30, account: "alice"}"#
    ) { $0.extend() },
    StepVerb("join", keys: ["family"], example: #"{join: "zoe", family: "smith"}"#) { $0.join() },
    StepVerb("leave", keys: ["family"], example: #"{leave: "kid"}"#) { $0.leave() },
    StepVerb(
      "share", keys: ["on", "family"],
      example: #"{share: {account: "alice", product: "com.example.app.lifetime"}, on: false}"#
    ) { $0.share() },
    StepVerb("hideApp", keys: ["on", "family"], example: #"{hideApp: "alice"}"#) { $0.hideApp() },
    StepVerb("purchaseSharing", keys: ["on"], example: #"{purchaseSharing: "smith", on: false}"#) {
      $0.purchaseSharing()
    },
    StepVerb("familyShareable", example: #"{familyShareable: "com.example.app.lifetime"}"#) { $0.makeShareable() },
    StepVerb("storefront", keys: ["account"], example: #"{storefront: "DEU", account: "alice"}"#) { $0.storefront() },
    StepVerb(
      "setToken", keys: ["product", "account"],
      example: #"{setToken: "user-1", product: "com.example.app.lifetime", account: "alice"}"#
    ) { $0.setToken() },
    StepVerb("resetAccount", example: #"{resetAccount: "alice"}"#) { $0.resetAccount() },
    StepVerb("resetWorld", example: "{resetWorld: true}") { $0.resetWorld() },
    StepVerb("notify", example: #"{notify: "http://127.0.0.1:8080/notifications"}"#) { $0.notify() },
    StepVerb("testNotification", example: "{testNotification: true}") { $0.testNotification() },
    StepVerb(
      "notificationFault", keys: ["count", "percent", "by"], example: #"{notificationFault: "drop", count: 2}"#
    ) { $0.notificationFault() },
    StepVerb("offline", example: #"{offline: "alice-pad"}"#) { $0.setOnline(false, key: "offline") },
    StepVerb("online", example: #"{online: ["alice-pad", "kid-pad"]}"#) { $0.setOnline(true, key: "online") },
    StepVerb("kill", example: #"{kill: "alice-phone"}"#) { $0.kill() },
    StepVerb("launch", example: #"{launch: "alice-phone"}"#) { $0.launch() },
    StepVerb("hold", keys: ["on"], example: #"{hold: "purchase", on: "alice-phone"}"#) { $0.hold() },
    StepVerb(
      "release", keys: ["on", "count", "cancel"], example: #"{release: "purchase", on: "alice-phone", cancel: true}"#
    ) { $0.release() },
    StepVerb(
      "fail", keys: ["with", "on", "times"], example: #"{fail: "purchase", with: "networkError", on: "alice-phone"}"#
    ) { $0.fail() },
    StepVerb("allowPurchases", keys: ["on"], example: #"{allowPurchases: false, on: "kid-pad"}"#) {
      $0.allowPurchases()
    },
    StepVerb("interrupt", keys: ["account", "on"], example: #"{interrupt: true, account: "alice"}"#) {
      $0.interrupt()
    },
    StepVerb("resolve", keys: ["account"], example: #"{resolve: true, account: "alice"}"#) { $0.resolve() },
    StepVerb(
      "network", keys: ["on", "onClient"],
      example: #"{network: {latency: "200ms-800ms", events: {drop: 20}}, on: "alice-pad"}"#
    ) { $0.network() },
    StepVerb("advance", example: #"{advance: "31d"}"#) { $0.advance() },
    StepVerb("timeRate", example: #"{timeRate: "monthlyRenewalEveryFiveMinutes"}"#) { $0.timeRate() },
    StepVerb("habits", example: #"{habits: {coldStartEmpty: true}}"#) { reader in
      reader.section.habits("habits").map { .habits($0) }
    },
    StepVerb("skew", keys: ["on"], example: #"{skew: "-2h", on: "alice-phone"}"#) { $0.skew() },
    StepVerb("signIn", keys: ["on"], example: #"{signIn: "user-1", on: "alice-phone"}"#) { $0.signIn() },
    StepVerb("signOut", example: #"{signOut: "alice-phone"}"#) { $0.signOut() },
    StepVerb("restore", keys: ["wait"], example: #"{restore: "alice-pad"}"#) { $0.restore() },
    StepVerb("tamper", keys: ["on", "count"], example: #"{tamper: "tampered", on: "alice-pad"}"#) { $0.tamper() },
    StepVerb(
      "breakSync", keys: ["on"], example: #"{breakSync: {dropUpdates: 1, catchUp: false}, on: "alice-pad"}"#
    ) { $0.breakSync() },
    StepVerb("server", example: #"{server: "restart"}"#) { $0.server() },
    StepVerb("client", keys: ["do"], example: #"{client: 1, do: "kill"}"#) { $0.client() },
    StepVerb("settle", example: "{settle: true}") { $0.settle() },
    StepVerb("note", example: #"{note: "A year later"}"#) { $0.readNote() },
    StepVerb(
      "expect", keys: ["within"],
      example: #"{expect: {device: "alice-phone", entitlements: ["com.example.app.lifetime"]}, within: "2s"}"#
    ) { $0.expect() },
  ]
}
