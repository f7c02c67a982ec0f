#if USDT
internal import CProbes
#endif

/// The static probes (USDT) of the provider `rxengine`, which `bpftrace` and `perf` can attach to. Without the package
/// trait `USDT` they do not exist; with it, each is one instruction without effect until a tool replaces it.
enum Probes {
    /// A run starts. Its arguments are the address of the subscription and the raw value of the ``Operator``.
    @inline(__always)
    static func subscribe(_ live: LiveSubscription, _ operation: @autoclosure () -> Operator?) {
        #if USDT
        rx_probe_subscribe(address(of: live), UInt64((operation() ?? .custom).rawValue))
        #endif
    }

    /// A run disposes its source, because it has ended or was disposed. Its argument is the address of the subscription.
    @inline(__always)
    static func dispose(_ live: LiveSubscription) {
        #if USDT
        rx_probe_dispose(address(of: live))
        #endif
    }

    #if USDT
    @inline(__always)
    private static func address(of live: LiveSubscription) -> UInt64 {
        UInt64(UInt(bitPattern: Unmanaged.passUnretained(live).toOpaque()))
    }
    #endif
}
