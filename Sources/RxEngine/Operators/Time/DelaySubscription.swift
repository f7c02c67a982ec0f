extension ObservableType {
    /// The same sequence, subscribed to `dueTime` later.
    @inlinable
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.delaySubscription) { sink in
            let handle = SingleAssignmentDisposable()
            let start = LateStart.make(of: source, into: sink)
            let timer = scheduler.scheduleRelative((), dueTime: dueTime) {
                start.now { handle.setDisposable($0) }
                return Disposables.create()
            }
            return Disposables.create(timer, handle)
        }
    }
}

// Unchecked: immutable; it starts one run, in one action of a scheduler.
/// A run that is to start: a scheduler's closure must not know the element's type, which may not be sent.
@usableFromInline
class AnyLateStart: @unchecked Sendable {
    /// Starts the run, unless the sequence is over.
    ///
    /// - Parameter attach: takes what stops the run, before a source that waits on the trampoline emits anything.
    @usableFromInline
    func now(_ attach: (any Disposable) -> Void) {
        preconditionFailure("\(type(of: self)) does not override now(_:)")
    }
}

// Unchecked: as above.
@usableFromInline
final class LateStart<Element>: AnyLateStart, @unchecked Sendable {
    private let source: Observable<Element>
    private let sink: Sink<Element>

    init(_ source: Observable<Element>, into sink: Sink<Element>) {
        self.source = source
        self.sink = sink
    }

    @usableFromInline
    override func now(_ attach: (any Disposable) -> Void) {
        source.startNow(into: sink, attach)
    }

    /// The run, with its type erased.
    @usableFromInline
    static func make(of source: Observable<Element>, into sink: Sink<Element>) -> AnyLateStart {
        LateStart(source, into: sink)
    }
}
