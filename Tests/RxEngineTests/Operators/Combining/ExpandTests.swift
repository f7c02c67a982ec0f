import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ExpandTests {
    @Test func elementsAreExpandedUntilSequencesAreEmpty() {
        let source = Observable.of(1, 10).expand { $0 < 4 ? .just($0 * 2) : .empty() }
        #expect(emitted(by: source) == [.next(1), .next(2), .next(4), .next(10), .completed])
    }

    @Test func endlessExpansionIsStoppedByItsObserver() {
        let source = Observable.just(0).expand { .just($0 + 1) }.take(50)
        #expect(emitted(by: source) == (0..<50).map { .next($0) } + [.completed])
    }

    @Test func errorsEndResult() {
        #expect(
            emitted(by: Observable.just(1).expand { $0 < 3 ? .just($0 + 1) : .error(TestError()) })
                == [.next(1), .next(2), .next(3), .error(TestError())])
        #expect(emitted(by: Observable.just(1).expand { _ in throw TestError() }) == [.next(1), .error(TestError())])
        let failing = Observable.just(1).expand { Observable.just($0).map { _ in throw TestError() } }
        #expect(emitted(by: failing) == [.next(1), .error(TestError())])
        #expect(emitted(by: Observable<Int>.error(TestError()).expand { .just($0) }) == [.error(TestError())])
    }

    /// Neither the stack nor the number of subscriptions grows with the generations.
    @Test func generationsMayBeMany() {
        let count = 100_000
        let ways: [@Sendable (Int) -> Observable<Int>] = [
            { .just($0) }, { .of($0) }, { Observable.just($0).map { $0 }.filter { _ in true } },
            { number in
                .create { observer in
                    observer.onNext(number)
                    observer.onCompleted()
                    return Disposables.create()
                }
            },
        ]
        for way in ways {
            let last = Cell(0)
            let isOver = Cell(false)
            Observable.just(0).expand { $0 < count ? way($0 + 1) : .empty() }
                .subscribe(
                    onNext: { number in last.update { $0 = number } }, onCompleted: { isOver.update { $0 = true } }
                ).dispose()
            #expect(last.value == count && isOver.value)
        }
    }

    /// Sources that emit in their start, outside of the trampoline.
    @Test func subjectsMayFollowOneAnother() {
        let subject = PublishSubject<Int>()
        let last = Cell(0)
        let subscription = subject.expand { $0 < 100_000 ? BehaviorSubject(value: $0 + 1).asObservable() : .empty() }
            .subscribe(onNext: { number in last.update { $0 = number } })
        subject.onNext(0)
        subscription.dispose()
        #expect(last.value == 100_000)
    }

    /// A start that has not returned withholds nothing of what follows from its elements.
    @Test func elementsAreExpandedDuringStart() {
        let log = Cell<[Int]>([])
        let counts = Cell<[Int]>([])
        let source = Observable<Int>.create { observer in
            for _ in 0..<2 {
                observer.onNext(200)
                counts.append(log.value.count)
            }
            observer.onCompleted()
            return Disposables.create()
        }
        source.expand { number in
            .create { observer in
                if number > 0 { observer.onNext(number - 1) }
                observer.onCompleted()
                return Disposables.create()
            }
        }
        .subscribe(onNext: { log.append($0) }).dispose()
        #expect(counts.value == [201, 402])
    }

    /// The source ends while its element is delivered.
    @Test func runOutlastsSourceThatEndsInsideElement() {
        func events(_ selector: @escaping @Sendable (Int) throws -> Observable<Int>) -> [String] {
            let subject = PublishSubject<Int>()
            let log = Cell<[String]>([])
            let subscription = subject.expand(selector).subscribe { event in
                log.append("\(event)")
                if case .next(1) = event { subject.onCompleted() }
            }
            subject.onNext(1)
            subscription.dispose()
            return log.value
        }
        #expect(events { $0 < 4 ? .just($0 * 2) : .empty() } == ["next(1)", "next(2)", "next(4)", "completed"])
        #expect(
            events { $0 < 4 ? Observable.just($0).map { $0 * 2 } : .empty() }
                == ["next(1)", "next(2)", "next(4)", "completed"])
        #expect(events { _ in throw TestError() } == ["next(1)", "error(test error)"])
        #expect(events { _ in .never() } == ["next(1)"])
    }

    /// An element that the observer causes while another is delivered is expanded after that one.
    @Test func endlessExpansionInsideElementIsStopped() {
        let subject = PublishSubject<Int>()
        let log = Cell<[Int]>([])
        let subscription = subject.expand { .just($0 + 1) }.take(10).subscribe(onNext: { number in
            log.append(number)
            if number == 0 { subject.onNext(100) }
        })
        subject.onNext(0)
        #expect(log.value.count == 10 && log.value.prefix(2) == [0, 100] && !subject.hasObservers)
        subscription.dispose()
    }

    @Test func otherSequencesAreExpanded() {
        #expect(
            emitted(by: Observable.just(1).expand { Maybe.just($0 + 1).filter { $0 < 3 } })
                == [.next(1), .next(2), .completed])
    }

    @Test func delayedGenerationsHoldNothing() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let before = Resources.count(of: .subscription)
        let most = Cell(0)
        let last = Cell(0)
        let subscription = Observable.just(0).expand {
            Observable.just($0 + 1).delay(.seconds(1), scheduler: scheduler)
        }
        .subscribe(onNext: { number in
            last.update { $0 = number }
            most.update { $0 = max($0, Resources.count(of: .subscription) - before) }
        })
        scheduler.advanceTo(20_000)
        subscription.dispose()
        #expect(last.value == 20_000 && most.value < 20, "\(most.value)")
    }

    /// Both the source and what follows run side by side, and are disposed with the result.
    @Test func branchesRunSideBySide() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let log = Cell<[String]>([])
        let disposed = Cell(0)
        let subscription = Observable.of(1, 100).expand { number in
            Observable.of(number + 1, number + 10).delay(.seconds(number < 100 ? 2 : 3), scheduler: scheduler)
                .do(onDispose: { disposed.update { $0 += 1 } })
        }
        .subscribe(onNext: { log.append("\($0)@\(scheduler.clock)") })
        scheduler.advanceTo(4)
        #expect(log.value == ["1@0", "100@0", "2@2", "11@2", "101@3", "110@3", "3@4", "12@4", "12@4", "21@4"])
        subscription.dispose()
        // Two have ended after their elements at 2 and two at 3 and 4; the others are running.
        #expect(disposed.value == 10)
    }

    @Test func selectorMayDisposeItsRun() {
        let bag = Cell<(any Disposable)?>(nil)
        let log = Cell<[Int]>([])
        let subject = PublishSubject<Int>()
        let subscription = subject.expand { number in
            if number == 3 { bag.value?.dispose() }
            return .just(number + 1)
        }
        .subscribe(onNext: { log.append($0) })
        bag.update { $0 = subscription }
        subject.onNext(1)
        #expect(log.value == [1, 2, 3] && !subject.hasObservers)
        bag.update { $0 = nil }
    }

    @Test func sourcesOnSeveralThreadsAreExpanded() {
        let subjects = (0..<4).map { _ in PublishSubject<Int>() }
        let count = Cell(0)
        let subscription = Observable.merge(subjects.map { $0.asObservable() })
            .expand { $0 > 0 ? .of($0 - 1) : .empty() }
            .subscribe(onNext: { _ in count.update { $0 += 1 } })
        inParallel(4) { thread in for _ in 0..<500 { subjects[thread].onNext(9) } }
        subscription.dispose()
        #expect(count.value == 4 * 500 * 10)
    }
}
