import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ErrorAndSharingLawsTests {
    @Test func catchOfSourceWithoutErrorsIsTransparent() {
        OperatorLaw(
            "catch(f) of a source that never fails is transparent", of: [.hot, .endless], comparesSubscriptions: true
        ) {
            $0.sources[0].catch { _ in .just(0) }
        } equals: {
            $0.sources[0]
        }
        .check()
    }

    @Test func catchAndReturnIsCatchWithJust() {
        OperatorLaw("catchAndReturn(x) is catch { just(x) }", comparesSubscriptions: true) {
            $0.sources[0].catchAndReturn(0)
        } equals: {
            $0.sources[0].catch { _ in .just(0) }
        }
        .check()
    }

    @Test func retryOnceIsTransparent() {
        OperatorLaw("retry(1) is transparent", comparesSubscriptions: true) {
            $0.sources[0].retry(1)
        } equals: {
            $0.sources[0]
        }.check()
    }

    @Test func sharingForOneSubscriberIsTransparent() {
        let laws: [(String, @Sendable (Observable<Int>) -> Observable<Int>)] = [
            ("share()", { $0.share() }), ("share(replay: 2)", { $0.share(replay: 2) }),
            ("share(replay: 1, scope: .forever)", { $0.share(replay: 1, scope: .forever) }),
            ("publish().refCount()", { $0.publish().refCount() }),
        ]
        for (name, share) in laws {
            OperatorLaw("\(name) of one subscriber is transparent", comparesSubscriptions: true) {
                share($0.sources[0])
            } equals: {
                $0.sources[0]
            }
            .check()
        }
    }

    @Test func delaysAddUp() {
        // Errors are not delayed.
        OperatorLaw(
            "delay(m).delay(n) is delay(m + n)", of: [.hot, .endless], numbers: 2, order: .anyWithinInstant,
            comparesSubscriptions: true
        ) {
            $0.sources[0].delay(.seconds($0.numbers[0]), scheduler: $0.scheduler)
                .delay(.seconds($0.numbers[1]), scheduler: $0.scheduler)
        } equals: {
            $0.sources[0].delay(.seconds($0.numbers[0] + $0.numbers[1]), scheduler: $0.scheduler)
        }
        .check()
    }
}
