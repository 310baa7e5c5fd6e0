import Fleet
import Launch
import Shared

/// Finds the command that a command line means, runs it, and turns whatever happens into text and an exit code.
struct CommandLineTool: Sendable {
  /// What a command line turned out to mean.
  enum Request: Sendable {
    case run(Command, Arguments)
    case show(String)
    /// The name of the command whose help explains what is wrong; nil for the first page.
    case refuse(UsageError, command: String?)
  }

  let commands: [Command]

  /// Parses `words`, the command line without the program's name.
  func request(_ words: [String]) -> Request {
    guard let first = words.first else { return .show(HelpText.overview(of: commands)) }
    switch first {
    case "--help", "-h": return .show(HelpText.overview(of: commands))
    case "--version": return request(["version"] + words.dropFirst())
    case "help": return help(on: Array(words.dropFirst()))
    default: break
    }
    guard let command = command(startingWith: words) else { return unknown(words) }
    do throws(UsageError) {
      let arguments = try ArgumentParser(command: command).parse(Array(words.dropFirst(command.words.count)))
      if arguments.has(.help) { return .show(HelpText.page(of: command)) }
      return .run(command, arguments)
    } catch {
      return .refuse(error, command: command.name)
    }
  }

  /// Does what `words` say. Results go to standard output, everything else to standard error.
  func run(_ words: [String]) async -> ExitCode {
    switch request(words) {
    case .show(let text):
      print(text, terminator: "")
      return .ok
    case .refuse(let error, let command):
      return refuse(error, command: command)
    case .run(let command, let arguments):
      do {
        return try await command.run(arguments)
      } catch let error as UsageError {
        return refuse(error, command: command.name)
      } catch let error as NameError {
        return refuse(UsageError(error.message), command: command.name)
      } catch let error as RunFolderError where error.code == .badName {
        return refuse(UsageError(error.message), command: command.name)
      } catch is CancellationError {
        return .interrupted
      } catch {
        StandardError.print("storefleet: \(error)")
        return exitCode(for: error)
      }
    }
  }

  private func refuse(_ error: UsageError, command: String?) -> ExitCode {
    let name = command.map { "storefleet \($0)" } ?? "storefleet"
    StandardError.print("\(name): \(error.message)\nsee '\(name) --help'")
    return .usage
  }

  private func exitCode(for error: any Error) -> ExitCode {
    switch error {
    case let failure as CommandFailure: failure.exitCode
    case is RunFolderError, is ChildProcessError: .unreachable
    default: .failed
    }
  }

  private func command(startingWith words: [String]) -> Command? {
    // 'refund request' is meant before 'refund' with a product called request.
    commands.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
  }

  private func group(_ name: String) -> [Command] {
    commands.filter { $0.words.count > 1 && $0.words.first == name }
  }

  private func help(on words: [String]) -> Request {
    guard let first = words.first(where: { !$0.hasPrefix("-") }) else {
      return .show(HelpText.overview(of: commands))
    }
    if let command = command(startingWith: words) { return .show(HelpText.page(of: command)) }
    let group = group(first)
    return group.isEmpty ? unknown(words) : .show(HelpText.group(first, of: group))
  }

  private func unknown(_ words: [String]) -> Request {
    let first = words.first ?? ""
    let group = group(first)
    guard !group.isEmpty else {
      let names = Set(commands.compactMap(\.words.first)).sorted()
      let kind = first.hasPrefix("-") ? "option" : "command"
      let guess = Spelling.closest(to: first, among: names).map { ": did you mean '\($0)'?" }
      return .refuse(UsageError("unknown \(kind) '\(first)'\(guess ?? "")"), command: nil)
    }
    guard words.count > 1, words[1] != "--help", words[1] != "-h" else {
      return words.count > 1
        ? .show(HelpText.group(first, of: group))
        : .refuse(
          UsageError("\(first) needs one of: \(group.compactMap(\.words.last).joined(separator: ", "))"),
          command: first)
    }
    let guess = Spelling.closest(to: words[1], among: group.compactMap(\.words.last)).map { ": did you mean '\($0)'?" }
    return .refuse(UsageError("unknown command '\(first) \(words[1])'\(guess ?? "")"), command: first)
  }
}
