/// Turns the JSON of a configuration file into a catalogue, or into the list of its mistakes.
struct CatalogReader {
  /// The numbers that a level may have.
  static let levels = 1...999

  let findings = CatalogFindings()
  /// Where each product id was first seen.
  var productPlaces = IDPlaces(noun: "product id")
  var groupPlaces = IDPlaces(noun: "group id")

  static func read(_ root: JSONNode, file: String) throws(CatalogError) -> Catalog {
    var reader = CatalogReader()
    let catalog = reader.catalog(root)
    guard let catalog, reader.findings.mistakes.isEmpty else {
      let mistakes = reader.findings.mistakes.sorted { left, right in
        guard let left = left.position, let right = right.position else { return false }
        return left < right
      }
      throw CatalogError(file: file, mistakes: mistakes)
    }
    return catalog
  }

  private mutating func catalog(_ root: JSONNode) -> Catalog? {
    guard let section = JSONSection(root, keyPath: "", findings: findings) else { return nil }
    let listKeys = ["products", "nonRenewingSubscriptions", "nonRenewableSubscriptions", "subscriptionGroups"]
    guard listKeys.contains(where: section.contains) else {
      findings.add(
        CatalogMistake(
          position: root.position, keyPath: "", found: "an object that lists no products",
          expected: "\"products\", \"nonRenewingSubscriptions\" or \"subscriptionGroups\""))
      return nil
    }
    section.noteUnknownKeys(
      known: Set(listKeys).union(["version", "identifier", "settings", "appPolicies", JSONSection.secretKey]))
    let version = version(section)
    let settings = settings(section)
    let oneTimeProducts =
      section.sections("products").compactMap { oneTimeProduct($0) }
      + section.sections("nonRenewingSubscriptions").compactMap { nonRenewingSubscription($0) }
      // A spelling that is found in public files.
      + section.sections("nonRenewableSubscriptions").compactMap { nonRenewingSubscription($0) }
    let groups = section.sections("subscriptionGroups").compactMap { subscriptionGroup($0) }
    let keyPair = subscriptionOffersKeyPair(section)
    let products = oneTimeProducts + groups.flatMap(\.subscriptions)
    if products.isEmpty { findings.warn("products", "the file has no products") }
    return Catalog(
      version: version, identifier: section.string("identifier") ?? "", products: products, groups: groups.map(\.group),
      settings: settings, subscriptionOffersKeyPair: keyPair, warnings: findings.finishedWarnings())
  }

  private func version(_ root: JSONSection) -> CatalogVersion {
    guard let section = root.section("version") else {
      if !root.contains("version") { findings.warn("version", "is missing; the file is read as version 1.0") }
      return CatalogVersion(major: 1, minor: 0)
    }
    let version = CatalogVersion(
      major: section.integer("major", in: 1...999, default: 1),
      minor: section.integer("minor", in: 0...999, default: 0))
    if version.major > 5 { findings.warn("version", "\(version) is newer than 5.0, the newest known format") }
    return version
  }

  private func subscriptionOffersKeyPair(_ root: JSONSection) -> SubscriptionOffersKeyPair? {
    guard let section = root.section(JSONSection.secretKey), let id = section.string("id"),
      let privateKey = section.string("privateKey")
    else { return nil }
    return SubscriptionOffersKeyPair(id: id, privateKey: privateKey)
  }
}
