import Glibc

exit(Tool.run(arguments: Array(CommandLine.arguments.dropFirst())))
