import Foundation
import Shared
import Wire

/// Makes a scenario of a file's JSON and collects what is wrong with it.
struct ScenarioReader {
  let file: String
  /// Where relative paths of the file begin.
  let folder: URL?
  /// Said outside of the file, and stronger.
  let givenApp: ScenarioApp?
  let findings: ScenarioFindings
  let root: ScenarioSection

  private static let keys = [
    "catalog", "app", "devicesPerProcess", "world", "clients", "accounts", "families", "users", "devices", "steps",
  ]

  init?(_ node: JSONNode, file: String, folder: URL? = nil, app: ScenarioApp? = nil, findings: ScenarioFindings) {
    self.file = file
    self.folder = folder
    givenApp = app
    self.findings = findings
    guard let root = ScenarioSection(node, place: "", findings: findings, expected: "a scenario in { }") else {
      return nil
    }
    self.root = root
  }

  /// - Parameter loadCatalog: reads the catalogue of this name; of nil, the built-in one.
  func scenario(loading loadCatalog: (String?) -> ScenarioCatalog?) -> Scenario {
    root.allow(ScenarioReader.keys)
    let catalogName = root.string("catalog")
    // A name that is no string is a mistake already, and is not taken for none.
    let catalog = root.has("catalog") && catalogName == nil ? nil : loadCatalog(catalogName)
    var names = ScenarioNames(
      catalog: catalog?.name ?? catalogName ?? "", productIds: catalog?.productIds, findings: findings)

    let world = readWorld()
    let app = givenApp ?? readApp()
    let said = root.integer("clients", in: 1...ScenarioReader.mostClients)
    if app != nil, said != nil {
      root.note(
        "with an app a device has a process of its own: leave out 'clients', or say 'devicesPerProcess'", at: "clients")
    }
    let accounts = readAccounts(&names)
    let families = families(readFamilies(&names), joinedBy: accounts, names)
    let users = readUsers(&names)
    let devices = readDevices(&names, clients: said ?? 1, app: app)
    let clients = app == nil ? said ?? 1 : devices.last?.client ?? 1

    let accountDevices = Dictionary(grouping: devices, by: \.account).mapValues { $0.map(\.name) }
    let stage = ScenarioStage(
      names: names, accountDevices: accountDevices, clients: clients, clock: world.clock, families: families)
    return Scenario(
      file: file, catalog: catalog ?? ScenarioCatalog(name: "", text: "", productIds: []), world: world,
      app: app, clients: clients, accounts: accounts, families: families, users: users, devices: devices,
      prelude: prelude(accounts, in: world, catalog: catalog, names), steps: readSteps(stage))
  }

  /// The app's path begins at the scenario's folder.
  private func readApp() -> ScenarioApp? {
    let perProcess = root.integer("devicesPerProcess", in: 1...100_000)
    guard let path = root.string("app") else {
      if perProcess != nil {
        root.note("'devicesPerProcess' is about an app: say which in 'app'", at: "devicesPerProcess")
      }
      return nil
    }
    let url = path.hasPrefix("/") ? URL(filePath: path) : (folder ?? URL(filePath: ".")).appending(path: path)
    return ScenarioApp(path: url.standardizedFileURL.path, devicesPerProcess: perProcess ?? 1)
  }

  /// More processes than this on one machine is a slip of the finger.
  static let mostClients = 256

  /// The objects of a list, each as a section.
  func sections(_ key: String) -> [ScenarioSection] {
    (root.array(key) ?? []).enumerated().compactMap { index, node in
      ScenarioSection(node, place: "\(key)[\(index)]", findings: findings, expected: "an object in { }")
    }
  }

  private func readSteps(_ stage: ScenarioStage) -> [ScenarioStep] {
    guard let nodes = root.required("steps", root.array) else { return [] }
    var stage = stage
    return nodes.enumerated().compactMap { index, node in
      StepReader.step(node, number: index + 1, stage: &stage, findings: findings)
    }
  }
}
