import Dispatch
import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// When resources are released.
extension ConcatTests {
    /// The resources of the first sequence are released before the second is subscribed to, whichever operator ends the
    /// first.
    static let endings: [(name: String, end: @Sendable (Observable<Int>) -> Observable<Int>)] = [
        ("the source itself", { $0 }),
        ("flatMap", { $0.flatMap { Observable.just($0) } }),
        ("flatMap's inner", { source in Observable.of(1).flatMap { _ in source } }),
        ("flatMapFirst", { $0.flatMapFirst { Observable.just($0) } }),
        ("flatMapFirst's inner", { source in Observable.of(1).flatMapFirst { _ in source } }),
        ("flatMapLatest", { $0.flatMapLatest { Observable.just($0) } }),
        ("flatMapLatest's inner", { source in Observable.of(1).flatMapLatest { _ in source } }),
        ("concatMap", { $0.concatMap { Observable.just($0) } }),
        ("concatMap's inner", { source in Observable.of(1).concatMap { _ in source } }),
        ("merge", { .merge([.empty(), $0]) }),
        ("merge(maxConcurrent:)", { Observable.of($0).merge(maxConcurrent: 1) }),
        ("switchLatest", { Observable.of($0).switchLatest() }),
        ("combineLatest", { .combineLatest($0, Observable.just(1)) { $0 + $1 } }),
        ("zip", { .zip($0, Observable.just(1)) { $0 + $1 } }),
        ("withLatestFrom", { $0.withLatestFrom(Observable.just(1)) }),
        ("amb", { $0.amb(.never()) }),
        ("take(until:)", { $0.take(until: Observable<Int>.never()) }),
        ("groupBy", { $0.groupBy { $0 }.merge() }),
        ("share", { $0.share() }),
        ("share(replay:)", { $0.share(replay: 1) }),
        ("share(scope: .forever)", { $0.share(replay: 1, scope: .forever) }),
        ("multicast", { $0.multicast { PublishSubject<Int>() }.refCount() }),
        ("multicast(selector:)", { $0.multicast({ PublishSubject<Int>() }) { $0 } }),
        ("ifEmpty(switchTo:)", { $0.ifEmpty(switchTo: .empty()) }),
        ("catch", { $0.catch { _ in .empty() } }),
        ("retry(when:)", { $0.retry { (errors: Observable<any Error>) in errors } }),
        ("debounce", { $0.debounce(.seconds(1), scheduler: HistoricalScheduler()) }),
        ("timeout", { $0.timeout(.seconds(1), scheduler: HistoricalScheduler()) }),
        ("using", { source in .using({ AnyDisposable() }) { _ in source } }),
        ("do", { $0.do(onDispose: {}) }),
        ("asSingle", { $0.asSingle().asObservable() }),
        ("asMaybe", { $0.asMaybe().asObservable() }),
        ("materialize", { $0.materialize().dematerialize() }),
    ]

    private struct AnyDisposable: Disposable {
        func dispose() {}
    }

    @Test(arguments: endings.indices) func firstSourceIsReleasedBeforeSecondIsSubscribedTo(_ index: Int) {
        let rule = Self.endings[index]
        let subject = PublishSubject<Int>()
        let log = Cell<[String]>([])
        let source = Observable<Int>.create { observer in
            Disposables.create(subject.subscribe(observer), Disposables.create { log.append("freed") })
        }
        let second = Observable<Int>.create { _ in
            log.append("subscribed")
            return Disposables.create()
        }
        let subscription = rule.end(source).concat(second).subscribe(onError: { _ in })
        subject.onNext(1)
        subject.onCompleted()
        #expect(log.value == ["freed", "subscribed"], "\(rule.name)")
        subscription.dispose()
    }

    private static func using(_ name: String, _ log: Cell<[String]>, _ inner: Observable<Int>) -> Observable<Int> {
        .using {
            DisposalLog(name, log)
        } observableFactory: { _ in
            inner
        }
    }

    /// Records its disposal.
    private struct DisposalLog: Disposable {
        let name: String
        let log: Cell<[String]>

        init(_ name: String, _ log: Cell<[String]>) {
            (self.name, self.log) = (name, log)
        }

        func dispose() { log.append(name) }
    }

    /// Resources of nested runs are released from the innermost outwards, however the run ends, and whether or not the
    /// outer run takes the nested run over.
    @Test(arguments: ["disposed", "fails", "completes", "fails at once", "completes at once", "taken"], [false, true])
    func nestedResourcesAreReleasedInsideOut(end: String, isNested: Bool) {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let last: Observable<Int>
        switch end {
        case "fails at once": last = .error(TestError())
        case "completes at once": last = .empty()
        case "taken": last = .just(7)
        default: last = subject.asObservable()
        }
        let inner = Self.using("inner", log, Observable.just(3).concat(last))
        let middle = Self.using("middle", log, Observable.just(2).concat(inner))
        let outer = Self.using("outer", log, Observable.just(1).concat(middle))
        let whole = (isNested ? outer.retry(1) : outer).take(until: { end == "taken" && $0 == 7 }, behavior: .inclusive)
        let subscription = whole.subscribe(onError: { _ in })
        switch end {
        case "fails": subject.onError(TestError())
        case "completes": subject.onCompleted()
        default: subscription.dispose()
        }
        #expect(log.value == ["inner", "middle", "outer"])
    }
}
