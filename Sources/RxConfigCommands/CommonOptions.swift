import RxCommandLine
import RxControl

extension CommandLineOption {
    package static let json = flag("json", "print the answer as JSON")
}

extension Operand {
    package static let configs = repeated(
        "PATH", default: ConfigDirectories.standardPath,
        "the file or directory of a configuration; each of several is a configuration of its own")
    package static let config = optional(
        "PATH", default: ConfigDirectories.standardPath, "the file or directory of the configuration")
}
