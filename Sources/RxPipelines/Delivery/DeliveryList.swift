/// A delivery that can be in a list. The lock that guards the list guards the links.
protocol ListedDelivery: AnyObject {
    var links: DeliveryList<Self>.Links { get set }
}

/// Deliveries in the order in which they were added. It does not retain them: each is removed by its deinitializer,
/// which waits for the lock that guards the list.
///
/// A class, so that no access to it is as long as a change of a structure would be: the runtime tracks such accesses.
final class DeliveryList<Member: ListedDelivery> {
    struct Links {
        fileprivate var previous: Unmanaged<Member>?
        fileprivate var next: Unmanaged<Member>?

        init() {}
    }

    private var first: Unmanaged<Member>?
    private var last: Unmanaged<Member>?
    private(set) var count = 0

    func append(_ delivery: Member) {
        let added = Unmanaged<Member>.passUnretained(delivery)
        delivery.links.previous = last
        if let last { last.with { $0.links.next = added } } else { first = added }
        last = added
        count += 1
    }

    func remove(_ delivery: Member) {
        let (previous, next) = (delivery.links.previous, delivery.links.next)
        if let previous { previous.with { $0.links.next = next } } else { first = next }
        if let next { next.with { $0.links.previous = previous } } else { last = previous }
        count -= 1
    }

    func forEach(_ body: (Member) -> Void) {
        var current = first
        while let delivery = current {
            current = delivery.with {
                body($0)
                return $0.links.next
            }
        }
    }
}
