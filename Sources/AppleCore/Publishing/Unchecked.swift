/// Carries a value over a border that asks for `Sendable`. Publishers hand values from the thread that sends to the one
/// that receives, as Apple's do, and their users see to it that this is safe.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
