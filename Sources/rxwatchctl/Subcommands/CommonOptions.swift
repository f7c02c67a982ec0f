import RxCommandLine
import RxControl
import RxPipelines

extension CommandLineOption {
    static let json = flag("json", "print the answer as JSON")
    static let control = value(
        "control", "PATH",
        "connect to the daemon at this socket; default: \(ControlSocket.ofService), or that of the only daemon that you "
            + "have started by hand")
}

extension Operand {
    static let config = optional(
        "PATH", default: Plan.standardPath, "the file or directory of the configuration")
}
