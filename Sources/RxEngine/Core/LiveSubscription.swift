import Synchronization

/// One running subscription: what `subscribe` returns, and what every sink of a run consults.
///
/// A run is a chain of sinks from a source to a boundary, that is an observer or an operator that may hold back the
/// end of its upstream, such as a shared connection. The boundary owns one live subscription for the whole chain; the
/// operators between share it. It carries the one flag that silences the chain and the one handle that frees it.
public final class LiveSubscription: Cancelable {
    private let ticket: ResourceTicket
    private let state = Atomic<UInt8>(0)

    /// Written once before `attached` is set, taken once by whoever sets the second of `attached` and `released`.
    @exclusivity(unchecked) nonisolated(unsafe) private var upstream: any Disposable = NopDisposable()

    /// For boundaries.
    public convenience init() {
        self.init(countedAs: .subscription)
    }

    init(countedAs kind: Resources.Kind) {
        ticket = ResourceTicket(kind)
    }

    /// Whether events may still be delivered.
    @inline(__always)
    public var isActive: Bool {
        state.load(ordering: .relaxed) & Bits.ended == 0
    }

    /// Silences the chain.
    ///
    /// - Returns: whether it was this call that did. The caller then delivers the terminal event and disposes.
    public func end() -> Bool {
        state.bitwiseOr(Bits.ended, ordering: .acquiringAndReleasing).oldValue & Bits.ended == 0
    }

    /// Hands over what stops the source; if the run is over already, it is disposed at once. Called once.
    @inline(__always)
    public func attach(_ disposable: consuming any Disposable) {
        upstream = disposable
        attached()
    }

    /// Whether what stops the source is known.
    var isAttached: Bool { state.load(ordering: .relaxed) & Bits.attached != 0 }

    private func attached() {
        let before = state.bitwiseOr(Bits.attached, ordering: .acquiringAndReleasing).oldValue
        precondition(before & Bits.attached == 0, "a subscription is attached to its source once")
        if before & Bits.released != 0 { release() }
    }

    /// Whether the run was disposed or has ended and been freed.
    public var isDisposed: Bool {
        state.load(ordering: .acquiring) & Bits.released != 0
    }

    /// Silences the chain and frees the source.
    public func dispose() {
        let before = state.bitwiseOr(Bits.ended | Bits.released, ordering: .acquiringAndReleasing).oldValue
        if before & Bits.released == 0, before & Bits.attached != 0 { release() }
    }

    private func release() {
        var taken: any Disposable = NopDisposable()
        swap(&taken, &upstream)
        taken.dispose()
    }

    private enum Bits {
        static let ended: UInt8 = 1
        static let released: UInt8 = 2
        static let attached: UInt8 = 4
    }
}
