import Glibc
import RxJQ
import RxLinux

/// A pool of processes of this program that evaluate expressions which may take any time or memory, or crash.
final class EvaluatorPool: JQEvaluator {
    /// The argument that makes this program such a process.
    static let argument = "evaluate-expressions"

    /// Two processes with these limits fit into the memory of the unit besides everything else.
    private static let maximum = 2
    private static let memory = 96 << 20
    private static let processorTime = Duration.seconds(2)
    /// Less than the watchdog's interval by more than two of its rounds.
    static let defaultTime = Duration.seconds(7)
    /// Longer than the processor's time.
    private static let share = Duration.seconds(3)
    private static let messageLimit = 64 << 20

    /// An expression of a component: if it takes long, it uses one process, and leaves the other to the rest.
    ///
    /// Not the component alone: pipelines of a shared source are one component, and an expression of one of them that
    /// takes long would leave the others' with it in the process for slow ones, behind those of other components. And not
    /// the expression alone: components have different inputs.
    struct Key: Hashable, Sendable {
        let client: JQIdentity?
        let expression: JQIdentity
    }

    let pool: WorkerPool<Key>

    private let time: Duration

    /// - Parameters:
    ///   - program: this program.
    ///   - time: the limit of an evaluation, including the wait for a process.
    init(program: String = "/proc/self/exe", time: Duration = defaultTime) {
        self.time = time
        var environment = RxLinux.Command.inheritedEnvironment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        let command = RxLinux.Command([program, Self.argument], environment: environment)
        pool = WorkerPool(command, maximum: Self.maximum, answerLimit: Self.messageLimit)
    }

    func evaluate(
        _ request: [UInt8], of expression: JQIdentity, for client: JQClient?
    ) throws(JQError) -> [UInt8] {
        let key = Key(client: client?.identity, expression: expression)
        do {
            return try pool.exchange(request, for: key, within: time, share: min(Self.share, time / 2))
        } catch {
            throw JQError(Self.message(of: error))
        }
    }

    /// Runs this process as one of the pool, until its standard input ends.
    ///
    /// - Returns: the exit code.
    static func run() -> Int32 {
        let evaluation = JQEvaluation()
        return WorkerService(memory: memory, time: processorTime, requestLimit: messageLimit).run {
            evaluation.reply(to: $0)
        }
    }

    private static func message(of error: WorkerError) -> String {
        switch error {
        case .signal(SIGPROF), .timeout: "stopped after \(processorTime.components.seconds)s: it did not return"
        // Swift's runtime ends with one of the last two.
        case .exit(JQEvaluation.exitCodeWithoutMemory), .signal(SIGTRAP), .signal(SIGILL):
            "it needs more than \(memory >> 20) MiB of memory"
        case .signal(SIGABRT): "jq aborted on it, as on '.[nan:]': make sure that an index is a number"
        case .signal(SIGSEGV): "its values are nested too deep for jq"
        case .signal(SIGKILL): "the process that evaluated it was killed, perhaps for lack of memory"
        case .signal(let signal): "signal \(signal) ended the process that evaluated it"
        case .exit(let status): "the process that evaluated it exited with \(status)"
        case .unread: "the process that evaluates expressions ended before it received this one"
        case .busy: "other expressions kept the processes busy for all of its time"
        case .tooLong(let count): "its result has \(count >> 20) MiB as text; the limit is \(messageLimit >> 20) MiB"
        case .system(let error): "no process to evaluate it: \(error)"
        }
    }
}
