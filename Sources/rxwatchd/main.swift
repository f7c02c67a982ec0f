import Glibc
import RxPipelines

exit(Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
