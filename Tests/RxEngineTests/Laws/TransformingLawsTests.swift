import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct TransformingLawsTests {
    @Test func mapOfMapIsOneMap() {
        OperatorLaw("map(f).map(g) is map(g after f)", comparesSubscriptions: true) {
            $0.sources[0].map { $0 + 1 }.map { "\($0)" }
        } equals: {
            $0.sources[0].map { "\($0 + 1)" }
        }
        .check()
    }

    @Test func filterAndMapAreCompactMap() {
        OperatorLaw("filter(p).map(f) is compactMap of both", comparesSubscriptions: true) {
            $0.sources[0].filter { $0 > 4 }.map { $0 * 10 }
        } equals: {
            $0.sources[0].compactMap { $0 > 4 ? $0 * 10 : nil }
        }
        .check()
    }

    @Test func flatMapHasJustAsIdentity() {
        OperatorLaw("flatMap(just) is transparent", comparesSubscriptions: true) {
            $0.sources[0].flatMap { Observable.just($0) }
        } equals: {
            $0.sources[0]
        }
        .check()
        OperatorLaw("just(x).flatMap(f) is f(x)", comparesSubscriptions: true) { input in
            Observable.just(3).flatMap { number in input.sources[0].map { $0 * number } }
        } equals: {
            $0.sources[0].map { $0 * 3 }
        }
        .check()
    }

    @Test func flatMapIsAssociative() {
        OperatorLaw("flatMap is associative", sources: 3, comparesSubscriptions: true) { input in
            input.sources[0].flatMap { one in input.sources[1].map { one * 10 + $0 } }
                .flatMap { two in input.sources[2].map { two * 10 + $0 } }
        } equals: { input in
            input.sources[0].flatMap { one in
                input.sources[1].map { one * 10 + $0 }.flatMap { two in input.sources[2].map { two * 10 + $0 } }
            }
        }
        .check()
    }

    // `concatMap` is not associative in time: on the left, the second run would begin while the first one still emits.
    @Test func concatMapHasJustAsIdentity() {
        OperatorLaw("concatMap(just) is transparent", comparesSubscriptions: true) {
            $0.sources[0].concatMap { Observable.just($0) }
        } equals: {
            $0.sources[0]
        }
        .check()
    }

    @Test func switchLatestOfJustIsTheSource() {
        OperatorLaw("just(source).switchLatest() is the source", comparesSubscriptions: true) {
            Observable.just($0.sources[0]).switchLatest()
        } equals: {
            $0.sources[0]
        }
        .check()
    }

    @Test func reduceIsTheLastOfScan() {
        OperatorLaw("reduce is the last element of scan", comparesSubscriptions: true) {
            $0.sources[0].reduce(0, accumulator: { $0 + $1 })
        } equals: {
            $0.sources[0].scan(0, accumulator: { $0 + $1 }).startWith(0).takeLast(1)
        }
        .check()
    }

    @Test func dematerializeUndoesMaterialize() {
        OperatorLaw("materialize().dematerialize() is transparent", comparesSubscriptions: true) {
            $0.sources[0].materialize().dematerialize()
        } equals: {
            $0.sources[0]
        }
        .check()
    }
}
