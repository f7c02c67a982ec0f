import Synchronization

/// The records of the objects that are alive.
enum SubscriptionRegistry {
    private static let records = Locked<[UInt64: SubscriptionRecord]>([:])
    private static let made = Atomic<UInt64>(0)

    /// The number of the last record that was made.
    static var lastNumber: UInt64 { made.load(ordering: .relaxed) }

    static func add(
        _ slot: Resources.Slot, _ operation: Operator?, subscriber: SubscriptionRecord?, name: String?,
        account: Resources.Account?
    ) -> SubscriptionRecord {
        let number = made.wrappingAdd(1, ordering: .relaxed).newValue
        let new = SubscriptionRecord(
            number, slot, operation, subscriber: subscriber, name: name, account: account)
        records.withLock { $0[number] = new }
        return new
    }

    static func remove(_ record: SubscriptionRecord) {
        let removed = records.withLock { $0.removeValue(forKey: record.number) }
        withExtendedLifetime(removed) {}
    }

    /// The records, oldest first.
    static var all: [SubscriptionRecord] {
        records.withLock { Array($0.values) }.sorted { $0.number < $1.number }
    }
}
