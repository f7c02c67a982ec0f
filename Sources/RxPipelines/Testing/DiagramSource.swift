import RxEngine
import RxJSON
import RxMarbles

/// A source that emits the values of a diagram.
struct DiagramSource: SourceKind {
    let events: MarbleDiagram
    let values: TestValues
    /// When the first frame of the diagram begins, in the scheduler's time; `nil` for the time of each subscription.
    let start: Duration?

    var summary: String { "as in the test" }

    /// The events of the diagram whose time is not before the subscription.
    func events(in context: SourceContext) -> Observable<JSON> {
        let (scheduler, error) = (context.scheduler, InnerSourceError())
        return .create { [self] observer in
            let timers = CompositeDisposable()
            let first = (start ?? scheduler.elapsed) - scheduler.elapsed
            for marble in events.marbles {
                let wait = first + events.frame * marble.frame
                guard wait >= .zero else { continue }
                let timer = scheduler.scheduleRelative((), dueTime: wait.interval) {
                    switch marble.mark {
                    case .value(let name): observer.onNext(values[name] ?? .null)
                    case .error: observer.onError(error)
                    default: observer.onCompleted()
                    }
                    return Disposables.create()
                }
                _ = timers.insert(timer)
            }
            return timers
        }
    }

    /// The error that `#` in a diagram stands for.
    struct InnerSourceError: Error, CustomStringConvertible {
        var description: String { "'#' in the test" }
    }
}

extension DiagramSource {
    /// The diagram, which completes with its last event if it does not say when it completes.
    static func once(_ events: MarbleDiagram) -> MarbleDiagram {
        if events.marbles.last?.mark.isEnd == true { return events }
        let end = Marble(events.marbles.last?.frame ?? 0, .completion)
        return MarbleDiagram(events.marbles + [end], end: events.end, frame: events.frame)
    }
}
