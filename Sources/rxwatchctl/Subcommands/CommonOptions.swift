import RxCommandLine
import RxControl

extension CommandLineOption {
    static let control = value(
        "control", "PATH",
        "connect to the daemon at this socket; default: \(ControlSocket.ofService), or that of the only daemon that you "
            + "have started by hand")
}
