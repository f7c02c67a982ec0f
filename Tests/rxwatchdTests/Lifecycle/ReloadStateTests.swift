import Glibc
import Testing

@testable import rxwatchd

/// The ordered actions after each input of a daemon's life.
struct ReloadStateTests {
    typealias State = ReloadState<String, String, Character>

    enum Input: Sendable, CustomStringConvertible {
        /// The first generation starts with this configuration.
        case begin(String)
        /// These clients request a reload, and the configuration is valid.
        case good(String, String)
        /// These clients request a reload, and the configuration is invalid.
        case bad(String, String)
        case armed(Int)
        case failed(Int)
        /// A stop while these clients have requested a reload that has not begun.
        case stop(String)
        case fail(String)

        var description: String {
            switch self {
            case .begin(let config): "begin \(config)"
            case .good(let requesters, let config): "[\(requesters)] reload \(config)"
            case .bad(let requesters, let config): "[\(requesters)] reload bad \(config)"
            case .armed(let number): "\(number) armed"
            case .failed(let number): "\(number) failed"
            case .stop(let requesters): "[\(requesters)] stop"
            case .fail(let requesters): "[\(requesters)] fail"
            }
        }
    }

    /// The life of a daemon: its inputs, and the actions after each.
    struct Life: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [(input: Input, actions: String)]

        init(_ name: String, _ steps: KeyValuePairs<Input, String>) {
            self.name = name
            self.steps = steps.map { ($0.key, $0.value) }
        }

        var testDescription: String { name }
    }

    private static let begun = "start 1 A after the previous process"
    private static let ready = "run 1, READY, store handover, ready 1 to [], report 1"

    static let lives = [
        Life(
            "starts and stops",
            [.begin("A"): begun, .armed(1): ready, .stop(""): "stopping on SIGTERM to [], end 1"]),
        Life(
            "stop while the first generation is armed",
            [.begin("A"): begun, .stop("x"): "stopping on SIGTERM to [x], end 1"]),
        Life(
            "failure while the first generation is armed",
            [.begin("A"): begun, .fail(""): "stopping on broken to [], end 1"]),
        Life(
            "the first generation runs although a source of it failed",
            [.begin("A"): begun, .failed(1): ready]),
        Life(
            "reload",
            [
                .begin("A"): begun, .armed(1): ready,
                .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .armed(2): "run 2 replacing 1, READY, reloaded 2 to [x], report 2",
                .good("", "C"): "RELOADING, read, start 3 C replacing 2",
                .armed(3): "run 3 replacing 2, READY, reloaded 3 to [], report 3",
            ]),
        Life(
            "reload while the first generation is armed",
            [
                .begin("A"): begun, .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .armed(1): "",
                .armed(2): "run 2 replacing 1, READY, store handover, ready 2 to [x], report 2",
            ]),
        Life(
            "two reloads while the first generation is armed",
            [
                .begin("A"): begun, .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .good("y", "C"): "RELOADING, read, dispose 2, start 3 C replacing 1", .failed(2): "", .armed(1): "",
                .failed(3): "run 3 replacing 1, READY, store handover, ready 3 to [xy], report 3",
            ]),
        Life(
            "stop after a reload while the first generation is armed",
            [
                .begin("A"): begun, .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .stop("y"): "stopping on SIGTERM to [xy], dispose 2, end 1",
            ]),
        Life(
            "bad reload while the first generation is armed: READY comes with the generation",
            [.begin("A"): begun, .bad("x", "B"): "RELOADING, read, bad B to [x]", .armed(1): ready]),
        Life(
            "bad reload",
            [
                .begin("A"): begun, .armed(1): ready,
                .bad("xy", "B"): "RELOADING, read, READY, bad B to [xy]",
                .bad("", "C"): "RELOADING, read, READY, bad C to []",
                .good("z", "D"): "RELOADING, read, start 2 D replacing 1",
                .armed(2): "run 2 replacing 1, READY, reloaded 2 to [z], report 2",
            ]),
        Life(
            "two reloads while a later generation is armed: the last one answers all",
            [
                .begin("A"): begun, .armed(1): ready,
                .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .good("y", "C"): "RELOADING, read, dispose 2, start 3 C replacing 1",
                .good("z", "D"): "RELOADING, read, dispose 3, start 4 D replacing 1", .armed(2): "", .failed(3): "",
                .armed(4): "run 4 replacing 1, READY, reloaded 4 to [xyz], report 4",
            ]),
        Life(
            "a bad reload after a good one answers its own requesters only",
            [
                .begin("A"): begun, .armed(1): ready,
                .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .bad("y", "C"): "RELOADING, read, bad C to [y]",
                .armed(2): "run 2 replacing 1, READY, reloaded 2 to [x], report 2",
            ]),
        Life(
            "a later generation that cannot be armed is disposed",
            [
                .begin("A"): begun, .armed(1): ready,
                .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .failed(2): "dispose 2, READY, refused no to [x]",
                .good("y", "C"): "RELOADING, read, start 3 C replacing 1",
                .armed(3): "run 3 replacing 1, READY, reloaded 3 to [y], report 3",
            ]),
        // A number that is used again would make the late one look like the new one.
        Life(
            "a superseded generation that is armed after a refusal is ignored",
            [
                .begin("A"): begun, .armed(1): ready,
                .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .good("", "C"): "RELOADING, read, dispose 2, start 3 C replacing 1",
                .failed(3): "dispose 3, READY, refused no to [x]",
                .good("y", "D"): "RELOADING, read, start 4 D replacing 1", .armed(2): "",
                .failed(4): "dispose 4, READY, refused no to [y]",
            ]),
        Life(
            "stop while a later generation is armed",
            [
                .begin("A"): begun, .armed(1): ready,
                .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .stop("y"): "stopping on SIGTERM to [xy], dispose 2, end 1",
            ]),
        Life(
            "failure while a later generation is armed",
            [
                .begin("A"): begun, .armed(1): ready,
                .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .fail("y"): "stopping on broken to [xy], dispose 2, end 1",
            ]),
        Life(
            "stop after a reload ends the later generation",
            [
                .begin("A"): begun, .armed(1): ready,
                .good("x", "B"): "RELOADING, read, start 2 B replacing 1",
                .armed(2): "run 2 replacing 1, READY, reloaded 2 to [x], report 2",
                .stop("y"): "stopping on SIGTERM to [y], end 2",
            ]),
    ]

    @Test(arguments: lives) func actionsFollowInputs(life: Life) {
        var state = State()
        for (input, actions) in life.steps {
            #expect(state.apply(input).map(\.summary).joined(separator: ", ") == actions, "\(input)")
        }
    }

    @Test func stopWhileConfigIsReadAnswersClients() {
        var state = State()
        _ = state.begin(with: "A")
        _ = state.reload(for: ["x"])
        let actions = state.stop(.signal(SIGTERM), answering: ["y"])
        #expect(actions == [.report(.stopping(.signal(SIGTERM)), to: ["x", "y"]), .end(1)])
    }
}

extension ReloadState<String, String, Character> {
    fileprivate mutating func apply(_ input: ReloadStateTests.Input) -> [Action] {
        switch input {
        case .begin(let config): begin(with: config)
        case .good(let requesters, let config): reload(for: Array(requesters)) + configIsGood(config)
        case .bad(let requesters, let config): reload(for: Array(requesters)) + configIsBad(config)
        case .armed(let number): armed(number, failures: [])
        case .failed(let number): armed(number, failures: ["no"])
        case .stop(let requesters): stop(.signal(SIGTERM), answering: Array(requesters))
        case .fail(let requesters): stop(.failure("broken"), answering: Array(requesters))
        }
    }
}

extension ReloadState<String, String, Character>.Action {
    fileprivate var summary: String {
        switch self {
        case .start(let number, let config, .previousProcess): "start \(number) \(config) after the previous process"
        case .start(let number, let config, .replacing(let other)): "start \(number) \(config) replacing \(other)"
        case .dispose(let number): "dispose \(number)"
        case .run(let number, replacing: nil): "run \(number)"
        case .run(let number, replacing: let other?): "run \(number) replacing \(other)"
        case .readConfig: "read"
        case .notifyReloading: "RELOADING"
        case .notifyReady: "READY"
        case .storeHandover: "store handover"
        case .report(let outcome, let requesters): "\(outcome.summary) to [\(String(requesters))]"
        case .reportResources(let number): "report \(number)"
        case .end(let number): "end \(number)"
        }
    }
}

extension ReloadState<String, String, Character>.Outcome {
    fileprivate var summary: String {
        switch self {
        case .ready(let number): "ready \(number)"
        case .reloaded(let number): "reloaded \(number)"
        case .refused(let failures): "refused \(failures.joined())"
        case .badConfig(let errors): "bad \(errors)"
        case .stopping(let reason): "stopping on \(reason)"
        }
    }
}
