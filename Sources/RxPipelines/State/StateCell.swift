import RxEngine
import RxJQ
import RxJSON

/// What a step remembers, saved for the next process. A cell lives as long as the run of its step.
final class StateCell<Value: Sendable>: SavedCell {
    private let current: Locked<Value>
    private let coding: StateCoding<Value>
    private let onChange: @Sendable () -> Void

    init(_ value: Value, _ coding: StateCoding<Value>, onChange: @escaping @Sendable () -> Void = {}) {
        current = Locked(value)
        self.coding = coding
        self.onChange = onChange
    }

    var value: Value {
        get { current.withLock { $0 } }
        set { update { $0 = newValue } }
    }

    /// - Returns: what `body` returns.
    @discardableResult
    func update<Result>(_ body: (inout Value) -> Result) -> Result {
        // The old value is released outside the lock: its deinitialisers may do anything.
        let (before, result) = current.withLock { value in
            let before = value
            return (before, body(&value))
        }
        withExtendedLifetime(before) {}
        onChange()
        return result
    }

    /// Sets the value from a snapshot.
    func restore(_ value: Value) {
        current.withLock { $0 = value }
    }

    var saved: JSON? { coding.encode(value) }
}

extension Observable where Element == PipelineEvent {
    /// These events, of which the cell keeps the last. The one in a snapshot precedes them, marked as replayed.
    func keepingLast(in cell: StateCell<PipelineEvent?>) -> Observable {
        let kept = self.do(onNext: { cell.value = $0.remembered })
        return cell.value.map { kept.startWith($0.replayed) } ?? kept
    }
}

/// A cell of any type.
protocol SavedCell: AnyObject, Sendable {
    /// The value to save; `nil` for one that need not be.
    var saved: JSON? { get }
}

/// How a cell's value is saved.
struct StateCoding<Value: Sendable>: Sendable {
    let encode: @Sendable (Value) -> JSON?
    let decode: @Sendable (JSON) -> Value?
}

extension StateCoding where Value == JQValue {
    static let value = StateCoding(encode: { $0.json }, decode: { JQValue($0) })
}

extension StateCoding where Value == JSON? {
    static let optionalValue = StateCoding(encode: { $0 }, decode: { .some($0) })
}

extension StateCoding where Value == JQValue? {
    static let optionalValue = StateCoding(encode: { $0?.json }, decode: { .some(JQValue($0)) })
}

extension StateCoding where Value == Bool {
    static let flag = StateCoding(encode: { $0 ? .bool(true) : nil }, decode: { $0.bool })
}

extension StateCoding where Value == Int {
    static let count = StateCoding(
        encode: { $0 == 0 ? nil : .number(Double($0)) }, decode: { $0.number.flatMap { Int(exactly: $0) } })
}

extension StateCoding where Value == PipelineEvent? {
    static let event = StateCoding(encode: { $0?.saved }, decode: { PipelineEvent(saved: $0).map { .some($0) } })
}
