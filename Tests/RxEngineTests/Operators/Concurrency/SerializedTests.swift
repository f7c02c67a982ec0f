import Dispatch
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct SerializedTests {
    /// A source that breaks the grammar: two threads emit at once.
    @Test func eventsOfSeveralThreadsAreDeliveredOneAtATime() {
        for _ in 0..<50 {
            let inside = Cell(0)
            let overlaps = Cell(0)
            let count = Cell(0)
            let source = Observable<Int>.source(onTrampoline: false) { sink in
                nonisolated(unsafe) let sink = sink
                DispatchQueue.concurrentPerform(iterations: 3) { thread in
                    for number in 0..<100 { sink.next(thread * 1000 + number) }
                }
                sink.completed()
                return Disposables.create()
            }
            let isCompleted = Cell(false)
            source.serialized().subscribe(
                onNext: { _ in
                    inside.update { $0 += 1 }
                    if inside.value > 1 { overlaps.update { $0 += 1 } }
                    count.update { $0 += 1 }
                    inside.update { $0 -= 1 }
                }, onCompleted: { isCompleted.update { $0 = true } }
            ).dispose()
            #expect(overlaps.value == 0 && count.value == 300 && isCompleted.value)
        }
    }

    @Test func reentrantElementFollowsItsCause() {
        let subject = PublishSubject<Int>()
        let log = Cell<[String]>([])
        let subscription = subject.serialized().subscribe(onNext: { value in
            log.append("begin \(value)")
            if value == 1 { subject.onNext(2) }
            log.append("end \(value)")
        })
        subject.onNext(1)
        #expect(log.value == ["begin 1", "end 1", "begin 2", "end 2"])
        subscription.dispose()
    }

    @Test func errorsPass() {
        #expect(emitted(by: Observable<Int>.error(TestError()).serialized()) == [.error(TestError())])
        #expect(emitted(by: Observable.of(1, 2).serialized()) == [.next(1), .next(2), .completed])
    }
}
