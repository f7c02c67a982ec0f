import Synchronization

// Unchecked: the lock guards what changes.
/// The record of a live subscription, or of an operator in its chain, while ``Resources/recording`` is on.
///
/// The ``ResourceTicket`` of the object owns it: a record is in ``SubscriptionRegistry`` as long as the object lives.
@usableFromInline
final class SubscriptionRecord: @unchecked Sendable {
    let number: UInt64
    /// The operator; `nil` for a subscription.
    let operation: Operator?
    /// The record of the object that receives the events of this one.
    let subscriber: SubscriptionRecord?
    /// The name of a checkpoint.
    let name: String?
    /// The name of this checkpoint, or of the nearest one downstream.
    let nearestName: String?
    let account: Resources.Account?
    let slot: Resources.Slot
    let since = ContinuousClock.now
    private let counter = Atomic(0)
    private let lock = Lock()
    private var state = State()

    struct State {
        /// The source that emits to this object without a record of its own, such as a subject.
        var source: Source?
        /// The shared run that this subscription belongs to.
        var connection: SharedObject?
        weak var live: LiveSubscription?
        var owner: Owner?
        /// Whether ``CountingSink`` counts the elements.
        var isCounting = false
    }

    /// A source, or a subject or connection that others subscribe to as well.
    struct Source {
        let operation: Operator
        let shared: SharedObject?
    }

    /// A subject or a connection. The record does not retain it.
    struct SharedObject {
        /// A key that is equal for all subscribers of one object.
        ///
        /// The address alone is not enough: another object may get the address after the first one was freed, while
        /// subscribers of the first are still recorded. `isAlive` distinguishes them: it is `false` for the freed
        /// object.
        struct Key: Hashable {
            let identity: ObjectIdentifier
            let isAlive: Bool
        }

        private let identity: ObjectIdentifier
        private weak var object: AnyObject?

        init(_ object: AnyObject) {
            self.object = object
            identity = ObjectIdentifier(object)
        }

        var key: Key { Key(identity: identity, isAlive: object != nil) }
    }

    /// The object that disposes the subscription.
    struct Owner {
        /// The name of the owner's type.
        let name: String
        /// Whether the owner was released, so that it will not dispose the subscription any more.
        let isReleased: Bool
    }

    init(
        _ number: UInt64, _ slot: Resources.Slot, _ operation: Operator?, subscriber: SubscriptionRecord?,
        name: String?, account: Resources.Account?
    ) {
        self.number = number
        self.slot = slot
        self.operation = operation
        self.subscriber = subscriber
        self.name = name
        nearestName = name ?? subscriber?.nearestName
        self.account = account
    }

    /// Returns a sink that counts the elements.
    func counting<Element>(_ downstream: Sink<Element>) -> Sink<Element> {
        guard DiagnosticSwitches.isOn(DiagnosticSwitches.counts) else { return downstream }
        lock.locked { state.isCounting = true }
        return CountingSink(to: downstream, self)
    }

    /// Counts an element.
    func count() {
        counter.wrappingAdd(1, ordering: .relaxed)
    }

    /// What changes in a record, read at one moment.
    struct Snapshot {
        /// The source that emits to the object without a record of its own.
        let source: (operation: Operator, shared: SharedObject.Key?)?
        let connection: SharedObject.Key?
        let isDisposed: Bool
        let owner: Owner?
        /// The number of elements that an operator has emitted, or that the observer of a subscription has received; `nil`
        /// if they are not counted.
        let elements: Int?
    }

    /// What changes, as it is now. The weak references are read outside the lock: the reader may be the last to release
    /// an object.
    var snapshot: Snapshot {
        let state = lock.locked { self.state }
        return Snapshot(
            source: state.source.map { ($0.operation, $0.shared?.key) }, connection: state.connection?.key,
            isDisposed: state.live?.isDisposed ?? false, owner: state.owner,
            elements: state.isCounting ? counter.load(ordering: .relaxed) : nil)
    }

    func set(source operation: Operator, sharedBy shared: AnyObject?) {
        let source = Source(operation: operation, shared: shared.map(SharedObject.init))
        lock.locked { state.source = source }
    }

    /// Notes in the record of `sink` that it subscribes to a subject or a connection.
    @inline(never)
    static func note(_ shared: AnyObject, of sink: AnySink) {
        guard let record = sink.record else { return }
        let operation = (shared as? any ObservableWithOperator)?.tracedOperation
        record.set(source: operation ?? .share, sharedBy: shared)
    }

    func set(connection: AnyObject) {
        lock.locked { state.connection = SharedObject(connection) }
    }

    func set(live: LiveSubscription) {
        lock.locked { state.live = live }
    }

    /// Notes in the records of subscriptions what owns them, if there are records.
    ///
    /// - Parameters:
    ///   - type: the type of the owner.
    ///   - isReleased: whether the owner is being released.
    ///   - members: what it owns.
    @inline(__always)
    static func note(
        owner type: any AnyObject.Type, isReleased: Bool = false, of members: @autoclosure () -> [any Disposable]
    ) {
        if DiagnosticSwitches.isOn(DiagnosticSwitches.records) {
            set(Owner(name: "\(type)", isReleased: isReleased), of: members())
        }
    }

    @inline(never)
    private static func set(_ owner: Owner, of members: [any Disposable]) {
        for case let member as LiveSubscription in members {
            guard let record = member.record else { continue }
            record.lock.locked { record.state.owner = owner }
        }
    }
}

/// An ``Observable``, with its element type erased.
protocol ObservableWithOperator: AnyObject {
    var tracedOperation: Operator? { get }
}

extension Observable: ObservableWithOperator {}
