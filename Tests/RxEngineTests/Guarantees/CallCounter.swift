import RxEngine
import TestSupport

extension Observable where Element == Int {
    /// Counts the calls of the operator before it, also those that an observer does not receive, since the run is over.
    func countingCalls(_ calls: Cell<Int>) -> Observable<Int> {
        lift { CallCounter(to: $0, calls) }
    }
}

private final class CallCounter: OperatorSink<Int, Int> {
    private let calls: Cell<Int>

    init(to downstream: Sink<Int>, _ calls: Cell<Int>) {
        self.calls = calls
        super.init(to: downstream)
    }

    override func next(_ element: Int) {
        calls.update { $0 += 1 }
        downstream.next(element)
    }

    override func error(_ error: any Error) {
        calls.update { $0 += 1 }
        downstream.error(error)
    }

    override func completed() {
        calls.update { $0 += 1 }
        downstream.completed()
    }
}
