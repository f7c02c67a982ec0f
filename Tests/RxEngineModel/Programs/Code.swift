extension Program {
    /// The program as Swift code that can be pasted into a test that imports RxEngine and RxEngineTest.
    package var code: String {
        var lines = ["let scheduler = TestScheduler(initialClock: 0)"]
        for (number, events) in hots.enumerated()
        where ([root] + shared.map(\.node)).contains(where: { $0.usesHot(number) }) {
            let list = Self.code(events)
            lines.append("let hot\(number) = scheduler.createHotObservable(\(list)).asObservable()")
        }
        for (number, kind) in subjects.enumerated() { lines.append("let subject\(number) = \(kind.code)") }
        for (number, shared) in shared.enumerated() { lines.append("let shared\(number) = \(shared.code)") }
        for feedback in feedback {
            lines.append("// Subscriber \(feedback.subscriber): \(feedback.action), \(feedback.limit) times")
        }
        lines.append("let program: Observable<Int> = \(root.code)")
        for (number, subscriber) in subscribers.enumerated() {
            lines.append("let subscription\(number) = SingleAssignmentDisposable()")
            lines.append("let observer\(number) = scheduler.createObserver(Int.self)")
            let source =
                subscriber.disposesAfter.map {
                    "program.enumerated().do(afterNext: { if $0.index == \($0 - 1) { subscription\(number).dispose() } })"
                        + ".map(\\.element)"
                } ?? "program"
            lines.append(
                "scheduler.scheduleAt(\(subscriber.subscribesAt)) { subscription\(number).setDisposable("
                    + "\(source).subscribe(observer\(number))) }")
            lines.append("scheduler.scheduleAt(\(subscriber.disposesAt)) { subscription\(number).dispose() }")
        }
        return (lines + ["scheduler.start()"]).joined(separator: "\n")
    }

    fileprivate static func code(_ events: [TimedEvent]) -> String {
        let list = events.map {
            switch $0.event {
            case .next(let value): ".next(\($0.tick), \(value))"
            case .error(let number): ".error(\($0.tick), Failure(\(number)))"
            case .completed, .outOfFuel: ".completed(\($0.tick))"
            }
        }
        return "[" + list.joined(separator: ", ") + "] as [Recorded<Event<Int>>]"
    }
}

extension Node {
    fileprivate func usesHot(_ number: Int) -> Bool {
        if case .source(.hot(number)) = self { return true }
        return children.contains { $0.usesHot(number) }
    }

    /// The expression as Swift code.
    package var code: String {
        switch self {
        case .source(let source): source.code
        case .one(let name, let node): name.code(node.code)
        case .two(let name, let first, let second): name.code(first.code, second.code)
        case .many(let name, let nodes): name.code(nodes.map(\.code))
        case .each(let name, let node, let choice): name.code(node.code, choice)
        }
    }
}

extension Source {
    fileprivate var code: String {
        switch self {
        case .hot(let number): "hot\(number)"
        case .cold(_, let events): "scheduler.createColdObservable(\(Program.code(events))).asObservable()"
        case .subject(let number): "subject\(number).asObservable()"
        case .shared(let number): "shared\(number)"
        case .just(let value): "Observable.just(\(value))"
        case .empty: "Observable<Int>.empty()"
        case .error(let number): "Observable<Int>.error(Failure(\(number)))"
        case .never: "Observable<Int>.never()"
        case .optional(let value): "Observable<Int>.from(optional: \(value.map(String.init) ?? "nil"))"
        case .of(let values): "Observable.of(\(values.map(String.init).joined(separator: ", ")))"
        case .from(let values): "Observable<Int>.from(\(values))"
        case .range(let start, let count): "Observable.range(start: \(start), count: \(count))"
        case .generate(let start, let limit, let step, let throwsAt):
            "Observable.generate(initialState: \(start), condition: { \(throwing(throwsAt, 73))return $0 < \(limit) }, "
                + "iterate: { $0 + \(step) })"
        case .repeatElement(let value): "Observable.repeatElement(\(value))"
        case .create(_, let events):
            "Observable<Int>.create { \(events.map { "$0.\($0.code); " }.joined())return Disposables.create() }"
        case .timer(let due): "Observable<Int>.timer(.seconds(\(due)), scheduler: scheduler)"
        case .ticks(let due, let period):
            "Observable<Int>.timer(.seconds(\(due)), period: .seconds(\(period)), scheduler: scheduler)"
        case .interval(let period): "Observable<Int>.interval(.seconds(\(period)), scheduler: scheduler)"
        case .justScheduled(let value): "Observable.just(\(value), scheduler: scheduler)"
        case .ofScheduled(let values): "Observable<Int>.from(\(values), scheduler: scheduler)"
        }
    }
}

extension ProgramEvent {
    fileprivate var code: String {
        switch self {
        case .next(let value): "onNext(\(value))"
        case .error(let number): "onError(Failure(\(number)))"
        case .completed, .outOfFuel: "onCompleted()"
        }
    }
}

private func throwing(_ value: Int?, _ number: Int) -> String {
    value.map { "if $0 == \($0) { throw Failure(\(number)) }; " } ?? ""
}

extension Condition {
    fileprivate var code: String {
        let test =
            switch kind {
            case .even: "$0.isMultiple(of: 2)"
            case .less(let number): "$0 < \(number)"
            case .not(let number): "$0 != \(number)"
            }
        return throwsAt == nil ? "{ \(test) }" : "{ \(throwing(throwsAt, 71))return \(test) }"
    }
}

extension Function {
    fileprivate var code: String {
        let result =
            switch kind {
            case .plus(let number): "($0 + \(number)) % 1000"
            case .times(let number): "($0 * \(number)) % 1000"
            case .half: "$0 / 2"
            }
        return throwsAt == nil ? "{ \(result) }" : "{ \(throwing(throwsAt, 70))return \(result) }"
    }
}

extension OneSource {
    fileprivate func code(_ source: String) -> String {
        switch self {
        case .deferred(let fails): "Observable.deferred { \(fails ? "throw Failure(70)" : source) }"
        case .using(_, let fails):
            "Observable.using({ \(fails == .resource ? "throw Failure(75)" : "Disposables.create()") }) { _ in "
                + "\(fails == .observable ? "throw Failure(76)" : source) }"
        case .map(let function): "\(source).map \(function.code)"
        case .compactMap(let condition, let function): "\(source).filter \(condition.code).map \(function.code)"
        case .filter(let condition): "\(source).filter \(condition.code)"
        case .scan(let seed): "\(source).scan(\(seed)) { ($0 + $1) % 1000 }"
        case .scanInto(let seed): "\(source).scan(into: \(seed)) { $0 = ($0 + $1) % 1000 }"
        case .enumerated: "\(source).enumerated().map { ($0.index * 100 + $0.element) % 1000 }"
        case .pairwise: "\(source).pairwise().map { ($0.previous * 10 + $0.current) % 1000 }"
        case .distinctUntilChanged: "\(source).distinctUntilChanged()"
        case .distinctByKey(let modulus): "\(source).distinctUntilChanged { $0 % \(modulus) }"
        case .startWith(let values): "\(source).startWith(\(values.map(String.init).joined(separator: ", ")))"
        case .materializeDematerialize: "\(source).materialize().dematerialize()"
        case .materialize: "\(source).materialize().map { $0.element ?? ($0.error == nil ? -1 : 500) }"
        case .asObservable: "\(source).asObservable()"
        case .checkpoint: "\(source).checkpoint(\"checkpoint\")"
        case .tag: "\(source).tag(\"tag\")"
        case .identityMap: "\(source).map { $0 }"
        case .do(let effects): "\(source).do(\(effects.code))"
        case .catchAndReturn(let value): "\(source).catchAndReturn(\(value))"
        case .retry(let attempts): "\(source).retry(\(attempts))"
        case .retryForever: "\(source).retry()"
        default: codeOfPart(source)
        }
    }

    private func codeOfPart(_ source: String) -> String {
        switch self {
        case .take(let count): "\(source).take(\(count))"
        case .takeWhile(let condition, let inclusive):
            "\(source).take(while: \(condition.code), behavior: \(inclusive ? ".inclusive" : ".exclusive"))"
        case .takeUntilPredicate(let condition, let inclusive):
            "\(source).take(until: \(condition.code), behavior: \(inclusive ? ".inclusive" : ".exclusive"))"
        case .takeLast(let count): "\(source).takeLast(\(count))"
        case .skip(let count): "\(source).skip(\(count))"
        case .skipWhile(let condition): "\(source).skip(while: \(condition.code))"
        case .elementAt(let index): "\(source).element(at: \(index))"
        case .first: "\(source).first().asObservable().map { $0 ?? -1 }"
        case .single: "\(source).single()"
        case .singleWhere(let condition): "\(source).single \(condition.code)"
        case .ifEmptyDefault(let value): "\(source).ifEmpty(default: \(value))"
        case .ignoreElements: "\(source).ignoreElements().compactMap { _ in nil }"
        case .reduce(let seed): "\(source).reduce(\(seed)) { ($0 + $1) % 1000 }"
        case .toArray: "\(source).toArray().asObservable().map(digest)"
        case .bufferCount(let count, let skip): "\(source).buffer(count: \(count), skip: \(skip)).map(digest)"
        case .asSingle: "\(source).asSingle().asObservable()"
        case .asMaybe: "\(source).asMaybe().asObservable()"
        case .asCompletable: "\(source).ignoreElements().asCompletable().asObservable().compactMap { _ in nil }"
        default: codeOfTime(source)
        }
    }

    private func codeOfTime(_ source: String) -> String {
        switch self {
        case .debounce(let span): "\(source).debounce(.seconds(\(span)), scheduler: scheduler)"
        case .throttle(let span, let latest):
            "\(source).throttle(.seconds(\(span)), latest: \(latest), scheduler: scheduler)"
        case .delay(let span): "\(source).delay(.seconds(\(span)), scheduler: scheduler)"
        case .delaySubscription(let span): "\(source).delaySubscription(.seconds(\(span)), scheduler: scheduler)"
        case .timeout(let span): "\(source).timeout(.seconds(\(span)), scheduler: scheduler)"
        case .takeFor(let span): "\(source).take(for: .seconds(\(span)), scheduler: scheduler)"
        case .skipFor(let span): "\(source).skip(.seconds(\(span)), scheduler: scheduler)"
        case .bufferTime(let span, let count):
            "\(source).buffer(timeSpan: .seconds(\(span)), count: \(count), scheduler: scheduler).map(digest)"
        case .window(let span, let count, let flattening):
            "\(source).window(timeSpan: .seconds(\(span)), count: \(count), scheduler: scheduler)\(flattening.code)"
        case .groupBy(let modulus, let flattening):
            "\(source).groupBy { $0 % \(modulus) }.map { $0.asObservable() }\(flattening.code)"
        case .observeOn: "\(source).observe(on: scheduler)"
        case .subscribeOn: "\(source).subscribe(on: scheduler)"
        case .share(let replay): "\(source).share(replay: \(replay))"
        default: source
        }
    }
}

extension OneSource.WindowFlattening {
    fileprivate var code: String {
        switch self {
        case .merge: ".merge()"
        case .concat: ".concat()"
        case .switchLatest: ".switchLatest()"
        case .count: ".map { _ in 1 }"
        }
    }
}

extension SideEffects {
    fileprivate var code: String {
        let parts = Callback.allCases.filter(closures.contains).map { callback in
            let fails =
                switch callback {
                case .onNext: throwing(throwsAt, 74)
                case .onError, .onCompleted: throwsAtEnd ? "throw Failure(74)" : ""
                default: ""
                }
            let parameter =
                [.afterNext, .onError, .afterError].contains(callback) || callback == .onNext && throwsAt == nil
            return "\(callback): {\(parameter ? " _ in" : "") \(fails)}"
        }
        return parts.joined(separator: ", ")
    }
}

extension TwoSources {
    fileprivate func code(_ first: String, _ second: String) -> String {
        switch self {
        case .takeUntil: "\(first).take(until: \(second))"
        case .skipUntil: "\(first).skip(until: \(second))"
        case .sample(let standIn): "\(first).sample(\(second)\(standIn.map { ", defaultValue: \($0)" } ?? ""))"
        case .withLatestFrom: "\(first).withLatestFrom(\(second)) { digest([$0, $1]) }"
        case .amb: "\(first).amb(\(second))"
        case .concat: "\(first).concat(\(second))"
        case .ifEmptySwitch: "\(first).ifEmpty(switchTo: \(second))"
        case .timeoutOther(let span): "\(first).timeout(.seconds(\(span)), other: \(second), scheduler: scheduler)"
        case .catchHandler(let fails): "\(first).catch { _ in \(fails ? "throw Failure(77)" : second) }"
        case .retryWhen(true): "\(first).retry { (errors: Observable<any Error>) in errors.flatMap { _ in \(second) } }"
        case .retryWhen(false): "\(first).retry { (_: Observable<any Error>) in \(second) }"
        case .andThen: "\(first).ignoreElements().asCompletable().andThen(\(second))"
        }
    }
}

extension ManySources {
    fileprivate func code(_ sources: [String]) -> String {
        let list = sources.joined(separator: ", ")
        return switch self {
        case .combineLatest: "Observable.combineLatest(\(list)) { digest([\(Self.parameters(sources.count))]) }"
        case .combineLatestCollection: "Observable.combineLatest([\(list)], resultSelector: digest)"
        case .zip: "Observable.zip(\(list)) { digest([\(Self.parameters(sources.count))]) }"
        case .zipCollection: "Observable.zip([\(list)], resultSelector: digest)"
        case .merge: "Observable.merge([\(list)])"
        case .concat: "Observable.concat([\(list)])"
        case .amb: "Observable.amb([\(list)])"
        case .catchSequence: "Observable.catch(sequence: [\(list)])"
        }
    }

    private static func parameters(_ count: Int) -> String {
        (0..<count).map { "$\($0)" }.joined(separator: ", ")
    }
}

extension Flattening {
    fileprivate func code(_ source: String, _ choice: Choice) -> String {
        let list = choice.nodes.map(\.code).joined(separator: ", ")
        let pick = choice.nodes.count == 1 ? list : "[\(list)][abs(element) % \(choice.nodes.count)]"
        let fails = choice.throwsAt.map { "if element == \($0) { throw Failure(72) }; return " } ?? ""
        let closure = "{ element in \(fails)\(pick) }"
        return switch self {
        case .flatMap: "\(source).flatMap \(closure)"
        case .flatMapFirst: "\(source).flatMapFirst \(closure)"
        case .flatMapLatest: "\(source).flatMapLatest \(closure)"
        case .concatMap: "\(source).concatMap \(closure)"
        case .mapMerge: "\(source).map \(closure).merge()"
        case .mapMergeLimited(let limit): "\(source).map \(closure).merge(maxConcurrent: \(limit))"
        case .mapConcat: "\(source).map \(closure).concat()"
        case .mapSwitchLatest: "\(source).map \(closure).switchLatest()"
        }
    }
}

extension SubjectKind {
    fileprivate var code: String {
        switch self {
        case .publish: "PublishSubject<Int>()"
        case .behavior(let value): "BehaviorSubject(value: \(value))"
        case .replay(let size): "ReplaySubject<Int>.create(bufferSize: \(size))"
        }
    }
}

extension Shared {
    fileprivate var code: String {
        switch kind {
        case .share(let replay, let forever):
            "\(node.code).share(replay: \(replay), scope: \(forever ? ".forever" : ".whileConnected"))"
        case .publishRefCount: "\(node.code).publish().refCount()"
        case .replayRefCount(let size): "\(node.code).replay(\(size)).refCount()"
        case .multicastSubject: "\(node.code).multicast(PublishSubject<Int>()).refCount()"
        }
    }
}
