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
    // Disfavored, so that it is no second `rx` of an object that is `ReactiveCompatible`, too.
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
    /// change of the property. An assignment of an equal value is no change: the macro does not report it.
    ///
    /// Never completes and never fails. The first value is emitted inside `subscribe`, and the others on the thread that
    /// changes the property, before the assignment returns; so the property is read only where the object's owner uses
    /// it, such as on its actor. If several threads change the property at the same time, the last value is always
    /// emitted, and a value before it may be left out.
    ///
    ///     model.rx.observe(\.name).subscribe(onNext: { print($0) })
    ///
    /// - Parameters:
    ///   - keyPath: the path from the object to the property.
    ///   - options: which values are emitted.
    ///   - retainSelf: whether the subscription retains the object. If not, it emits nothing after the object is gone.
    /// - Complexity: A change takes two reads of the path, and two registrations with each object in it.
    public func observe<Value>(
        _ keyPath: KeyPath<Base, Value>, options: KeyValueObservingOptions = [.initial, .new], retainSelf: Bool = true
    ) -> RxEngine.Observable<Value> {
        let owner: Base? = retainSelf ? base : nil
        return .source(onTrampoline: false) { [weak base] sink in
            let run = ObservationRun(to: sink) {
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
    // Below: guarded by the lock.
    private var lastTicket = 0
    private var registration: (ticket: Int, registration: ObservationRegistration)?
    private var isDisposed = false
    /// The ticket of the latest emitted value. Used inside the drain only.
    private var emittedTicket = -1

    init(to sink: Sink<Value>, _ read: @escaping () -> Value?) {
        self.sink = sink
        self.read = read
    }

    func start(_ options: KeyValueObservingOptions) {
        if options.contains(.new) { register(0) }
        if options.contains(.initial) { emit(0) }
    }

    /// Handles a change, right after it was made.
    private func changed() {
        guard sink.live.isActive else { return dispose() }
        let ticket = lock.locked {
            lastTicket += 1
            return lastTicket
        }
        register(ticket)
        emit(ticket)
    }

    /// Registers with all objects in the path. The first registration may have missed that an object in the path was
    /// replaced while it was made, which the second one then does not, as the first reports it.
    private func register(_ ticket: Int) {
        let first = ObservationRegistration(of: { _ = self.read() }) { [weak self] in self?.changed() }
        let second = ObservationRegistration(of: { _ = self.read() }) { [weak self] in self?.changed() }
        first.cancel()
        let replaced = lock.locked { () -> ObservationRegistration? in
            if isDisposed || registration.map({ $0.ticket > ticket }) == true { return second }
            defer { registration = (ticket, second) }
            return registration?.registration
        }
        replaced?.cancel()
    }

    private func emit(_ ticket: Int) {
        guard let value = read() else { return }
        drain.run { [self] in
            guard ticket > emittedTicket, sink.live.isActive else { return }
            emittedTicket = ticket
            sink.next(value)
        }
    }

    func dispose() {
        let last = lock.locked { () -> ObservationRegistration? in
            isDisposed = true
            return registration.take()?.registration
        }
        last?.cancel()
    }
}
