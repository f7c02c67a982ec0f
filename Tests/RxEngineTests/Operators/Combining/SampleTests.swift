import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct SampleTests {
    private static let plain: @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int> = { $0.sample($1) }
    private static let withDefault: @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int> = {
        $0.sample($1, defaultValue: 0)
    }

    static let rules: [TwoSourceRule<Int>] = [
        .init("never", plain, of: [], [.next(210, 0)], is: [], left: (1000, 1000)),
        .init(
            "the latest element that was not emitted", plain,
            of: [.next(210, 1), .next(220, 2), .next(250, 3), .completed(300)],
            [.next(230, 0), .next(240, 0), .next(260, 0), .next(310, 0)],
            is: [.next(230, 2), .next(260, 3), .completed(310)], left: (300, 310)),
        .init(
            "the pending element is emitted before the end", plain, of: [.next(210, 1), .completed(220)],
            [.next(230, 0)],
            is: [.next(230, 1), .completed(230)], left: (220, 230)),
        .init(
            "the sampler's end is a tick", plain, of: [.next(210, 1), .completed(220)], [.completed(230)],
            is: [.next(230, 1), .completed(230)], left: (220, 230)),
        .init(
            "a sampler that ends first keeps the sequence from ending", plain,
            of: [.next(210, 1), .next(230, 2), .completed(300)], [.completed(220)],
            is: [.next(220, 1)], left: (300, 220)),
        .init(
            "an error of the source", plain, of: [.next(210, 1), .error(220, TestError())], [.next(230, 0)],
            is: [.error(220, TestError())], left: (220, 220)),
        .init(
            "an error of the sampler", plain, of: [.next(210, 1)], [.error(230, TestError())],
            is: [.error(230, TestError())], left: (230, 230)),
        .init(
            "the default", withDefault, of: [.next(220, 1), .completed(240)],
            [.next(210, 0), .next(230, 0), .next(235, 0), .next(250, 0)],
            is: [.next(210, 0), .next(230, 1), .next(235, 0), .next(250, 0), .completed(250)], left: (240, 250)),
    ]

    @Test(arguments: rules) func rule(_ rule: TwoSourceRule<Int>) {
        rule.check()
    }

    @Test func sourceIsSubscribedToBeforeSampler() {
        let sampled = Observable.just(1).sample(Observable.just(()))
        #expect(emitted(by: sampled) == [.next(1), .completed])
    }
}
