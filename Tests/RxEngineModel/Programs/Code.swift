extension Program {
    /// The program as Swift code that can be pasted into a test that imports RxEngine and RxEngineTest.
    package var code: String {
        var lines: [String] = []
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
        lines.append("scheduler.start()")
        if ([root] + shared.map(\.node)).contains(where: \.usesSharedTraits) {
            lines = ["SharingScheduler.mock(scheduler: scheduler) {"] + lines.map { "    " + $0 } + ["}"]
        }
        return (["let scheduler = TestScheduler(initialClock: 0)"] + lines).joined(separator: "\n")
    }

    fileprivate static func code(_ events: [TimedEvent]) -> String {
        let list = events.map {
            switch $0.event {
            case .next(let value): ".next(\($0.tick), \(value))"
            case .error(let number): ".error(\($0.tick), Failure(\(number)))"
            case .completed, .outOfBudget: ".completed(\($0.tick))"
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

    var usesSharedTraits: Bool { trait?.isShared == true || children.contains(where: \.usesSharedTraits) }

    /// The expression as Swift code.
    package var code: String {
        if let trait { return typedCode + trait.codeOfObservable }
        return switch self {
        case .source(let source): source.code
        case .one(let name, let node): name.code(node.code)
        case .two(let name, let first, let second): name.code(first.code, second.code)
        case .many(let name, let nodes): name.code(nodes.map(\.code))
        case .each(let name, let node, let choice): name.code(node.code, choice)
        }
    }
}

extension Node {
    /// The expression as one of a trait.
    fileprivate func code(as trait: Trait) -> String { self.trait == trait ? typedCode : code + trait.codeOfConversion }

    /// The expression under its own type.
    private var typedCode: String {
        switch self {
        case .source(.via(let trait, let source)): source.code.spelled(for: trait).onSchedulerOf(trait)
        case .one(.via(.single, .asCompletable), let node): "\(node.code(as: .single)).asCompletable()"
        case .one(.via(let trait, .asObservable), let node): node.code(as: trait)
        case .one(.via(let trait, let name), let node):
            name.code(.placeholder).spelled(for: trait).onSchedulerOf(trait)
                .replacing(String.placeholder, with: node.code(as: trait))
        case .two(.via(let trait, .fallback), let first, let second):
            "\(first.code).\(trait.nameOfConversion)(\(trait.nameOfFallback): \(second.code(as: trait)))"
        case .two(.via(let trait, .recover), let first, let second):
            "\(first.code).\(trait.nameOfConversion)(onErrorRecover: { _ in \(second.code(as: trait)) })"
        case .two(.via(let trait, let name), let first, let second):
            name.code(first.code(as: trait), name.codeOfSecond(second, trait))
        case .many(.via(let trait, let name), let nodes):
            name.code(nodes.map { $0.code(as: trait) }).spelled(for: trait)
        case .each(.traitFlatMap(let from, let to), let node, let choice):
            Flattening.traitFlatMap(from: from, to: to).code(node.code(as: from), choice, of: to)
        case .each(.via(let trait, let name), let node, let choice):
            trait.isShared
                ? name.code(node.code(as: node.sharedTrait(or: trait)), choice, of: trait)
                : name.code(node.code(as: trait), choice)
        default: code
        }
    }
}

extension TwoSources {
    fileprivate func codeOfSecond(_ second: Node, _ trait: Trait) -> String {
        switch (trait, self) {
        case (_, .andThenTrait(let other)): second.code(as: other)
        case (_, .ifEmptySwitchSingle): second.code(as: .single)
        case (.infallible, .takeUntil), (.infallible, .skipUntil), (.infallible, .concat), (_, .retryWhen): second.code
        case (.driver, _), (.signal, _): second.code(as: second.sharedTrait(or: trait))
        default: second.code(as: trait)
        }
    }
}

extension Trait {
    fileprivate var codeOfConversion: String {
        switch self {
        case .single: ".asSingle()"
        case .maybe: ".asMaybe()"
        case .completable: ".ignoreElements().asCompletable()"
        case .infallible, .driver, .signal: ".\(nameOfConversion)(onErrorJustReturn: \(Self.standIn))"
        }
    }

    /// The name of the type.
    fileprivate var type: String { "\(rawValue.prefix(1).uppercased())\(rawValue.dropFirst())" }

    fileprivate var nameOfConversion: String { "as\(type)" }

    fileprivate var nameOfFallback: String {
        switch self {
        case .driver: "onErrorDriveWith"
        case .signal: "onErrorSignalWith"
        default: "onErrorFallbackTo"
        }
    }

    fileprivate var codeOfObservable: String {
        self == .completable ? ".asObservable().compactMap { _ in nil }" : ".asObservable()"
    }
}

extension String {
    /// Represents a source in the code of an operator.
    fileprivate static let placeholder = "<source>"

    /// The code of an operator or source of observables as one of a trait.
    fileprivate func spelled(for trait: Trait) -> String {
        var code = self
        for (prefix, suffix) in [("Observable.", "."), ("Observable<", "<")] where hasPrefix(prefix) {
            code = trait.type + suffix + dropFirst(prefix.count)
        }
        return trait == .completable && code.hasPrefix("Completable.merge(")
            ? "Completable.zip(" + code.dropFirst(18) : code
    }
}

extension String {
    /// The code of one operator or source without the scheduler, since a `Driver` and a `Signal` have their own.
    fileprivate func onSchedulerOf(_ trait: Trait) -> String {
        trait.isShared ? replacing(", scheduler: scheduler)", with: ")") : self
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
        case .ofScheduled(let values) where !values.isEmpty:
            "Observable.of(\(values.map(String.init).joined(separator: ", ")), scheduler: scheduler)"
        case .ofScheduled(let values), .fromScheduled(let values):
            "Observable<Int>.from(\(values), scheduler: scheduler)"
        case .rangeScheduled(let start, let count):
            "Observable.range(start: \(start), count: \(count), scheduler: scheduler)"
        case .generateScheduled(let start, let limit, let step, let throwsAt):
            "Observable.generate(initialState: \(start), condition: { \(throwing(throwsAt, 73))return $0 < \(limit) }, "
                + "scheduler: scheduler, iterate: { $0 + \(step) })"
        case .repeatScheduled(let value): "Observable.repeatElement(\(value), scheduler: scheduler)"
        case .ungrammatical(_, let events):
            "Observable<Int>.source { \(events.map { "$0.\($0.sinkCode); " }.joined())return Disposables.create() }"
        case .via(let trait, let source): source.code.spelled(for: trait).onSchedulerOf(trait)
        }
    }
}

extension ProgramEvent {
    fileprivate var sinkCode: String {
        switch self {
        case .next(let value): "next(\(value))"
        case .error(let number): "error(Failure(\(number)))"
        case .completed, .outOfBudget: "completed()"
        }
    }

    fileprivate var code: String {
        switch self {
        case .next(let value): "onNext(\(value))"
        case .error(let number): "onError(Failure(\(number)))"
        case .completed, .outOfBudget: "onCompleted()"
        }
    }
}

private func throwing(_ value: Int?, _ number: Int, _ parameter: String = "$0") -> String {
    value.map { "if \(parameter) == \($0) { throw Failure(\(number)) }; " } ?? ""
}

extension Condition {
    fileprivate var code: String {
        let test =
            switch kind {
            case .even: "$0.isMultiple(of: 2)"
            case .odd: "!$0.isMultiple(of: 2)"
            case .less(let number): "$0 < \(number)"
            case .atLeast(let number): "$0 >= \(number)"
            case .not(let number): "$0 != \(number)"
            case .equal(let number): "$0 == \(number)"
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
        case .mapTo(let value): "\(source).mapTo(\(value))"
        case .unwrap(let condition): "\(source).map { try \(condition.code)($0) ? $0 : nil }.unwrap()"
        case .ofType(let condition): "\(source).map { try \(condition.code)($0) ? $0 : () }.ofType(Int.self)"
        case .cast(let condition): "\(source).map { try \(condition.code)($0) ? $0 : () }.cast(to: Int.self)"
        case .partition(let condition, let part):
            "Observable.deferred { \(source).partition \(condition.code).\(part) }"
        case .doFinally: "\(source).doFinally {}"
        case .filter(let condition): "\(source).filter \(condition.code)"
        case .scan(let seed, let at): "\(source).scan(\(seed)) { \(throwing(at, 78, "$1"))return ($0 + $1) % 1000 }"
        case .scanInto(let seed, let at):
            "\(source).scan(into: \(seed)) { \(throwing(at, 78, "$1"))$0 = ($0 + $1) % 1000 }"
        case .enumerated: "\(source).enumerated().map { ($0.index * 100 + $0.element) % 1000 }"
        case .pairwise: "\(source).pairwise().map { ($0.previous * 10 + $0.current) % 1000 }"
        case .distinctUntilChanged: "\(source).distinctUntilChanged()"
        case .distinct: "\(source).distinct()"
        case .nwise(let count): "\(source).nwise(\(count)).map(digest)"
        case .switchOnFirst: "\(source).switchOnFirst { first, all in all.map { (first + $0) % 1000 } }"
        case .distinctByKey(let modulus, let at):
            "\(source).distinctUntilChanged { \(throwing(at, 78))return $0 % \(modulus) }"
        case .distinctByComparer(let at):
            "\(source).distinctUntilChanged { \(throwing(at, 78, "$1"))return abs($0 - $1) < 2 }"
        case .distinctByKeyAndComparer(let modulus, let at):
            "\(source).distinctUntilChanged({ \(throwing(at, 78))return $0 % \(modulus) }, comparer: { abs($0 - $1) < 2 })"
        case .withUnretained(let diesAt):
            "\(source).withUnretained(object).map { /* the object is freed at \(diesAt.map(String.init) ?? "no element") */ $1 }"
        case .timestamp: "\(source).timestamp(scheduler: scheduler).map(\\.element)"
        case .debug: "\(source).debug()"
        case .startWith(let values): "\(source).startWith(\(values.map(String.init).joined(separator: ", ")))"
        case .materializeDematerialize: "\(source).materialize().dematerialize()"
        case .materialize: "\(source).materialize().map { $0.element ?? ($0.error == nil ? -1 : 500) }"
        case .materializeElements: "\(source).materialize().elements()"
        case .terminateDetach: "\(source).onTerminateDetach()"
        case .asObservable: "\(source).asObservable()"
        case .checkpoint: "\(source).checkpoint(\"checkpoint\")"
        case .tag: "\(source).tag(\"tag\")"
        case .identityMap: "\(source).map { $0 }"
        case .do(let effects): "\(source).do(\(effects.code))"
        case .catchAndReturn(let value): "\(source).catchAndReturn(\(value))"
        case .retry(let attempts): "\(source).retry(\(attempts))"
        case .retryForever: "\(source).retry()"
        case .repeatCount(let count): "\(source).repeat(\(count))"
        case .retryPolicy(let policy): "\(source).retry(\(policy), scheduler: scheduler)"
        case .multicastSelector(let selector):
            "\(source).multicast({ PublishSubject<Int>() }) { shared in \(selector.code) }"
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
        case .skipLast(let count): "\(source).skipLast(\(count))"
        case .skipWhile(let condition): "\(source).skip(while: \(condition.code))"
        case .elementAt(let index): "\(source).element(at: \(index))"
        case .first: "\(source).first().asObservable().map { $0 ?? -1 }"
        case .single: "\(source).single()"
        case .singleWhere(let condition): "\(source).single \(condition.code)"
        case .ifEmptyDefault(let value): "\(source).ifEmpty(default: \(value))"
        case .ignoreElements: "\(source).ignoreElements().compactMap { _ in nil }"
        case .reduce(let seed, let at):
            "\(source).reduce(\(seed)) { \(throwing(at, 78, "$1"))return ($0 + $1) % 1000 }"
        case .reduceMapResult(let seed, let fails):
            "\(source).reduce(\(seed), accumulator: { ($0 + $1) % 1000 }, "
                + "mapResult: { \(fails ? "throw Failure(79)" : "$0 / 2") })"
        case .toArray: "\(source).toArray().asObservable().map(digest)"
        case .bufferCount(let count, let skip): "\(source).buffer(count: \(count), skip: \(skip)).map(digest)"
        case .bufferWhile(let condition): "\(source).buffer(while: \(condition.code)).map(digest)"
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
        case .throttleFirst(let span): "\(source).throttleFirst(.seconds(\(span)), scheduler: scheduler)"
        case .timeInterval:
            "\(source).timeInterval(scheduler: scheduler).map { ($0.element + 100 * Int($0.interval / .seconds(1))) % 1000 }"
        case .auditTime(let span): "\(source).auditTime(.seconds(\(span)), scheduler: scheduler)"
        case .throttleLast(let span): "\(source).throttleLast(.seconds(\(span)), scheduler: scheduler)"
        case .takeLastFor(let span): "\(source).takeLast(for: .seconds(\(span)), scheduler: scheduler)"
        case .delay(let span): "\(source).delay(.seconds(\(span)), scheduler: scheduler)"
        case .delaySubscription(let span): "\(source).delaySubscription(.seconds(\(span)), scheduler: scheduler)"
        case .timeout(let span): "\(source).timeout(.seconds(\(span)), scheduler: scheduler)"
        case .takeFor(let span): "\(source).take(for: .seconds(\(span)), scheduler: scheduler)"
        case .skipFor(let span): "\(source).skip(.seconds(\(span)), scheduler: scheduler)"
        case .bufferTime(let span, let count):
            "\(source).buffer(timeSpan: .seconds(\(span)), count: \(count), scheduler: scheduler).map(digest)"
        case .window(let span, let count, let flattening):
            "\(source).window(timeSpan: .seconds(\(span)), count: \(count), scheduler: scheduler)\(flattening.code)"
        case .groupBy(let modulus, let flattening, let at):
            "\(source).groupBy { \(throwing(at, 78))return $0 % \(modulus) }.map { $0.asObservable() }\(flattening.code)"
        case .observeOn: "\(source).observe(on: scheduler)"
        case .subscribeOn: "\(source).subscribe(on: scheduler)"
        case .share(let replay): "\(source).share(replay: \(replay))"
        default: source
        }
    }
}

extension OneSource.Selector {
    fileprivate var code: String {
        switch self {
        case .itself: "shared"
        case .mergedTwice: ".merge([shared, shared])"
        case .zippedWithRest: ".zip(shared, shared.skip(1)) { digest([$0, $1]) }"
        case .firstElement: "shared.take(1)"
        case .throws: "throw Failure(78)"
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
        case .sequenceEqual: "\(first).sequenceEqual(\(second)).asObservable().map { $0 ? 1 : 0 }"
        case .zipLongest: "Observable.zip(longest: \(first), \(second)) { digest([$0 ?? -1, $1 ?? -1]) }"
        case .pausable: "\(first).pausable(\(second).map { $0.isMultiple(of: 2) })"
        case .pausableBuffered(let limit, let overflow):
            "\(first).pausableBuffered(\(second).map { $0.isMultiple(of: 2) }, limit: \(limit), overflow: .\(overflow))"
        case .bufferUntil: "\(first).buffer(until: \(second)).map(digest)"
        case .windowUntil(let flattening): "\(first).window(until: \(second))\(flattening.code)"
        case .mergeDelayError: "Observable.mergeDelayError(\(first), \(second))"
        case .concatDelayError: "Observable.concatDelayError(\(first), \(second))"
        case .withLatestFrom: "\(first).withLatestFrom(\(second)) { digest([$0, $1]) }"
        case .withLatestFromThrowing(let value):
            "\(first).withLatestFrom(\(second)) { try digest([$0, $1], throwsAt: \(value)) }"
        case .amb: "\(first).amb(\(second))"
        case .concat: "\(first).concat(\(second))"
        case .ifEmptySwitch: "\(first).ifEmpty(switchTo: \(second))"
        case .timeoutOther(let span): "\(first).timeout(.seconds(\(span)), other: \(second), scheduler: scheduler)"
        case .catchHandler(let fails): "\(first).catch { _ in \(fails ? "throw Failure(77)" : second) }"
        case .retryWhen(true): "\(first).retry { (errors: Observable<any Error>) in errors.flatMap { _ in \(second) } }"
        case .retryWhen(false): "\(first).retry { (_: Observable<any Error>) in \(second) }"
        case .retryWhenTyped: "\(first).retry { (errors: Observable<Failure>) in errors.flatMap { _ in \(second) } }"
        case .repeatWhen(true): "\(first).repeat { completions in completions.flatMap { \(second) } }"
        case .repeatWhen(false): "\(first).repeat { _ in \(second) }"
        case .andThenTrait: "\(first).andThen(\(second))"
        case .ifEmptySwitchSingle: "\(first).ifEmpty(switchTo: \(second))"
        case .fallback, .recover, .via: first
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
        case .zipLongestCollection: "Observable.zip(longest: [\(list)]) { digest($0.map { $0 ?? -1 }) }"
        case .combineLatestDelayError: "Observable.combineLatestDelayError([\(list)], resultSelector: digest)"
        case .concatEager: "Observable.concatEager([\(list)])"
        case .combineLatestThrowing(let value):
            "Observable.combineLatest(\(list)) { try digest([\(Self.parameters(sources.count))], throwsAt: \(value)) }"
        case .combineLatestCollectionThrowing(let value):
            "Observable.combineLatest([\(list)]) { try digest($0, throwsAt: \(value)) }"
        case .zipThrowing(let value):
            "Observable.zip(\(list)) { try digest([\(Self.parameters(sources.count))], throwsAt: \(value)) }"
        case .zipCollectionThrowing(let value): "Observable.zip([\(list)]) { try digest($0, throwsAt: \(value)) }"
        case .merge: "Observable.merge([\(list)])"
        case .concat: "Observable.concat([\(list)])"
        case .amb: "Observable.amb([\(list)])"
        case .via: list
        case .catchSequence: "Observable.catch(sequence: [\(list)])"
        }
    }

    private static func parameters(_ count: Int) -> String {
        (0..<count).map { "$\($0)" }.joined(separator: ", ")
    }
}

extension Flattening {
    fileprivate func code(_ source: String, _ choice: Choice, of trait: Trait? = nil) -> String {
        let list = choice.nodes.map { node in trait.map { node.code(as: $0) } ?? node.code }.joined(separator: ", ")
        let pick = choice.nodes.count == 1 ? list : "[\(list)][abs(element) % \(choice.nodes.count)]"
        let fails = choice.throwsAt.map { "if element == \($0) { throw Failure(72) }; return " } ?? ""
        let closure = "{ element in \(fails)\(pick) }"
        return switch self {
        case .via(_, let name): name.code(source, choice, of: trait)
        case .flatMap: "\(source).flatMap \(closure)"
        case .traitFlatMap(.single, .maybe): "\(source).flatMapMaybe \(closure)"
        case .traitFlatMap(_, .completable): "\(source).flatMapCompletable \(closure)"
        case .traitFlatMap: "\(source).flatMap \(closure)"
        case .flatMapFirst: "\(source).flatMapFirst \(closure)"
        case .flatMapLatest: "\(source).flatMapLatest \(closure)"
        case .concatMap: "\(source).concatMap \(closure)"
        case .concatMapEager(let limit): "\(source).concatMapEager(maxConcurrent: \(limit)) \(closure)"
        case .mapMerge: "\(source).map \(closure).merge()"
        case .mapMergeLimited(let limit): "\(source).map \(closure).merge(maxConcurrent: \(limit))"
        case .flatMapLimited(let limit): "\(source).flatMap(maxConcurrent: \(limit)) \(closure)"
        case .expandTwice: "\(source).expandTwice \(closure)"
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
