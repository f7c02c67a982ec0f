/// A random program: the parts to assemble, and the actions of threads on them.
struct Program: Sendable {
    var hot: [HotPlan]
    /// The parts that several others use; a part uses earlier ones only.
    var shared: [Node]
    /// Which of the parts are connected explicitly.
    var connectables: Set<Int>
    var root: Node
    var subscribers: [SubscriberPlan]
    /// The actions of the threads that emit nothing, one list for each thread.
    var scripts: [[Action]]
    /// The number of threads that push into the hot sources.
    var producers: Int
    /// How long a producer pauses between two elements: one of these, in the order of its own random sequence.
    var pauses: [Int]

    var guarantees: Guarantees { root.guarantees }

    var operators: [String] {
        root.operators + shared.flatMap(\.operators) + connectables.flatMap { _ in ["publish", "connect"] }
    }

    var text: String {
        var lines = hot.enumerated().map { "let hot\($0) = \($1.text)" }
        for (index, part) in shared.enumerated() {
            lines.append("let shared\(index) = \(part.text())\(connectables.contains(index) ? "\n    .publish()" : "")")
        }
        lines.append("let root = \(root.text())")
        lines.append("// \(guarantees)")
        for (index, subscriber) in subscribers.enumerated() { lines.append("subscriber \(index): \(subscriber.text)") }
        for (index, script) in scripts.enumerated() {
            lines.append("thread \(index): \(script.map(\.text).joined(separator: "; "))")
        }
        lines.append("\(producers) producers, pauses of \(pauses)")
        return lines.joined(separator: "\n")
    }
}

/// One subscription to the root of a program.
struct SubscriberPlan: Sendable {
    /// How the subscriber itself ends its subscription.
    enum Leave: Sendable {
        case never
        /// Disposes inside the callback of this element, counted from 1.
        case inside(Int)
        /// Observes on a serial queue and disposes there, some time after this element.
        case onQueue(Int)
    }

    var leave: Leave
    /// Subscribes once more inside the callback of this element.
    var subscribesAt: Int?
    /// Whether it subscribes before anything is emitted.
    var isEarly: Bool
    /// How long a callback takes.
    var pause: Int

    var text: String {
        var parts = [isEarly ? "subscribes before anything is emitted" : "subscribes late"]
        switch leave {
        case .never: break
        case .inside(let count): parts.append("disposes inside callback \(count)")
        case .onQueue(let count): parts.append("disposes on the queue that it observes on after element \(count)")
        }
        if let subscribesAt { parts.append("subscribes again inside callback \(subscribesAt)") }
        if pause > 0 { parts.append("pauses \(pause)") }
        return parts.joined(separator: ", ")
    }
}

/// An action of a thread.
enum Action: Sendable {
    case subscribe(Int)
    case dispose(Int)
    /// Puts a subscription into the thread's bag.
    case bag(Int)
    case replaceBag
    case pause(Int)
    /// Waits until this number of elements was emitted, or no more will be.
    case awaitProgress(Int)
    case disposeSubject(Int)
    case connect(Int)
    case disconnect(Int)

    var text: String {
        switch self {
        case .subscribe(let index): "subscribe \(index)"
        case .dispose(let index): "dispose \(index)"
        case .bag(let index): "put \(index) into the bag"
        case .replaceBag: "replace the bag"
        case .pause(let count): "pause \(count)"
        case .awaitProgress(let count): "await \(count) elements"
        case .disposeSubject(let index): "dispose hot\(index)"
        case .connect(let index): "connect shared\(index)"
        case .disconnect(let index): "dispose the connection of shared\(index)"
        }
    }
}
