import RxLinux
import RxPipelines

/// A request to the running daemon, and how its answer is shown.
struct Question {
    struct Misuse: Error {
        let message: String
    }

    /// Longer than the service manager waits for a reload.
    private static let patience = Duration.seconds(60)

    private let request: ControlRequest
    private var path = ControlRequest.standardPath
    private var isJSON = false

    init(_ request: ControlRequest, _ arguments: [String]) throws(Misuse) {
        self.request = request
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--control":
                guard let path = rest.popFirst() else { throw Misuse(message: "--control needs a path") }
                self.path = path
            default: throw Misuse(message: "\(request.rawValue) does not take '\(argument)'")
            }
        }
    }

    /// Asks, and prints the answer.
    ///
    /// - Returns: the exit code that it asks for.
    func ask() -> Int32 {
        let bytes: [UInt8]
        do {
            bytes = try LocalCall.ask(request.line, at: path, within: Self.patience)
        } catch {
            StandardStream.error.print("rxwatchctl: \(error); is rxwatchd running?")
            return ExitCode.failure
        }
        guard let answer = ControlAnswer(bytes) else {
            StandardStream.error.print(
                "rxwatchctl: whoever listens at \(path) gave no answer that is one of rxwatchd's")
            return ExitCode.failure
        }
        answer.print(asJSON: isJSON)
        return answer.exitCode
    }
}
