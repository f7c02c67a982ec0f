import FoundationEssentials
import RxEngine

// Unchecked: as its superclass, it traps off the thread that made it.
/// A virtual clock for tests, with observables and observers that record virtual times.
///
/// ```swift
/// let scheduler = TestScheduler(initialClock: 0)
/// let source = scheduler.createColdObservable([.next(10, 1), .next(20, 2), .completed(30)])
/// let result = scheduler.start { source.map { $0 * 10 } }
/// // result.events == [.next(210, 10), .next(220, 20), .completed(230)]
/// ```
public final class TestScheduler: VirtualTimeScheduler<TestSchedulerVirtualTimeConverter>, @unchecked Sendable {
    /// The times of `start(created:subscribed:disposed:create:)`.
    public enum Defaults {
        /// When the observable is made.
        public static let created = 100
        /// When the observer subscribes.
        public static let subscribed = 200
        /// When the subscription is disposed.
        public static let disposed = 1000
    }

    private let simulateProcessingDelay: Bool
    /// One unit of virtual time, which is a frame of a marble diagram.
    let frame: Duration

    /// Makes a scheduler.
    ///
    /// - Parameters:
    ///   - initialClock: the time at which the clock starts.
    ///   - resolution: the number of seconds that one unit of virtual time stands for.
    ///   - simulateProcessingDelay: whether an action that is scheduled without delay runs one unit later. An action
    ///     that is scheduled for a virtual time, such as an event of a testable observable, always runs at that time.
    public init(initialClock: TestTime, resolution: Double = 1.0, simulateProcessingDelay: Bool = true) {
        self.simulateProcessingDelay = simulateProcessingDelay
        frame = resolution > 0 && resolution < 1e9 ? .seconds(resolution) : .seconds(1)
        super.init(
            initialClock: initialClock, converter: TestSchedulerVirtualTimeConverter(resolution: resolution)
        )
    }

    /// Delays an action without delay by one unit, if the scheduler simulates a processing delay.
    public override func adjustScheduledTime(_ time: TestTime) -> TestTime {
        simulateProcessingDelay && time <= clock && clock < .max ? clock + 1 : time
    }

    /// Schedules `action` for the virtual time `time`.
    ///
    /// The thread that runs the scheduler calls it, in the order of scheduling if several are due at `time`.
    ///
    /// - Complexity: O(log *n*) for *n* scheduled actions.
    @preconcurrency
    public func scheduleAt(_ time: TestTime, action: @escaping @Sendable () -> Void) {
        _ = scheduleAbsoluteVirtual((), time: time) {
            action()
            return Disposables.create()
        }
    }

    /// Makes an observable that emits these events at their times, to the observers that are subscribed then.
    ///
    /// The thread that runs the scheduler delivers them. Its recorded completion or error does not end it: later events
    /// are still delivered.
    public func createHotObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        TestableObservable(hot: events, on: self)
    }

    /// Makes an observable that emits these events to each subscriber, at times relative to its subscription.
    ///
    /// The thread that runs the scheduler delivers them, also those after a recorded completion or error.
    ///
    /// - Complexity: Each subscription schedules all events: O(*m* log *n*) for *m* events and *n* scheduled actions.
    public func createColdObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        TestableObservable(cold: events, on: self)
    }

    /// Makes an observer that records the events that it receives, and their times.
    ///
    /// Completion and errors are recorded like elements.
    public func createObserver<Element>(_ type: Element.Type) -> TestableObserver<Element> {
        TestableObserver(scheduler: self)
    }

    /// Makes a sequence, subscribes to it and disposes the subscription, each at its time, and runs the clock.
    ///
    /// The sequence is anything that converts to an observable: a trait, a `Driver`, a ``TestableObservable``.
    /// Returns when no scheduled action is left. The calling thread makes every call, and completion or an error is
    /// recorded like an element.
    ///
    /// - Parameters:
    ///   - created: when `create` is called.
    ///   - subscribed: when the observer subscribes.
    ///   - disposed: when the subscription is disposed.
    ///   - create: makes the sequence.
    /// - Returns: the observer, with the events that it received.
    @preconcurrency
    public func start<Source: ObservableConvertibleType>(
        created: TestTime = Defaults.created, subscribed: TestTime = Defaults.subscribed,
        disposed: TestTime = Defaults.disposed, create: @escaping @Sendable () -> Source
    ) -> TestableObserver<Source.Element> {
        run(RecordedRun(of: create, on: self), from: created, subscribed, disposed)
    }

    /// Makes an observable, subscribes to it and disposes the subscription, each at its time, and runs the clock.
    ///
    /// Returns when no scheduled action is left. The calling thread makes every call, and completion or an error is
    /// recorded like an element.
    ///
    /// - Parameters:
    ///   - created: when `create` is called.
    ///   - subscribed: when the observer subscribes.
    ///   - disposed: when the subscription is disposed.
    ///   - create: makes the observable.
    /// - Returns: the observer, with the events that it received.
    @preconcurrency
    public func start<Element>(
        created: TestTime = Defaults.created, subscribed: TestTime = Defaults.subscribed,
        disposed: TestTime = Defaults.disposed, create: @escaping @Sendable () -> Observable<Element>
    ) -> TestableObserver<Element> {
        run(RecordedRun(of: create, on: self), from: created, subscribed, disposed)
    }

    private func run<Source>(
        _ test: RecordedRun<Source>, from created: TestTime, _ subscribed: TestTime, _ disposed: TestTime
    ) -> TestableObserver<Source.Element> {
        let actions: any TestActions = test
        scheduleAt(created) { actions.create() }
        scheduleAt(subscribed) { actions.subscribe() }
        scheduleAt(disposed) { actions.dispose() }
        start()
        return test.observer
    }
}

extension TestScheduler {
    /// Runs a test of anything that converts to an observable, at the times of ``TestScheduler/Defaults``.
    ///
    /// Otherwise the same as `start(created:subscribed:disposed:create:)`.
    ///
    /// - Parameter create: makes the sequence.
    /// - Returns: the observer, with the events that it received.
    @preconcurrency
    public func start<Source: ObservableConvertibleType>(
        _ create: @escaping @Sendable () -> Source
    ) -> TestableObserver<Source.Element> {
        start(disposed: Defaults.disposed, create: create)
    }

    /// Runs a test of an observable, at the times of ``TestScheduler/Defaults``.
    ///
    /// Otherwise the same as `start(created:subscribed:disposed:create:)`.
    ///
    /// - Parameter create: makes the observable.
    /// - Returns: the observer, with the events that it received.
    @preconcurrency
    public func start<Element>(
        _ create: @escaping @Sendable () -> Observable<Element>
    ) -> TestableObserver<Element> {
        start(disposed: Defaults.disposed, create: create)
    }
}

/// The three actions of a test, without the type of its sequence: the closures that the scheduler runs must be
/// sendable, so they cannot capture a type that may not be.
private protocol TestActions: Sendable {
    func create()
    func subscribe()
    func dispose()
}

// Unchecked: only the actions of one virtual scheduler access it.
private final class RecordedRun<Source: ObservableConvertibleType>: TestActions, @unchecked Sendable {
    let observer: TestableObserver<Source.Element>
    private let makeSource: () -> Source
    private var source: Observable<Source.Element>?
    private var subscription: (any Disposable)?

    init(of makeSource: @escaping () -> Source, on scheduler: TestScheduler) {
        self.makeSource = makeSource
        observer = scheduler.createObserver(Source.Element.self)
    }

    func create() {
        source = makeSource().asObservable()
    }

    func subscribe() {
        subscription = source?.subscribe(observer)
    }

    func dispose() {
        subscription?.dispose()
        subscription = nil
        source = nil
    }
}
