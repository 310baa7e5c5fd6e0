import Fleet
import Glibc
import Launch

// Whatever the command: a process that somebody started on a lifeline ends with it.
do {
  try Lifeline.exitWhenLauncherDies()
} catch {
  StandardError.print("storefleet: \(error)")
  exit(ExitCode.unreachable.rawValue)
}
let tool = CommandLineTool(commands: Commands.all)
let words = Array(CommandLine.arguments.dropFirst())
exit(await Interruption.run { await tool.run(words) }.rawValue)
