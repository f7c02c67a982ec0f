import Glibc
import RxEngine

/// The environment variable that makes the daemon record its subscriptions, for `rxwatchctl graph` and the records of
/// leaks.
enum SubscriptionRecording {
    static let variable = "RXWATCHD_RECORD"

    /// Starts recording if the variable says so. Called before anything is subscribed.
    static func start(_ recorder: Recorder) {
        guard let value = getenv(variable).map({ String(cString: $0) }) else { return }
        switch value {
        case "", "off": break
        case "subscriptions": Resources.recording = .subscriptions
        case "elements": Resources.recording = .elements
        default:
            recorder.record(
                .error, .warning,
                "\(variable) is '\(value)', which is ignored: set it to off, subscriptions or elements")
        }
    }

    /// What is recorded as alive, for a message about a leak; empty if nothing is recorded.
    ///
    /// - Parameter account: the name of the account whose objects to list; `nil` for all.
    static func alive(_ account: String? = nil) -> String {
        guard Resources.recording != .off else { return "" }
        let nodes = Resources.graph().nodes.filter { $0.age != nil && (account == nil || $0.account == account) }
        let shown =
            nodes.prefix(10).map { "\n  \($0)" } + (nodes.count > 10 ? ["\n  and \(nodes.count - 10) more"] : [])
        return shown.joined()
    }
}
