import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct DebugTests {
    /// The lines that are written while `body` runs.
    private func lines(
        _ format: DebugFormat? = .classic, _ body: (Cell<[String]>) -> Void
    ) -> [String] {
        let log = Cell<[String]>([])
        let (before, output) = (Hooks.debugFormat, Hooks.debugOutput)
        defer { (Hooks.debugFormat, Hooks.debugOutput) = (before, output) }
        if let format { Hooks.debugFormat = format }
        Hooks.debugOutput = { log.append($0) }
        body(log)
        return log.value
    }

    @Test func classicFormatIsPrinted() {
        let subject = PublishSubject<Int>()
        let seen = lines { log in
            let subscription = subject.debug("my probe").subscribe(onNext: { log.append("This is simply \($0)") })
            subject.onNext(0)
            subscription.dispose()
            subscription.dispose()
        }
        #expect(
            seen == ["[my probe] subscribed", "[my probe] -> Event next(0)", "This is simply 0", "[my probe] dispose"])
    }

    @Test func disposalFollowsEnd() {
        let seen = lines { log in
            let source = Observable<Int>.create { observer in
                observer.onCompleted()
                return Disposables.create { log.append("freed") }
            }
            _ = source.debug("p").subscribe(onCompleted: { log.append("completed") })
            _ = Observable<Int>.error(TestError("e")).debug("q").subscribe { _ in }
        }
        #expect(
            seen == [
                "[p] subscribed", "[p] -> Event completed", "completed", "[p] dispose", "freed",
                "[q] subscribed", "[q] -> Event error(e)", "[q] dispose",
            ])
    }

    @Test func defaultFormatHasTimestamp() {
        let seen = lines(nil) { _ in _ = Observable.just("x").debug("p").subscribe() }
        let stamps = seen.map { $0.prefix(24).map { $0.isNumber ? "0" : $0 } }
        #expect(stamps.allSatisfy { String($0) == "0000-00-00 00:00:00.000:" })
        #expect(
            seen.map { $0.dropFirst(24) } == [
                " p -> subscribed", " p -> Event next(x)", " p -> Event completed", " p -> isDisposed",
            ])
    }

    @Test func withoutIdentifierSourceLocationIsPrinted() {
        let line = UInt(#line) + 1
        let seen = lines { _ in _ = Observable<Int>.empty().debug().subscribe() }
        #expect(seen.first == "[DebugTests.swift:\(line) (\(#function))] subscribed")
        let elsewhere = lines { _ in _ = Observable<Int>.empty().debug(file: "a/b", line: 7, function: "f").subscribe()
        }
        #expect(elsewhere.first == "[b:7 (f)] subscribed")
    }

    @Test(arguments: [
        (30, false, "next(" + String(repeating: "x", count: 30) + ")"),
        (34, true, "next(" + String(repeating: "x", count: 34) + ")"),
        (35, true, "next(" + String(repeating: "x", count: 15) + "..." + String(repeating: "x", count: 19) + ")"),
        (35, false, "next(" + String(repeating: "x", count: 35) + ")"),
    ]) func longEventsAreTruncatedOnRequest(length: Int, trims: Bool, text: String) {
        let seen = lines { _ in
            _ = Observable.just(String(repeating: "x", count: length)).debug("p", trimOutput: trims).subscribe()
        }
        #expect(seen[1] == "[p] -> Event \(text)")
    }

    @Test func eachSubscriptionIsPrinted() {
        let source = Observable.just(1).debug("p")
        let seen = lines { _ in
            _ = source.subscribe()
            _ = source.subscribe()
        }
        #expect(seen.count { $0 == "[p] subscribed" } == 2 && seen.count { $0 == "[p] dispose" } == 2)
    }
}
