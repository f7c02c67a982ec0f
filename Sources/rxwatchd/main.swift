import Glibc
import RxLinux
import RxPipelines

ResidentMemory.shareHeaps()
exit(Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
