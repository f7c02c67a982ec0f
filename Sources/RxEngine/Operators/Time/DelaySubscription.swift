extension ObservableType {
    /// Subscribes to this sequence `dueTime` later, on `scheduler`.
    ///
    ///     source                  --1--2--|
    ///     delaySubscription(3)    -----1--2--|
    ///
    /// The observer receives events on the threads on which the source emits them; the result completes and fails with
    /// the source. Disposing before `dueTime` has passed means that the source is never subscribed to.
    @inlinable
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.delaySubscription) { sink in
            let handle = SingleAssignmentDisposable()
            let delayedStart = DelayedStart.make(of: source, into: sink)
            let timer = scheduler.scheduleRelative((), dueTime: dueTime) {
                delayedStart.start { handle.setDisposable($0) }
                return Disposables.create()
            }
            return Disposables.create(timer, handle)
        }
    }
}

// Unchecked: immutable; one action of a scheduler starts one run.
/// A run that starts later, with the element's type erased: a scheduler's closure is `@Sendable`, and the element's
/// type may not be.
@usableFromInline
class AnyDelayedStart: @unchecked Sendable {
    /// Starts the run, unless the sequence has ended or was disposed.
    ///
    /// - Parameter attach: receives the disposable that stops the run, before a source that is queued on the trampoline
    ///   emits anything.
    @usableFromInline
    func start(_ attach: (any Disposable) -> Void) {
        preconditionFailure("\(type(of: self)) does not override start(_:)")
    }
}

// Unchecked: as above.
/// A run of `source` into `sink` that starts later.
@usableFromInline
final class DelayedStart<Element>: AnyDelayedStart, @unchecked Sendable {
    private let source: Observable<Element>
    private let sink: Sink<Element>

    init(_ source: Observable<Element>, into sink: Sink<Element>) {
        self.source = source
        self.sink = sink
    }

    @usableFromInline
    override func start(_ attach: (any Disposable) -> Void) {
        source.startNow(into: sink, attach)
    }

    /// Creates the run with its type erased.
    @usableFromInline
    static func make(of source: Observable<Element>, into sink: Sink<Element>) -> AnyDelayedStart {
        DelayedStart(source, into: sink)
    }
}
