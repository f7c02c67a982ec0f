import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ZipTests {
    private static let pairs: @Sendable (Observable<Int>, Observable<Int>) -> Observable<[Int]> = {
        .zip($0, $1) {
            if $0 < 0 { throw TestError("negative") }
            return [$0, $1]
        }
    }
    private static let collected: @Sendable (Observable<Int>, Observable<Int>) -> Observable<[Int]> = {
        Observable.zip([$0, $1])
    }

    static let rules: [TwoSourceRule<[Int]>] = [
        .init("never", pairs, of: [], [.next(210, 1)], is: [], left: (1000, 1000)),
        .init("both empty", pairs, of: [.completed(210)], [.completed(220)], is: [.completed(220)], left: (210, 220)),
        .init(
            "by index", pairs,
            of: [.next(210, 1), .next(220, 2), .next(230, 3), .completed(300)],
            [.next(215, 10), .next(240, 20), .next(250, 30), .completed(310)],
            is: [.next(215, [1, 10]), .next(240, [2, 20]), .next(250, [3, 30]), .completed(310)], left: (300, 310)),
        .init(
            "the first source completes first", pairs, of: [.next(210, 1), .completed(220)],
            [.next(215, 10), .completed(225)],
            is: [.next(215, [1, 10]), .completed(225)], left: (220, 225)),
        .init(
            "elements without a partner are dropped", pairs,
            of: [.next(210, 1), .next(220, 2), .completed(230)], [.next(240, 10), .completed(250)],
            is: [.next(240, [1, 10]), .completed(250)], left: (230, 250)),
        .init(
            "a source that does not complete keeps the sequence from completing", pairs,
            of: [.next(210, 1), .completed(220)], [.next(215, 10), .next(230, 20), .next(240, 30)],
            is: [.next(215, [1, 10])], left: (220, 1000)),
        .init(
            "an error of the first", pairs, of: [.error(230, TestError())], [.next(220, 2)],
            is: [.error(230, TestError())], left: (230, 230)),
        .init(
            "an error of the second", pairs, of: [.next(210, 1), .completed(220)], [.error(230, TestError())],
            is: [.error(230, TestError())], left: (220, 230)),
        .init(
            "a throwing closure", pairs, of: [.next(210, -1), .next(240, 1)], [.next(220, 2)],
            is: [.error(220, TestError("negative"))], left: (220, 220)),
        .init(
            "many: by index", collected,
            of: [.next(210, 1), .next(220, 2), .completed(300)], [.next(215, 10), .next(240, 20), .completed(310)],
            is: [.next(215, [1, 10]), .next(240, [2, 20]), .completed(310)], left: (300, 310)),
        .init(
            "many: an element that can have no partner", collected,
            of: [.next(210, 1), .completed(220)], [.next(215, 10), .next(230, 20), .next(240, 30)],
            is: [.next(215, [1, 10]), .completed(230)], left: (220, 230)),
        .init(
            "many: queued elements still get partners", collected,
            of: [.next(210, 1), .next(211, 2), .completed(220)], [.next(230, 10), .next(240, 20), .next(250, 30)],
            is: [.next(230, [1, 10]), .next(240, [2, 20]), .completed(250)], left: (220, 250)),
        .init(
            "many: an error", collected, of: [.next(210, 1)], [.error(230, TestError())],
            is: [.error(230, TestError())], left: (230, 230)),
    ]

    @Test(arguments: rules) func rule(_ rule: TwoSourceRule<[Int]>) {
        rule.check()
    }

    @Test func emptyCollectionCompletes() {
        #expect(emitted(by: Observable<Int>.zip([Observable<Int>]())) == [.completed])
        #expect(emitted(by: Observable<Int>.zip([Observable<Int>]()) { $0.count }) == [.completed])
    }

    @Test func queuedElementsKeepOrder() {
        let subjects = (PublishSubject<Int>(), PublishSubject<Int>())
        let log = Cell<[Int]>([])
        let subscription = Observable.zip(subjects.0, subjects.1) { $0 * 1000 + $1 }.subscribe(onNext: {
            log.append($0)
        })
        // The first is ahead by up to 40, in waves, so that the ring buffer grows and wraps around.
        var (first, second) = (0, 0)
        for wave in 1...40 {
            for _ in 0..<wave {
                subjects.0.onNext(first)
                first += 1
            }
            for _ in 0..<(wave - 1) {
                subjects.1.onNext(second)
                second += 1
            }
        }
        #expect(log.value == (0..<second).map { $0 * 1001 })
        subscription.dispose()
    }

    @Test func disposingReleasesQueuedElements() {
        final class Token: Sendable {}
        weak var weakToken: Token?
        let subjects = (PublishSubject<Token>(), PublishSubject<Int>())
        let subscription = Observable.zip(subjects.0, subjects.1) { $1 }.subscribe(onNext: { _ in })
        do {
            let token = Token()
            weakToken = token
            subjects.0.onNext(token)
        }
        #expect(weakToken != nil)
        subscription.dispose()
        #expect(weakToken == nil)
    }

    @Test func reentrantElementsAreDeliveredAfterwards() {
        let log = Cell<[Int]>([])
        let subjects = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = Observable.zip(subjects.0, subjects.1) { $0 * 10 + $1 }.subscribe(onNext: {
            log.append($0)
            if $0 == 11 {
                subjects.0.onNext(2)
                subjects.1.onNext(2)
            }
            log.append(0)
        })
        subjects.0.onNext(1)
        subjects.1.onNext(1)
        #expect(log.value == [11, 0, 22, 0])
        subscription.dispose()
    }
}
