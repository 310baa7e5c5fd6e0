package import ClientNode

extension VerificationResult where SignedType == Transaction {
  package init(_ signed: SignedTransaction, on daemon: any StoreDaemon) {
    self.init(Transaction(signed, on: daemon), failure: signed.failure)
  }
}
