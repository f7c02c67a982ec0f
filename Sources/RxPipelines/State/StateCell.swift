import RxEngine
import RxJQ
import RxJSON

/// What a step remembers, saved for the next process. A cell lives as long as the run of its step.
final class StateCell<Value: Sendable>: SavedCell {
    private struct Content {
        var value: Value
        /// Whether the value has not changed since ``save()``.
        var isSaved = false
    }

    private let current: Locked<Content>
    private let coding: StateCoding<Value>
    private let onChange: @Sendable (Bool) -> Void

    /// - Parameter onChange: called with every change, and whether it is the first since the value was saved.
    init(_ value: Value, _ coding: StateCoding<Value>, onChange: @escaping @Sendable (Bool) -> Void = { _ in }) {
        current = Locked(Content(value: value))
        self.coding = coding
        self.onChange = onChange
    }

    var value: Value {
        get { current.withLock { $0.value } }
        set { update { $0 = newValue } }
    }

    /// - Returns: what `body` returns.
    @discardableResult
    func update<Result>(_ body: (inout Value) -> Result) -> Result {
        // The old value is released outside the lock: its deinitialisers may do anything.
        let (before, wasSaved, result) = current.withLock { content in
            defer { content.isSaved = false }
            let before = content.value
            return (before, content.isSaved, body(&content.value))
        }
        withExtendedLifetime(before) {}
        onChange(wasSaved)
        return result
    }

    /// Sets the value from a snapshot.
    func restore(_ value: Value) {
        current.withLock { $0.value = value }
    }

    func save() -> JQValue? {
        coding.encode(
            current.withLock { content in
                content.isSaved = true
                return content.value
            })
    }
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
    /// The value to save, which is converted to JSON later; `nil` for one that need not be saved.
    func save() -> JQValue?
}

/// How a cell's value is saved.
struct StateCoding<Value: Sendable>: Sendable {
    let encode: @Sendable (Value) -> JQValue?
    let decode: @Sendable (JSON) -> Value?
}

extension StateCoding where Value == JQValue {
    static let value = StateCoding(encode: { $0 }, decode: { JQValue($0) })
}

extension StateCoding where Value == JSON? {
    static let optionalValue = StateCoding(encode: { $0.map { .plain($0) } }, decode: { .some($0) })
}

extension StateCoding where Value == JQValue? {
    static let optionalValue = StateCoding(encode: { $0 }, decode: { .some(JQValue($0)) })
}

extension StateCoding where Value == Bool {
    static let flag = StateCoding(encode: { $0 ? .plain(true) : nil }, decode: { $0.bool })
}

extension StateCoding where Value == Int {
    static let count = StateCoding(
        encode: { $0 == 0 ? nil : .plain(.number(Double($0))) }, decode: { $0.number.flatMap { Int(exactly: $0) } })
}

extension StateCoding where Value == PipelineEvent? {
    static let event = StateCoding(encode: { $0?.saved }, decode: { PipelineEvent(saved: $0).map { .some($0) } })
}
