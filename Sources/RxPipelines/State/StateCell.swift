import RxEngine
import RxJQ
import RxJSON

/// The state of a step, saved for the next process. A cell lives as long as the run of its step.
final class StateCell<Value: Sendable>: SavedCell {
    /// The value that a step remembers, and whether a snapshot has it.
    private struct Content {
        var value: Value
        /// Whether the value has not changed since ``save()``.
        var isSaved = false
    }

    private let current: Locked<Content>
    private let coding: StateCoding<Value>
    private let onChange: @Sendable (Bool) -> Void

    /// - Parameters:
    ///   - value: the first value.
    ///   - coding: how the value is saved.
    ///   - onChange: called after every change, with whether it is the first one since the value was saved.
    init(_ value: Value, _ coding: StateCoding<Value>, onChange: @escaping @Sendable (Bool) -> Void = { _ in }) {
        current = Locked(Content(value: value))
        self.coding = coding
        self.onChange = onChange
    }

    var value: Value {
        get { current.withLock { $0.value } }
        set { update { $0 = newValue } }
    }

    /// Changes the value.
    ///
    /// - Returns: the result of `body`.
    @discardableResult
    func update<Result>(_ body: (inout Value) -> Result) -> Result {
        // The old value is released outside the lock: its deinitializers may do anything.
        let (before, wasSaved, result) = current.withLock { content in
            defer { content.isSaved = false }
            let before = content.value
            return (before, content.isSaved, body(&content.value))
        }
        withExtendedLifetime(before) {}
        onChange(wasSaved)
        return result
    }

    /// Sets the value to that of a snapshot, which is not a change.
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
    /// Keeps the last of these events in the cell. The event that the cell has at first is emitted first, marked as
    /// replayed.
    func keepingLast(in cell: StateCell<PipelineEvent?>) -> Observable {
        let kept = self.do(onNext: { cell.value = $0.remembered })
        return cell.value.map { kept.startWith($0.replayed) } ?? kept
    }
}

/// A cell of any type.
protocol SavedCell: AnyObject, Sendable {
    /// Returns the value to save, which is converted to JSON later; `nil` if it need not be saved.
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
