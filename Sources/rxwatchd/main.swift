import Glibc
import RxLinux
import RxPipelines

ResidentMemory.limitFragmentation()
let arguments = Array(CommandLine.arguments.dropFirst())
let isTool = CommandLine.arguments.first == ConfigTool.name
exit(isTool ? ConfigTool.run(arguments: arguments) : Program.run(arguments: arguments))
