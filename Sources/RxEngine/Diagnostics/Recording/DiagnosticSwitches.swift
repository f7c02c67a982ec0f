import Synchronization

/// What the engine does besides its work, as bits of one byte that it reads where a run or an observable is made.
///
/// The byte is an atomic that is read relaxed: a switch takes effect at the objects that are made later.
enum DiagnosticSwitches {
    /// Subscriptions are recorded.
    static let records: UInt8 = 1
    /// The elements of recorded subscriptions are counted.
    static let counts: UInt8 = 2
    /// ``Hooks/onAssembly`` is set.
    static let assembly: UInt8 = 4
    /// ``Hooks/onSubscribe`` is set.
    static let subscribe: UInt8 = 8
    /// ``Hooks/onNextDropped`` is set.
    static let nextDropped: UInt8 = 16
    /// ``Hooks/onErrorDropped`` is set.
    static let errorDropped: UInt8 = 32
    /// ``Hooks/onOperatorError`` is set.
    static let operatorError: UInt8 = 64
    /// ``Hooks/onBlocked`` is set.
    static let blocked: UInt8 = 128

    /// Something observes starts of runs.
    static let starts = records | subscribe | nextDropped

    private static let bits = Atomic<UInt8>(0)

    /// Whether one of these switches is on.
    @inline(__always)
    static func isOn(_ mask: UInt8) -> Bool {
        bits.load(ordering: .relaxed) & mask != 0
    }

    static func set(_ mask: UInt8, _ isOn: Bool) {
        if isOn {
            bits.bitwiseOr(mask, ordering: .relaxed)
        } else {
            bits.bitwiseAnd(~mask, ordering: .relaxed)
        }
    }
}
