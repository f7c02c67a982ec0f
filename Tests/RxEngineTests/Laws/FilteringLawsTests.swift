import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct FilteringLawsTests {
    @Test func filterOfFilterIsOneFilter() {
        OperatorLaw("filter(p).filter(q) is filter(p and q)", comparesSubscriptions: true) {
            $0.sources[0].filter { $0 > 2 }.filter { $0 < 7 }
        } equals: {
            $0.sources[0].filter { $0 > 2 && $0 < 7 }
        }
        .check()
    }

    @Test func takeOfTakeIsTheSmallerTake() {
        OperatorLaw("take(m).take(n) is take(min(m, n))", numbers: 2, comparesSubscriptions: true) {
            $0.sources[0].take($0.numbers[0]).take($0.numbers[1])
        } equals: {
            $0.sources[0].take(min($0.numbers[0], $0.numbers[1]))
        }
        .check()
    }

    @Test func skipOfSkipSkipsTheSum() {
        OperatorLaw("skip(m).skip(n) is skip(m + n)", numbers: 2, comparesSubscriptions: true) {
            $0.sources[0].skip($0.numbers[0]).skip($0.numbers[1])
        } equals: {
            $0.sources[0].skip($0.numbers[0] + $0.numbers[1])
        }
        .check()
    }

    @Test func skipAndTakeCommute() {
        OperatorLaw("skip(m).take(n) is take(m + n).skip(m)", numbers: 2, comparesSubscriptions: true) {
            // `take(0)` completes at the subscription, `take(m + 0)` only after m elements.
            $0.sources[0].skip($0.numbers[0]).take($0.numbers[1] + 1)
        } equals: {
            $0.sources[0].take($0.numbers[0] + $0.numbers[1] + 1).skip($0.numbers[0])
        }
        .check()
    }

    @Test func distinctUntilChangedIsIdempotent() {
        OperatorLaw("distinctUntilChanged() twice is once", comparesSubscriptions: true) {
            $0.sources[0].distinctUntilChanged().distinctUntilChanged()
        } equals: {
            $0.sources[0].distinctUntilChanged()
        }
        .check()
    }

    @Test func predicatesThatAlwaysHoldChangeNothing() {
        OperatorLaw("take(while: true) and skip(while: false) are transparent", comparesSubscriptions: true) {
            $0.sources[0].take(while: { _ in true }).skip(while: { _ in false })
        } equals: {
            $0.sources[0]
        }
        .check()
    }
}
