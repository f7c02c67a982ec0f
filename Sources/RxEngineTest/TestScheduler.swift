import FoundationEssentials
import RxEngine

// Unchecked: as its superclass, it traps off the thread that made it.
/// A virtual clock for tests, with observables and observers that keep a record by it.
public final class TestScheduler: VirtualTimeScheduler<TestSchedulerVirtualTimeConverter>, @unchecked Sendable {
    /// The timeline of ``TestScheduler/start(created:subscribed:disposed:create:)``.
    public enum Defaults {
        /// When the observable is made.
        public static let created = 100
        /// When it is subscribed to.
        public static let subscribed = 200
        /// When the subscription is disposed.
        public static let disposed = 1000
    }

    private let simulateProcessingDelay: Bool

    /// A scheduler.
    ///
    /// - Parameters:
    ///   - initialClock: where its clock starts.
    ///   - resolution: how many seconds a unit of virtual time stands for.
    ///   - simulateProcessingDelay: whether what is scheduled to run at once runs a unit later. What is scheduled for a
    ///     virtual time, as the events of testable observables are, comes at that time.
    public init(initialClock: TestTime, resolution: Double = 1.0, simulateProcessingDelay: Bool = true) {
        self.simulateProcessingDelay = simulateProcessingDelay
        super.init(
            initialClock: initialClock, converter: TestSchedulerVirtualTimeConverter(resolution: resolution)
        )
    }

    /// Moves what is to run at once a unit on, where the scheduler simulates that processing takes time.
    public override func adjustScheduledTime(_ time: TestTime) -> TestTime {
        simulateProcessingDelay && time <= clock ? clock + 1 : time
    }

    /// Runs `action` when the clock has come to `time`.
    @preconcurrency
    public func scheduleAt(_ time: TestTime, action: @escaping @Sendable () -> Void) {
        _ = scheduleAbsoluteVirtual((), time: time) {
            action()
            return Disposables.create()
        }
    }

    /// An observable that tells these events to whoever is subscribed at their times.
    public func createHotObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        TestableObservable(hot: events, on: self)
    }

    /// An observable that tells these events to each subscriber, their times counted from its subscribing.
    public func createColdObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        TestableObservable(cold: events, on: self)
    }

    /// An observer that keeps a record.
    public func createObserver<Element>(_ type: Element.Type) -> TestableObserver<Element> {
        TestableObserver(scheduler: self)
    }

    /// Makes a sequence, subscribes to it and disposes the subscription, each at its time, and runs the clock.
    ///
    /// The sequence is anything that converts to an observable: a trait, a `Driver`, a ``TestableObservable``.
    ///
    /// - Returns: the observer, with its record.
    @preconcurrency
    public func start<Source: ObservableConvertibleType>(
        created: TestTime = Defaults.created, subscribed: TestTime = Defaults.subscribed,
        disposed: TestTime = Defaults.disposed, create: @escaping @Sendable () -> Source
    ) -> TestableObserver<Source.Element> {
        run(Test(of: create, on: self), from: created, subscribed, disposed)
    }

    /// Makes an observable, subscribes to it and disposes the subscription, each at its time, and runs the clock.
    ///
    /// - Returns: the observer, with its record.
    @preconcurrency
    public func start<Element>(
        created: TestTime = Defaults.created, subscribed: TestTime = Defaults.subscribed,
        disposed: TestTime = Defaults.disposed, create: @escaping @Sendable () -> Observable<Element>
    ) -> TestableObserver<Element> {
        run(Test(of: create, on: self), from: created, subscribed, disposed)
    }

    private func run<Source>(
        _ test: Test<Source>, from created: TestTime, _ subscribed: TestTime, _ disposed: TestTime
    ) -> TestableObserver<Source.Element> {
        let steps: any TestSteps = test
        scheduleAt(created) { steps.create() }
        scheduleAt(subscribed) { steps.subscribe() }
        scheduleAt(disposed) { steps.dispose() }
        start()
        return test.observer
    }
}

extension TestScheduler {
    /// Runs a test of anything that converts to an observable, on the timeline of ``TestScheduler/Defaults``.
    ///
    /// - Returns: the observer, with its record.
    @preconcurrency
    public func start<Source: ObservableConvertibleType>(
        _ create: @escaping @Sendable () -> Source
    ) -> TestableObserver<Source.Element> {
        start(disposed: Defaults.disposed, create: create)
    }

    /// Runs a test on the timeline of ``TestScheduler/Defaults``.
    ///
    /// - Returns: the observer, with its record.
    @preconcurrency
    public func start<Element>(
        _ create: @escaping @Sendable () -> Observable<Element>
    ) -> TestableObserver<Element> {
        start(disposed: Defaults.disposed, create: create)
    }
}

/// What a test does at its three times: the scheduler's closures must not know the sequence's type, which may not be
/// sent.
private protocol TestSteps: Sendable {
    func create()
    func subscribe()
    func dispose()
}

// Unchecked: touched only by the actions of one virtual scheduler.
private final class Test<Source: ObservableConvertibleType>: TestSteps, @unchecked Sendable {
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
