/// A delivery that can be a member of a ``DeliveryList``. The lock that guards the list guards the links.
protocol ListedDelivery: AnyObject {
    var links: DeliveryList<Self>.Links { get set }
}

/// An intrusive list of deliveries in the order in which they were added. The list does not retain them: the
/// deinitializer of a delivery removes it, after it has taken the lock that guards the list.
///
/// A class and not a structure: a mutating method is one long exclusive access to a structure, which the runtime tracks
/// at a cost.
final class DeliveryList<Member: ListedDelivery> {
    /// The neighbours of a delivery in the list.
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
