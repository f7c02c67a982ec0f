/// A delivery that can be in a list.
// Unchecked: the lock that guards the list guards the links.
class ListedDelivery: @unchecked Sendable {
    fileprivate var previous: Unmanaged<ListedDelivery>?
    fileprivate var next: Unmanaged<ListedDelivery>?
}

/// Deliveries in the order in which they were added. It does not retain them: each is removed by its deinitializer, which
/// waits for the lock that guards the list.
struct DeliveryList<Member: ListedDelivery> {
    private var first: Unmanaged<ListedDelivery>?
    private var last: Unmanaged<ListedDelivery>?
    private(set) var count = 0

    mutating func append(_ delivery: Member) {
        let added = Unmanaged<ListedDelivery>.passUnretained(delivery)
        delivery.previous = last
        if let last { last.with { $0.next = added } } else { first = added }
        last = added
        count += 1
    }

    mutating func remove(_ delivery: Member) {
        let (previous, next) = (delivery.previous, delivery.next)
        if let previous { previous.with { $0.next = next } } else { first = next }
        if let next { next.with { $0.previous = previous } } else { last = previous }
        count -= 1
    }

    func forEach(_ body: (Member) -> Void) {
        var current = first
        while let delivery = current {
            current = delivery.with {
                body(unsafeDowncast($0, to: Member.self))
                return $0.next
            }
        }
    }
}
