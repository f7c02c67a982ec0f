import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct CombiningLawsTests {
    @Test func concatIsAssociative() {
        OperatorLaw("concat is associative", sources: 3, comparesSubscriptions: true) {
            $0.sources[0].concat($0.sources[1]).concat($0.sources[2])
        } equals: {
            $0.sources[0].concat($0.sources[1].concat($0.sources[2]))
        }
        .check()
    }

    @Test func emptyIsTheIdentityOfConcat() {
        OperatorLaw("concat with empty() on either side is transparent", comparesSubscriptions: true) {
            Observable.empty().concat($0.sources[0]).concat(.empty())
        } equals: {
            $0.sources[0]
        }
        .check()
    }

    @Test func mergeIsCommutativeWithinInstants() {
        // An error drops what other sources emit after it in the same instant.
        OperatorLaw(
            "merge is commutative", sources: 2, of: [.hot, .endless], order: .anyWithinInstant,
            comparesSubscriptions: true
        ) {
            Observable.merge($0.sources[0], $0.sources[1])
        } equals: {
            Observable.merge($0.sources[1], $0.sources[0])
        }
        .check()
    }

    @Test func mergeIsAssociative() {
        OperatorLaw("merge is associative", sources: 3, comparesSubscriptions: true) {
            Observable.merge(Observable.merge($0.sources[0], $0.sources[1]), $0.sources[2])
        } equals: {
            Observable.merge($0.sources[0], Observable.merge($0.sources[1], $0.sources[2]))
        }
        .check()
    }

    @Test func zipWithItselfPairsEachElementWithItself() {
        // Of a cold source that fails, the first run fails before the second run has emitted its last elements.
        OperatorLaw("zip(s, s) is map to pairs", of: [.hot, .endless]) {
            Observable.zip($0.sources[0], $0.sources[0]) { [$0, $1] }
        } equals: {
            $0.sources[0].map { [$0, $0] }
        }
        .check()
    }

    @Test func pairwiseIsZipWithTheNext() {
        OperatorLaw("pairwise() is zip(s, s.skip(1))", of: [.hot, .endless]) {
            $0.sources[0].pairwise().map { [$0.0, $0.1] }
        } equals: {
            Observable.zip($0.sources[0], $0.sources[0].skip(1)) { [$0, $1] }
        }
        .check()
    }

    @Test func startWithIsConcatOfJust() {
        OperatorLaw("startWith(x) is just(x).concat(s)", comparesSubscriptions: true) {
            $0.sources[0].startWith(0)
        } equals: {
            Observable.just(0).concat($0.sources[0])
        }
        .check()
    }
}
