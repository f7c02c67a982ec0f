import RxEngine
import RxJSON
import Synchronization

/// The observers of what nodes do while the daemon runs, such as `rxwatchctl tap`.
///
/// They outlive a reload, since they name the nodes. Without any, an event costs one read of a number.
package final class TapRegistry: Sendable {
    /// A notification of what a node has done.
    package enum Notification: Sendable {
        case emitted(PipelineEvent)
        case failed(NodeActivity.Failure)
        case phase(NodeActivity.Phase)
        /// The event of a source is settled.
        case settled(SourceEvent)
        /// A sink of the pipeline drops the event of this id.
        case dropped(SourceEvent, id: String, at: String, because: String)
        /// A pipeline subscribes to the node, gets an earlier event of it, or unsubscribes.
        case subscription(by: String, SubscriptionChange)
    }

    /// What happens to a subscription.
    package enum SubscriptionChange: Sendable {
        case subscribed, unsubscribed
        case replayed(SourceEvent)
    }

    /// Called with a node and what it has done, on the thread of the node, which it must not block.
    package typealias Receive = @Sendable (_ node: String, _ notification: Notification) -> Void

    /// The nodes of an observer; `nil` for all.
    private typealias Tap = (nodes: Set<String>?, receive: Receive)

    private let count = Atomic(0)
    private let taps = Locked<(last: Int, all: [Int: Tap])>((0, [:]))
    /// The numbers of running nodes by name: a reload starts the new node of a name before the one that it replaces ends.
    private let running = Locked<[String: Int]>([:])

    package init() {}

    /// Whether nothing is observed.
    var isIdle: Bool { count.load(ordering: .relaxed) == 0 }

    /// Observes nodes until disposed.
    ///
    /// - Parameter nodes: the names of the nodes; none for all.
    package func add(_ nodes: [String], _ receive: @escaping Receive) -> any Disposable {
        let number = taps.withLock { taps in
            taps.last += 1
            taps.all[taps.last] = (nodes.isEmpty ? nil : Set(nodes), receive)
            return taps.last
        }
        count.add(1, ordering: .relaxed)
        return Disposables.create { [self] in
            count.subtract(1, ordering: .relaxed)
            let removed = taps.withLock { $0.all.removeValue(forKey: number) }
            withExtendedLifetime(removed) {}
        }
    }

    @inline(__always)
    func observe(_ node: String, _ notification: @autoclosure () -> Notification) {
        if !isIdle { pass(node, notification()) }
    }

    /// Notifies of a change of a node's phase, unless another node of the name runs on.
    func observe(_ node: String, from old: NodeActivity.Phase, to phase: NodeActivity.Phase) {
        let isRunning = running.withLock { running in
            let count = running[node, default: 0] + (phase == .running ? 1 : 0) - (old == .running ? 1 : 0)
            running[node] = count > 0 ? count : nil
            return count > 0
        }
        if phase == .running || !isRunning { observe(node, .phase(phase)) }
    }

    @inline(never)
    private func pass(_ node: String, _ notification: Notification) {
        let interested = taps.withLock { taps in taps.all.values.filter { $0.nodes?.contains(node) ?? true } }
        for tap in interested { tap.receive(node, notification) }
    }
}
