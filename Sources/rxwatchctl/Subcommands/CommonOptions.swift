import RxCommandLine
import RxControl
import RxPipelines

extension CommandLineOption {
    static let json = flag("json", "print the answer as JSON")
    static let control = value(
        "control", "PATH", default: ControlRequest.standardPath, "connect to the daemon at this socket")
}
