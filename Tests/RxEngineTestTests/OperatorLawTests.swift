import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct OperatorLawTests {
    private static let commutativeConcat = OperatorLaw("concat is commutative", sources: 2) {
        $0.sources[0].concat($0.sources[1])
    } equals: {
        $0.sources[1].concat($0.sources[0])
    }

    @Test func lawThatHoldsHasNoCounterexample() {
        let law = OperatorLaw("map with identity") {
            $0.sources[0].map { $0 }
        } equals: {
            $0.sources[0]
        }
        #expect(law.counterexample() == nil)
        law.check(runs: 20, seed: 99)
    }

    @Test func counterexampleIsAsSmallAsPossible() throws {
        let failure = try #require(Self.commutativeConcat.counterexample())
        #expect(failure.law == "concat is commutative")
        #expect(failure.sources.sorted() == ["cold -", "cold 1"])
        #expect(failure.numbers == [])
        // The seed repeats it.
        #expect(Self.commutativeConcat.counterexample(runs: 1, seed: failure.seed) == failure)
    }

    @Test func numbersAreMadeSmaller() throws {
        let law = OperatorLaw("take is skip", numbers: 1) {
            $0.sources[0].take($0.numbers[0])
        } equals: {
            $0.sources[0].skip($0.numbers[0])
        }
        let failure = try #require(law.counterexample())
        #expect(failure.numbers == [0])
    }

    @Test func orderWithinAnInstantMayBeIgnored() {
        func law(_ order: LawOrder) -> OperatorLaw<Int> {
            OperatorLaw("merge is commutative", sources: 2, of: [.hot, .endless], order: order) {
                Observable.merge($0.sources[0], $0.sources[1])
            } equals: {
                Observable.merge($0.sources[1], $0.sources[0])
            }
        }
        #expect(law(.exact).counterexample() != nil)
        #expect(law(.anyWithinInstant).counterexample() == nil)
    }

    @Test func sourcesHaveTheGivenKinds() {
        func fails(_ kinds: LawSourceKinds) -> Bool {
            OperatorLaw("no errors", of: kinds) {
                $0.sources[0]
            } equals: {
                $0.sources[0].catchAndReturn(0)
            }
            .counterexample() != nil
        }
        func isEndless(_ kinds: LawSourceKinds) -> Bool {
            OperatorLaw("no end", of: kinds) {
                $0.sources[0]
            } equals: {
                $0.sources[0].concat(.never())
            }
            .counterexample() == nil
        }
        #expect(fails(.all) && fails(.cold) && fails(.failing))
        #expect(!fails([]) && !fails([.hot, .endless]))
        #expect(!isEndless(.endless))
    }

    @Test func someCasesAreDisposedEarly() {
        let ends = Cell<[TestTime]>([])
        OperatorLaw("do(onDispose:) is transparent", of: [.hot, .endless]) { input in
            input.sources[0].concat(.never()).do(onDispose: { ends.append(input.scheduler.clock) })
        } equals: {
            $0.sources[0].concat(.never())
        }
        .check(runs: 200)
        let early = ends.value.filter { $0 < TestScheduler.Defaults.disposed }
        #expect((30...90).contains(early.count) && Set(early).isSubset(of: 201...210))
    }

    @Test func subscriptionsAreComparedIfRequested() throws {
        let left = DisposeBag()
        func law(_ comparesSubscriptions: Bool) -> OperatorLaw<Int> {
            OperatorLaw("the source is left", of: .endless, comparesSubscriptions: comparesSubscriptions) {
                $0.sources[0]
            } equals: { input in
                .create { observer in
                    input.sources[0].subscribe(observer).disposed(by: left)
                    return Disposables.create()
                }
            }
        }
        #expect(law(false).counterexample() == nil)
        let failure = try #require(law(true).counterexample())
        #expect(failure.sources == ["cold -"] && failure.disposal == nil && failure.comparison.isEqual)
        #expect(
            failure.subscriptions == [
                """
                source 0, subscription 1
                left     ^ 799s !
                right    ^ 799s -
                differs         ^
                frame 800: left disposal, right nothing
                """
            ])
    }

    /// Both sides are disposed at the same time, but only one of them has scheduled its event before that.
    @Test func instantOfDisposalDoesNotCount() {
        OperatorLaw("observe(on:) is transparent", of: [.hot, .endless], comparesSubscriptions: true) {
            $0.sources[0].observe(on: $0.scheduler)
        } equals: {
            $0.sources[0]
        }
        .check(runs: 300)
    }

    @Test func orderOfSubscriptionsWithinAnInstantMayBeIgnored() {
        func law(_ order: LawOrder) -> OperatorLaw<Int> {
            OperatorLaw("merge is commutative", of: [.hot, .endless], order: order, comparesSubscriptions: true) {
                Observable.merge($0.sources[0], $0.sources[0].take(1))
            } equals: {
                Observable.merge($0.sources[0].take(1), $0.sources[0])
            }
        }
        #expect(law(.exact).counterexample() != nil)
        #expect(law(.anyWithinInstant).counterexample() == nil)
    }

    @Test func failureIsRecordedAtTheCallWithSeedAndDiagrams() throws {
        let law = OperatorLaw("one is two", sources: 0) { _ in
            .just(1)
        } equals: { _ in
            .just(2)
        }
        let line = #line + 1
        let issues = recordedIssues { law.check(seed: 7) }
        #expect(issues.map(\.line) == [line])
        #expect(
            issues.map(\.text) == [
                """
                the law does not hold: one is two
                seed 7
                left     (1|)
                right    (2|)
                differs  ^^^^
                frame 0: left 1, completion, right 2, completion
                """
            ])
    }
}
