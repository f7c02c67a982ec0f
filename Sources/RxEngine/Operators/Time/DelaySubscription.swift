extension ObservableType {
    /// The same sequence, subscribed to `dueTime` later.
    @inlinable
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.delaySubscription) { sink in
            let start = LateStart.make(of: source, into: sink)
            return scheduler.scheduleRelative((), dueTime: dueTime) { start.now() }
        }
    }
}

// Unchecked: immutable; it starts one run, in one action of a scheduler.
/// A run that is to start: a scheduler's closure must not know the element's type, which may not be sent.
@usableFromInline
class AnyLateStart: @unchecked Sendable {
    @usableFromInline
    func now() -> any Disposable {
        preconditionFailure("\(type(of: self)) does not override now()")
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
    override func now() -> any Disposable {
        source.startNow(into: sink)
    }

    /// The run, with its type erased.
    @usableFromInline
    static func make(of source: Observable<Element>, into sink: Sink<Element>) -> AnyLateStart {
        LateStart(source, into: sink)
    }
}
