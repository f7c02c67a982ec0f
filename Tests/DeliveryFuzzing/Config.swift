import SeededRandom

/// A random configuration whose outcome ``Evaluation`` can determine: sources, and pipelines from them into sinks that
/// write each act.
package struct Config: Sendable {
    var sources: [Source] = []
    var nodes: [Node] = []
    /// The connected components of nodes and sources, by source.
    var components: [String: Int] = [:]
    // The parts that a reload may change.
    var settings: [String: SinkSettings] = [:]
    var sinkEdits = SinkEdits()
    /// Pipelines that are added and removed.
    var extras: [Extra] = []
    /// Pipelines whose steps or source change.
    var edited: [Edited] = []
    var drain = 2000
    /// How many pipelines at the front are moved to the end: the order has no meaning.
    var rotation = 0

    struct Source: Sendable {
        let name: String
        let kind: Kind
        let inFlight: Int?

        enum Kind: Sendable {
            /// The files of a folder, which the test makes: a source that can rewind.
            case files
            /// Milliseconds.
            case interval(Int)
        }
    }

    struct Node: Sendable {
        let name: String
        let kind: Kind
        var sinks: [Sink] = []
        /// The sinks for events that fail in its steps.
        var failureSinks: [Sink] = []
        /// The sources that its events come from.
        let sources: Set<String>
        /// The node from whose log its events are derived; `nil` for the log of its component.
        let log: String?
        /// Whether, after a kill, the order of its events may differ from the order in which sinks have received them.
        let isLoose: Bool

        enum Kind: Sendable {
            case base(String)
            case steps(String, [Step])
            /// Of independent sources: the order is that of the sources' events.
            case merge([String], [Step])
            case combineLatest([String], [Step])
            case later(String, Later)
            /// Of a node and one that derives its events from those of the first, one of each, at once.
            case zip(String, String, [Step])
            /// Of a node and one that passes the same events on later: which of them it follows is open, in each
            /// process.
            case amb(String, String)
            /// Of nodes whose order of events only the log knows.
            case mix([String])
        }

        /// Whether the daemon keeps a list of its events in a separate node.
        var isLogged: Bool {
            switch kind {
            case .later, .mix, .amb: true
            case .base, .steps, .merge, .combineLatest, .zip: false
            }
        }

        private var steps: [Step] {
            switch kind {
            case .steps(_, let steps), .merge(_, let steps), .combineLatest(_, let steps), .zip(_, _, let steps): steps
            case .base, .later, .mix, .amb: []
            }
        }

        /// Whether it may complete.
        var ends: Bool {
            steps.contains(where: \.ends)
        }

        /// Whether its steps fail on some events.
        var fails: Bool { steps.contains(where: \.fails) }

        var isBase: Bool { if case .base = kind { true } else { false } }
        /// The name under which the events that fail in its steps are routed.
        var failures: String { "\(name)/onError" }

        /// Its sinks, with the name of the events that they receive.
        var outlets: [(events: String, sink: Sink)] {
            sinks.map { (name, $0) } + failureSinks.map { (failures, $0) }
        }

        var logName: String { "\(name)-log" }
    }

    struct Sink: Sendable {
        let key: String
        let kind: Kind
        /// Milliseconds before and after it writes the act.
        let (before, after): (Int, Int)
        /// Whether it fails, after it has written the act, on values with a 7.
        var fails = false

        enum Kind: String, Sendable, CaseIterable {
            case command, file, http
        }
    }

    struct SinkSettings: Sendable {
        var isSpooled: Bool
        var capacity = 50_000
        /// Seconds.
        var timeout = 60
    }

    struct Extra: Sendable {
        let name: String
        let sources: [String]
        let steps: [Step]
    }

    /// The folders of a trial.
    struct Folders: Sendable {
        let root: String
        /// The port of the server for requests.
        let port: Int

        var state: String { "\(root)/state" }
        var acts: String { "\(root)/acts" }
        func input(_ source: String) -> String { "\(root)/in-\(source)" }
        func acts(of key: String) -> String { "\(acts)/\(key.split(separator: "/").joined(separator: "-"))" }
    }

    /// The text of the configuration.
    func text(in folders: Folders) -> String {
        var lines = ["daemon: { drain: \(drain)ms }", "sources:"]
        for source in sources {
            let limit = source.inFlight.map { ", inFlight: \($0)" } ?? ""
            switch source.kind {
            case .files:
                lines.append(
                    "  \(source.name): { files: { paths: \(folders.input(source.name)), events: created\(limit) } }")
            case .interval(let period):
                lines.append("  \(source.name): { interval: { every: \(period)ms, delay: 0s\(limit) } }")
            }
        }
        for edited in edited where edited.input == nil {
            lines.append(
                "  \(Edited.source): { files: { paths: \(folders.input(Edited.source)), events: \(edited.kinds), "
                    + "inFlight: \(edited.inFlight) } }")
        }
        lines.append("pipelines:")
        var pipelines = nodes.flatMap { texts(of: $0, folders) } + logs
        pipelines += extras.map { extra in
            "  \(extra.name): { \(Self.from(extra.sources.map { "\($0)-base" })), "
                + "steps: [\(extra.steps.map(\.text).joined(separator: ", "))], "
                + "to: [file: { path: \(folders.acts(of: extra.name + "/file")), format: '{{$event.id}} {{.}}' }] }"
        }
        pipelines += edited.map { edited in
            let steps = edited.input == nil ? "map: '\(Self.fileNumber)', \(edited.steps)" : edited.steps
            return "  \(edited.name): { from: \(edited.input ?? Edited.source), steps: [\(steps)], "
                + "to: [file: { path: \(folders.acts(of: edited.key)), format: '{{$event.id}} {{.}}' }] }"
        }
        let cut = rotation % pipelines.count
        return (lines + pipelines[cut...] + pipelines[..<cut]).joined(separator: "\n") + "\n"
    }

    /// The number in a file's name, as a jq expression.
    private static let fileNumber = #".path | split("/") | last | tonumber"#

    private static func from(_ names: [String]) -> String {
        names.count == 1 ? "from: \(names[0])" : "merge: [\(names.joined(separator: ", "))]"
    }

    /// The numbers of all components.
    var componentNumbers: [Int] { Set(components.values).sorted() }

    /// Keeps the events of a component, or of a node, in their order.
    private static let logSteps =
        "steps: [scan: { seed: [], next: '$state + [[$event.id, .]]' }, ignoreElements: null], to: [stdout]"

    private var logs: [String] {
        componentNumbers.map { number in
            let names = sources.filter { components[$0.name] == number }.map { "\($0.name)-base" }
            return "  log-\(number): { \(Self.from(names)), \(Self.logSteps) }"
        }
    }

    private func texts(of node: Node, _ folders: Folders) -> [String] {
        let (from, steps): (String, [String])
        switch node.kind {
        case .base(let source):
            let isFiles = sources.contains {
                if case .files = $0.kind { $0.name == source } else { false }
            }
            let map = isFiles ? Self.fileNumber : ".tick"
            (from, steps) = ("from: \(source)", ["map: '\(map)'"])
        case .steps(let input, let list): (from, steps) = ("from: \(input)", list.map(\.text))
        case .merge(let inputs, let list): (from, steps) = (Self.from(inputs), list.map(\.text))
        case .combineLatest(let inputs, let list):
            (from, steps) = ("combineLatest: [\(inputs.joined(separator: ", "))]", list.map(\.text))
        case .later(let input, let later): (from, steps) = ("from: \(input)", [later.text])
        case .zip(let one, let other, let list): (from, steps) = ("zip: [\(one), \(other)]", list.map(\.text))
        case .amb(let one, let other): (from, steps) = ("amb: [\(one), \(other)]", [])
        case .mix(let inputs): (from, steps) = (Self.from(inputs), [])
        }
        let sinks = sinkEdits.sinks(of: node).map { text(of: $0, folders) }
        let failures = node.failureSinks.map { text(of: $0, folders, value: "{{.value}}") }
        let pipeline =
            "  \(node.name): { \(from), steps: [\(steps.joined(separator: ", "))]"
            + (sinks.isEmpty ? "" : ", to: [\(sinks.joined(separator: ", "))]")
            + (failures.isEmpty ? "" : ", onError: { to: [\(failures.joined(separator: ", "))] }") + " }"
        let log = "  \(node.logName): { from: \(node.name), \(Self.logSteps) }"
        return node.isLogged ? [pipeline, log] : [pipeline]
    }

    private func text(of sink: Sink, _ folders: Folders, value: String = "{{.}}") -> String {
        let settings = settings[sink.key] ?? sinkEdits.settings[sink.key] ?? SinkSettings(isSpooled: false)
        let queue = settings.isSpooled ? "{ disk: 16MiB }" : "\(settings.capacity)"
        let path = folders.acts(of: sink.key)
        switch sink.kind {
        case .file: return "file: { path: \(path), format: '{{$event.id}} \(value)', queue: \(queue) }"
        case .http:
            return "http: { url: 'http://127.0.0.1:\(folders.port)/\(sink.key)', body: '\(value)', "
                + "retry: { times: 1000, delay: 20ms }, timeout: \(settings.timeout)s, queue: \(queue) }"
        case .command:
            let (before, after) = (Self.pause(sink.before), Self.pause(sink.after))
            let script =
                (before + ["echo \"$RX_EVENT_ID $RX_VALUE\" >> \(path)"] + after
                + (sink.fails ? ["case $RX_VALUE in *7*) exit 1; esac"] : [])).joined(separator: "; ")
            return "command: { run: [sh, -c, '\(script)'], timeout: \(settings.timeout)s, queue: \(queue) }"
        }
    }

    private static func pause(_ milliseconds: Int) -> [String] {
        milliseconds == 0
            ? [] : ["sleep 0.\(String(repeating: "0", count: 3 - "\(milliseconds)".count))\(milliseconds)"]
    }
}
