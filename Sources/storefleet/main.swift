import Glibc

let tool = CommandLineTool(commands: Commands.all)
let words = Array(CommandLine.arguments.dropFirst())
exit(await Interruption.run { await tool.run(words) }.rawValue)
