import Observation
import RxEngine

extension ObservableType {
    /// Emits the result of a closure, and its result after each change of a property that it has read.
    ///
    /// The properties are those of `@Observable` objects.
    ///
    ///     model.first, model.last                            A B--------C B---C D---
    ///     observing { "\(model.first) \(model.last)" }     A B--------C B---C D---
    ///
    /// The properties may be of several objects, and others each time: after a change it counts what the closure reads
    /// then.
    ///
    ///     RxObservable.observing { "\(model.first) \(model.last)" }.subscribe(onNext: { print($0) })
    ///
    /// Never completes and never fails. The first result is emitted inside `subscribe`, and the others on the thread
    /// that changes a property, before the assignment returns; so the closure runs only where the owner of the objects
    /// uses them. If several threads change properties at the same time, the last result is always emitted, and one
    /// before it may be left out, or be emitted twice. If `apply` follows references from one object to another, and other
    /// threads replace two of them at the very moment of a registration, later changes may be missed; `rx.observe` follows
    /// a path exactly. A closure that reads no such property emits once.
    ///
    /// The subscription retains what the closure captures. Capture weakly an object that retains the subscription.
    ///
    /// - Parameter apply: reads properties, and has no other effect: it runs several times for each change.
    /// - Complexity: A change takes three runs of `apply`, and two registrations with each object that it reads.
    public static func observing(_ apply: @escaping @Sendable () -> Element) -> RxEngine.Observable<Element> {
        .source(onTrampoline: false) { sink in
            let run = ObservationRun(to: sink, depth: 2, apply)
            run.start([.initial, .new])
            return run
        }
    }
}
