import RxJSON
import RxLinux

/// Values that a source emitted while `inFlight` was reached, conflated by key. A source with many keys bounds their
/// number itself, see ``SourceValue/slot``.
struct PendingValues {
    /// The values, oldest first.
    private(set) var all: Queue<SourceValue> = []
    /// The index of the latest value of each key since the last value without a key: values are not merged across such
    /// a value. Keys are compared by their bytes, since Swift compares canonically equivalent strings as equal.
    private var indices: [[UInt8]: Int] = [:]
    private let rule: BackpressurePolicy

    init(_ rule: BackpressurePolicy) {
        self.rule = rule
    }

    var count: Int { all.count }
    var isEmpty: Bool { all.isEmpty }

    /// Appends a value, or merges it into the pending one of its key.
    ///
    /// - Returns: whether it was merged.
    mutating func append(_ value: SourceValue) -> Bool {
        guard case .conflates(let key, let join) = rule, let key = key(value.value).map({ Array($0.utf8) }) else {
            indices = [:]
            all.append(value)
            return false
        }
        if let index = indices[key], index >= all.startIndex {
            all[index] = all[index].joined(by: value, join)
            return true
        }
        if indices.count > 2 * all.count + 1000 { indices = indices.filter { $0.value >= all.startIndex } }
        indices[key] = all.endIndex
        all.append(value)
        return false
    }

    /// Removes the values with these names.
    mutating func removeAll(where isUnwanted: (String) -> Bool) {
        all = Queue(all.filter { $0.name.map { !isUnwanted($0) } ?? true })
        indices = [:]
    }

    mutating func popFirst() -> SourceValue? { all.popFirst() }
}

extension SourceValue {
    /// The value that replaces this one and a later one. It has the name of the later one if it equals that, and else
    /// the name of this one.
    fileprivate func joined(by later: SourceValue, _ join: (JSON, JSON) -> JSON) -> SourceValue {
        let joined = join(value, later.value)
        return SourceValue(
            joined, position: later.position, name: joined == later.value ? later.name : name, slot: slot)
    }
}
