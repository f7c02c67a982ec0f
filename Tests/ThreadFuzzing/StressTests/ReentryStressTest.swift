import RxEngine
import Synchronization

extension StressTest {
    /// Several threads push into the sources of a merge, and its subscriber pushes into one more from inside its
    /// callbacks. Everything arrives, each producer's elements in order, and no callback runs inside another.
    static let reentry = StressTest("re-entry") { random, report in
        let (threads, count) = (random.within(1...3), random.within(20...600))
        let isFlat = random.chance(50)
        let isHopping = random.chance(30)
        report.describe(
            "\(threads) threads, \(count) elements each, \(isFlat ? "flatMap" : "merge"), hops: \(isHopping)")
        let subjects = (0...threads).map { _ in PublishSubject<Tagged>() }
        let echo = subjects[threads]
        let merged: Observable<Tagged> =
            isFlat
            ? Observable.from(Array(0...threads)).flatMap { subjects[$0] }
            : Observable.merge(subjects.map { $0.asObservable() })
        var guarantees = Guarantees()
        guarantees.streams = threads + 1
        let observer = CheckedObserver("subscriber", guarantees) { report.violation($0) }
        let last = threads * count
        let echoes = EchoCount()
        let source = isHopping ? merged.observe(on: Schedulers.serial.scheduler) : merged
        let subscription = observer.subscribe(
            to: source.do(onNext: { element in
                guard element.producer < threads else { return }
                // The callbacks run one at a time, and so do these emissions.
                let number = echoes.value
                echoes.value += 1
                echo.onNext(Tagged(producer: threads, number: number, of: last))
                if number == last - 1 { echo.onCompleted() }
            }))
        inParallel(threads) { thread in
            for number in 0..<count { subjects[thread].onNext(Tagged(producer: thread, number: number, of: count)) }
            subjects[thread].onCompleted()
        }
        report.require(waitUntil { observer.ending == .completed }, "no end: \(observer.text)")
        observer.checkCompleteness()
        subscription.dispose()
    }

    // Unchecked: touched by the callbacks of one subscription, one at a time, which is what is tested.
    private final class EchoCount: @unchecked Sendable {
        var value = 0
    }
}
