import Synchronization

/// A running subscription: the disposable that `subscribe` returns, and the state that all sinks of a run share.
///
/// A run is a chain of sinks from a source to a boundary: an observer, or an operator that may hold back the end of its
/// upstream, such as a shared connection. The boundary owns one live subscription for the whole chain; the operators
/// between share it. It holds the flag that silences the chain and the disposable that disposes its source.
///
/// Its methods may be called from any thread.
public final class LiveSubscription: Cancelable {
    private let ticket: ResourceTicket
    private let state = Atomic<UInt8>(0)

    /// The disposable that disposes the source. Written once before `attached` is set; taken once by the thread that sets
    /// the second of `attached` and `disposed`:
    ///
    /// | one thread                            | another thread                    | `upstream`                       |
    /// |---------------------------------------|-----------------------------------|----------------------------------|
    /// | writes `upstream`                     |                                   |                                  |
    /// | sets `attached`, reads not `disposed` |                                   | stays                            |
    /// |                                       | sets `disposed`, reads `attached` | is disposed by the second thread |
    ///
    /// | one thread                        | another thread                        | `upstream`                      |
    /// |-----------------------------------|---------------------------------------|---------------------------------|
    /// | writes `upstream`                 | sets `disposed`, reads not `attached` | stays                           |
    /// | sets `attached`, reads `disposed` |                                       | is disposed by the first thread |
    @exclusivity(unchecked) nonisolated(unsafe) private var upstream: any Disposable = NopDisposable()

    /// Creates the subscription of a run, for the boundary that owns it.
    public convenience init() {
        self.init(under: nil)
    }

    /// Creates the subscription of a chain whose events `run`, an operator with a ticket of its own, receives.
    convenience init(in run: borrowing ResourceTicket) {
        self.init(under: run.record)
    }

    /// Creates the subscription of a chain that emits to `sink`. Borrowed, as a parameter of an initializer would otherwise
    /// be retained and released.
    @usableFromInline
    init(into sink: borrowing AnySink) {
        ticket = ResourceTicket(.subscription, into: sink)
    }

    /// - Parameter subscriber: returns the record of what receives the events; `nil` for the program. Called only while
    ///   subscriptions are recorded.
    init(under subscriber: @autoclosure () -> SubscriptionRecord?) {
        ticket = ResourceTicket(.subscription, under: subscriber())
    }

    /// The record of this subscription, if subscriptions are recorded.
    var record: SubscriptionRecord? { ticket.record }

    /// Whether sinks may still deliver events: neither has the run ended nor was it disposed.
    @inline(__always)
    public var isActive: Bool {
        state.load(ordering: .relaxed) & Bits.ended == 0
    }

    /// Silences the chain before its terminal event.
    ///
    /// - Returns: `true` for the first call on an active run. The caller then delivers the terminal event and calls
    ///   ``dispose()``.
    public func end() -> Bool {
        state.bitwiseOr(Bits.ended, ordering: .acquiringAndReleasing).oldValue & Bits.ended == 0
    }

    /// Ends the run, unless it is over: silences the chain, then delivers the terminal event, then disposes the source.
    ///
    /// A boundary of the engine that calls ``end()`` itself states the reason in its comment.
    ///
    /// - Parameter deliver: delivers the terminal event.
    /// - Returns: whether the run was active, and `deliver` was called.
    @inline(__always) @discardableResult
    public func end(_ deliver: () -> Void) -> Bool {
        guard end() else { return false }
        deliver()
        dispose()
        return true
    }

    /// Ends the run with an error, like ``end(_:)``. If the run is over already, the error is reported as dropped.
    ///
    /// - Parameters:
    ///   - error: the error of the source.
    ///   - deliver: delivers it.
    @inline(__always)
    func fail(_ error: any Error, _ deliver: () -> Void) {
        if !end(deliver) { Hooks.dropped(error: error) }
    }

    /// Attaches the disposable that disposes the source, or disposes it at once if the run is disposed already.
    ///
    /// Called once in a subscription's life; a second call traps.
    @inline(__always)
    public func attach(_ disposable: consuming any Disposable) {
        upstream = disposable
        attached()
    }

    /// Whether ``attach(_:)`` was called.
    var isAttached: Bool { state.load(ordering: .relaxed) & Bits.attached != 0 }

    private func attached() {
        let before = state.bitwiseOr(Bits.attached, ordering: .acquiringAndReleasing).oldValue
        precondition(before & Bits.attached == 0, "attach(_:) was called twice")
        if before & Bits.disposed != 0 { disposeUpstream() }
    }

    /// Whether the run was disposed, or has ended and disposed its source.
    public var isDisposed: Bool {
        state.load(ordering: .acquiring) & Bits.disposed != 0
    }

    /// Silences the chain and disposes the source. Further calls do nothing.
    public func dispose() {
        let before = state.bitwiseOr(Bits.ended | Bits.disposed, ordering: .acquiringAndReleasing).oldValue
        if before & Bits.disposed == 0, before & Bits.attached != 0 { disposeUpstream() }
    }

    private func disposeUpstream() {
        Probes.dispose(self)
        var taken: any Disposable = NopDisposable()
        swap(&taken, &upstream)
        taken.dispose()
    }

    private enum Bits {
        static let ended: UInt8 = 1
        static let disposed: UInt8 = 2
        static let attached: UInt8 = 4
    }
}
