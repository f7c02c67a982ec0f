import Dispatch
import RxEngine

/// What a program waits for at a descriptor.
public enum DescriptorEvent: Sendable, Hashable, CaseIterable {
    /// There is something to read, or the other end is closed.
    case readable
    /// Writing does not block.
    case writable
}

extension ObservableType where Element == DescriptorEvent {
    /// Emits an event each time a descriptor is ready: a pipe, a socket, a terminal, or one that another library made.
    ///
    ///     bytes arrive                 --x-----xx----
    ///     fd(3, events: readable)      --r-----r-----
    ///
    /// The observer reads or writes before it returns. If the descriptor is still ready then, the event is emitted
    /// again. A regular file is always ready. Never completes; the end of the input is an event, too. Fails with a
    /// ``SystemError`` if the descriptor is not open.
    ///
    /// Each subscription waits at a duplicate, which it closes. The descriptor itself stays open, unchanged.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor.
    ///   - events: what to wait for.
    ///   - queue: the serial queue that emits.
    public static func fd(
        _ descriptor: Int32, events: Set<DescriptorEvent> = [.readable],
        on queue: DispatchQueue = DispatchQueue(label: "rx.descriptor")
    ) -> Observable<DescriptorEvent> {
        .create { observer in
            do {
                let watches = try DescriptorEvent.allCases.filter(events.contains).map { event -> any Disposable in
                    let duplicate = try Descriptor.duplicate(descriptor).release()
                    switch event {
                    case .readable: return ReadableDescriptor(duplicate, on: queue) { observer.onNext(.readable) }
                    case .writable:
                        return WritableDescriptor(duplicate, repeats: true, on: queue) { observer.onNext(.writable) }
                    }
                }
                return Disposables.create(watches)
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }
}

extension ObservableType where Element == Line {
    /// Emits the lines of a descriptor: the same as ``LineReader/of(_:limit:on:)``.
    ///
    /// Completes at the end of the input, and fails with a ``SystemError``. A queue of the subscription's own emits.
    public static func lines(of descriptor: Int32) -> Observable<Line> {
        LineReader.of(descriptor)
    }
}
