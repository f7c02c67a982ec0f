import RxEngine
import Synchronization

// Unchecked: only the subscription's callbacks touch the state that is not atomic, one at a time, which is what is
// tested; a lock here would order callbacks that the engine does not. Other threads read it after the end was seen.
/// Receives the events of one subscription and checks the properties that do not depend on timing.
final class CheckedObserver: @unchecked Sendable {
    /// The guarantees of its elements.
    private let guarantees: Guarantees
    private let name: String
    /// How long a callback takes: the longer, the likelier a concurrent callback is noticed.
    private let pause: Int
    private let report: @Sendable (String) -> Void

    private let inside = Atomic(0)
    private let disposed = Atomic(0)
    private let end = Atomic<UInt8>(0)
    private let received = Atomic(0)

    private var streams: [UInt64: Stream] = [:]
    private var hasEnded = false
    /// The last elements.
    private var log: [Tagged] = []
    /// Set on the scheduler that delivers, after `dispose()` has returned there.
    var isDisposedHere = false

    private struct Stream {
        var first: Tagged
        var last: Tagged
    }

    enum End: UInt8 {
        case none, error, completed
    }

    init(_ name: String, _ guarantees: Guarantees, pause: Int = 0, report: @escaping @Sendable (String) -> Void) {
        self.name = name
        self.guarantees = guarantees
        self.pause = pause
        self.report = report
    }

    /// How it has ended. The effects of earlier callbacks are visible to the caller.
    var ending: End { End(rawValue: end.load(ordering: .acquiring)) ?? .none }

    /// How often `onDisposed` ran.
    var disposals: Int { disposed.load(ordering: .relaxed) }

    /// How many elements it has received.
    var count: Int { received.load(ordering: .relaxed) }

    var text: String {
        "\(name): \(count) elements, \(ending), onDisposed ran \(disposals) times\(inside.load(ordering: .relaxed) > 0 ? ", inside a callback" : "")"
    }

    func subscribe(
        to source: Observable<Tagged>, then act: @escaping @Sendable (_ count: Int) -> Void = { _ in }
    ) -> any Disposable {
        source.subscribe(
            onNext: { element in
                self.callback("\(element)") { self.next(element) }
                act(self.count)
            }, onError: { _ in self.callback("an error") { self.stop(.error) } },
            onCompleted: { self.callback("completed") { self.stop(.completed) } },
            onDisposed: {
                if self.disposed.add(1, ordering: .relaxed).oldValue > 0 {
                    self.report("\(self.name): onDisposed ran again")
                }
            })
    }

    private func callback(_ what: @autoclosure () -> String, _ body: () -> Void) {
        guard inside.add(1, ordering: .relaxed).oldValue == 0 else {
            report("\(name): \(what()) while another callback runs")
            return
        }
        defer { inside.subtract(1, ordering: .relaxed) }
        if hasEnded { report("\(name): \(what()) after the end") }
        if isDisposedHere { report("\(name): \(what()) after dispose() has returned on the same scheduler") }
        body()
        if pause > 0 { spin(pause) }
    }

    private func stop(_ ending: End) {
        hasEnded = true
        end.store(ending.rawValue, ordering: .releasing)
    }

    private func next(_ element: Tagged) {
        received.add(1, ordering: .relaxed)
        log.append(element)
        if log.count > 24 { log.removeFirst(8) }
        guard var stream = streams[element.stream] else {
            streams[element.stream] = Stream(first: element, last: element)
            return
        }
        let last = stream.last.number
        stream.last = element
        streams[element.stream] = stream
        guard guarantees.isOrdered else { return }
        if element.number < last || guarantees.isUnique && element.number == last {
            report("\(name): \(element) after \(last) of its stream; the last were \(log)")
        } else if guarantees.isGapless, element.number > last + 1 {
            report("\(name): a gap before \(element), the last was \(last); the last were \(log)")
        }
    }

    /// Checks that it has received everything, if it must have. Called after the end.
    func checkCompleteness() {
        guard guarantees.isComplete, ending == .completed else { return }
        for stream in streams.values where stream.first.number != 0 || stream.last.number != stream.last.count - 1 {
            report(
                "\(name): elements missing, only \(stream.first) to \(stream.last) of \(stream.last.count) came; "
                    + "received \(log)")
        }
        if let expected = guarantees.streams, expected != streams.count {
            report("\(name): \(streams.count) of \(expected) streams came; the last were \(log)")
        }
    }
}
