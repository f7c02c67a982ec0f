@_spi(SwiftUI) import Observation
import RxEngine

/// The elements that a subscription to a property receives besides its changes.
public struct KeyValueObservingOptions: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: UInt

    /// Creates a set of options from its bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The value at the subscription.
    public static let initial = KeyValueObservingOptions(rawValue: 1)
    /// The value after each change.
    public static let new = KeyValueObservingOptions(rawValue: 2)
}

extension Observation.Observable where Self: AnyObject {
    // Disfavored, so that it is not a second `rx` of an object that is `ReactiveCompatible`, too.
    /// The namespace of the object.
    @_disfavoredOverload public var rx: Reactive<Self> { Reactive(self) }
}

extension Reactive where Base: AnyObject & Observation.Observable {
    /// Emits the value of a property of an `@Observable` object, and then its value after each change.
    ///
    ///     model.name          a-------b---c---
    ///     observe(\.name)     a-------b---c---
    ///
    /// This takes the place of KVO. The path may lead through several observable objects: a change of any of them is a
    /// change of the property. An assignment of an equal value is not a change: the macro does not report it. To follow more
    /// than one reference, use a path and not a computed property: only a path says how many there are.
    ///
    /// Never completes and never fails. The first value is emitted inside `subscribe`, and the others on the thread that
    /// changes the property, before the assignment returns; so the property is read only where the object's owner uses
    /// it, such as on its actor. If several threads change the property at the same time, the last value is always
    /// emitted, and a value before it may be left out, or be emitted twice.
    ///
    ///     model.rx.observe(\.name).subscribe(onNext: { print($0) })
    ///
    /// - Parameters:
    ///   - keyPath: the path from the object to the property.
    ///   - options: which values are emitted.
    ///   - retainSelf: whether the subscription retains the object. If not, it emits nothing after the object is gone.
    /// - Complexity: A change takes a read of the path and a registration with each object in it, as many times as the path
    ///   has properties, and another read.
    public func observe<Value>(
        _ keyPath: KeyPath<Base, Value>, options: KeyValueObservingOptions = [.initial, .new], retainSelf: Bool = true
    ) -> RxEngine.Observable<Value> {
        observe(keyPath, options: options, retainSelf: retainSelf, depth: keyPath.propertyCount)
    }

    /// Emits the value of a property, and then its value after each change.
    ///
    /// This is ``observe(_:options:retainSelf:)`` with the type of the property before the path, as with KVO.
    /// Never completes and never fails. The observer is called on the thread that changes the property.
    ///
    ///     view.rx.observe(Frame.self, \.frame)
    public func observe<Value>(
        _ type: Value.Type, _ keyPath: KeyPath<Base, Value>, options: KeyValueObservingOptions = [.initial, .new],
        retainSelf: Bool = true
    ) -> RxEngine.Observable<Value> {
        observe(keyPath, options: options, retainSelf: retainSelf)
    }

    /// Observes a property as ``observe(_:options:retainSelf:)`` does, with what callers in this module know.
    ///
    /// - Parameters:
    ///   - depth: the number of properties on the path, which takes time to count.
    ///   - holdsOld: whether the value before a change is retained until the one after it was emitted.
    func observe<Value>(
        _ keyPath: KeyPath<Base, Value>, options: KeyValueObservingOptions = [.initial, .new], retainSelf: Bool,
        depth: Int, holdsOld: Bool = false
    ) -> RxEngine.Observable<Value> {
        let owner: Base? = retainSelf ? base : nil
        return .source(onTrampoline: false) { [weak base] sink in
            let run = ObservationRun(to: sink, depth: depth, holdsOld: holdsOld) {
                (owner ?? base)?[keyPath: keyPath]
            }
            run.start(options)
            return run
        }
    }
}

// Unchecked: the lock guards the registration and the tickets; the property is read on the thread that subscribes or
// that changes it, as its owner allows.
/// A subscription to a property, or to what a closure makes of properties.
///
/// Each change takes a ticket, registers anew, since the path may lead to other objects now, and then reads the value.
/// A value with a lower ticket than an emitted one is dropped: the higher ticket was taken later, so its value was read
/// after both changes.
///
/// | thread A             | thread B             | emitted    |
/// |----------------------|----------------------|------------|
/// | sets 1; ticket 1     |                      |            |
/// |                      | sets 2; ticket 2     |            |
/// |                      | registers; reads 2   | 2          |
/// | registers; reads 2   |                      | none: 1 < 2 |
final class ObservationRun<Value>: Disposable, @unchecked Sendable {
    private let sink: Sink<Value>
    private let read: () -> Value?
    private let drain = SerializedDrain()
    private let lock = Lock()
    /// The most objects of which each refers to the next one that is read.
    private let depth: Int
    /// Whether the values before a change are retained until the one after it was emitted.
    private let holdsOld: Bool
    // Below: guarded by the lock.
    private var lastTicket = 0
    private var registered: (ticket: Int, registrations: [ObservationRegistration])?
    private var isDisposed = false
    /// The values before changes that are being made, each with the thread that makes the change.
    private var old: [(thread: UInt, value: Value)] = []
    /// The ticket of the latest emitted value. Used inside the drain only.
    private var emittedTicket = -1

    init(to sink: Sink<Value>, depth: Int, holdsOld: Bool = false, _ read: @escaping () -> Value?) {
        self.sink = sink
        self.depth = depth
        self.holdsOld = holdsOld
        self.read = read
    }

    func start(_ options: KeyValueObservingOptions) {
        if options.contains(.new) { register(0) }
        if options.contains(.initial) { emit(0) }
    }

    /// Handles a change that a registration reported, right after the change was made.
    ///
    /// If another registration has reported since (the ticket is newer), the handler of that report emits the value.
    private func changed(since ticket: Int) {
        let old = takeOld()
        guard sink.live.isActive else { return dispose() }
        let new = lock.locked { () -> Int? in
            guard lastTicket == ticket else { return nil }
            lastTicket += 1
            return lastTicket
        }
        guard let ticket = new else {
            // Another thread, or an outer call of this one, emits the value that was read after this change.
            return old.isEmpty ? () : drain.run { withExtendedLifetime(old) {} }
        }
        register(ticket)
        emit(ticket, retaining: old)
    }

    /// Registers with all objects in the path, as many times as there may be objects.
    ///
    /// A registration reads the path first and reports changes only after that, so it misses an object that is replaced
    /// in between. Therefore:
    ///
    /// 1. The first registration reports each later change of the first object.
    /// 2. The second one reads the path after that. Either it reads the right second object, or the first registration
    ///    reports that the object was replaced. The same holds for each further registration and object.
    /// 3. So the last registration has the right objects, or one before it reports a change.
    /// 4. The value is read after the last registration.
    ///
    /// All registrations stay until the next ticket, since a thread that has found one may call it late.
    ///
    /// | registering              | thread B                            |
    /// |--------------------------|-------------------------------------|
    /// | first reads, reports     |                                     |
    /// | second reads             |                                     |
    /// |                          | replaces an object; finds the first |
    /// | second reports           |                                     |
    /// |                          | calls the first: a new ticket       |
    private func register(_ ticket: Int) {
        // A property that is computed may read two objects.
        let registrations = (0..<max(2, depth)).map { _ in registration(ticket) }
        let replaced = lock.locked { () -> [ObservationRegistration]? in
            if isDisposed || registered.map({ $0.ticket > ticket }) == true { return registrations }
            defer { registered = (ticket, registrations) }
            return registered?.registrations
        }
        replaced?.forEach { $0.cancel() }
    }

    private func registration(_ ticket: Int) -> ObservationRegistration {
        let beforeChange = { @Sendable [weak self] () -> Void in self?.hold() }
        return ObservationRegistration(of: { _ = self.read() }, beforeChange: holdsOld ? beforeChange : nil) {
            [weak self] isCancelled in
            // The value before a change that another registration reports to another thread is not retained longer.
            if isCancelled { _ = self?.takeOld() } else { self?.changed(since: ticket) }
        }
    }

    /// Retains the value before a change that this thread makes.
    private func hold() {
        guard let value = read() else { return }
        lock.locked { if !isDisposed { old.append((CurrentThread.number, value)) } }
    }

    /// Takes the values before the change that this thread has made. The caller releases them outside of the lock.
    private func takeOld() -> [Value] {
        guard holdsOld else { return [] }
        let thread = CurrentThread.number
        return lock.locked {
            let taken = old.filter { $0.thread == thread }.map(\.value)
            old.removeAll { $0.thread == thread }
            return taken
        }
    }

    /// Reads the value and emits it, unless one with a higher ticket was emitted.
    ///
    /// - Parameter old: what is retained until the value was emitted. A busy drain emits it later, or on another thread.
    private func emit(_ ticket: Int, retaining old: [Value] = []) {
        guard let value = read() else { return }
        drain.run { [self] in
            defer { withExtendedLifetime(old) {} }
            guard ticket > emittedTicket, sink.live.isActive else { return }
            emittedTicket = ticket
            sink.next(value)
        }
    }

    func dispose() {
        let (last, old) = lock.locked { () -> ([ObservationRegistration], [(thread: UInt, value: Value)]) in
            isDisposed = true
            defer { self.old = [] }
            return (registered.take()?.registrations ?? [], self.old)
        }
        last.forEach { $0.cancel() }
        withExtendedLifetime(old) {}
    }
}
