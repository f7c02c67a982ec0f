import Glibc
import RxControl
import RxPipelines

/// The reason for which the daemon stops.
enum StopReason: CustomStringConvertible, Equatable, Sendable {
    case signal(Int32)
    case failure(String)

    var exitCode: Int32 {
        switch self {
        case .signal: ExitCode.success
        case .failure: ExitCode.failure
        }
    }

    var priority: Priority {
        switch self {
        case .signal: .notice
        case .failure: .err
        }
    }

    var description: String {
        switch self {
        case .signal(SIGTERM): "SIGTERM"
        case .signal(SIGINT): "SIGINT"
        case .signal(let number): "signal \(number)"
        case .failure(let reason): reason
        }
    }

    /// The answer to requests for a reload.
    var refusal: ControlAnswer {
        switch self {
        case .signal: ControlAnswer("stopping on \(self)", exitCode: ExitCode.failure)
        case .failure(let reason): ControlAnswer(reason, exitCode: ExitCode.failure)
        }
    }
}
