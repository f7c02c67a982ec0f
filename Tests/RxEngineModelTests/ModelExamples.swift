import RxEngineModel
import Testing

/// An expression, and the events that the model must give a subscriber from tick 2 to tick 60.
struct ModelExample: Sendable, CustomTestStringConvertible {
    let name: String
    let root: Node
    let events: [TimedEvent]

    var testDescription: String { name }

    /// - Parameter events: ticks and events: `10:1` is the element 1 at tick 10, `30:|` a completion, `30:X3` the error
    ///   3.
    init(_ name: String, _ root: Node, _ events: String) {
        self.name = name
        self.root = root
        self.events = events.split(separator: " ").map { entry in
            let parts = entry.split(separator: ":")
            let event: ProgramEvent =
                switch parts[1].first {
                case "|": .completed
                case "X": .error(Int(parts[1].dropFirst()) ?? 0)
                default: .next(Int(parts[1]) ?? 0)
                }
            return TimedEvent(Int(parts[0]) ?? 0, event)
        }
    }

    static let all = [
        elementwise, parts, whole, errors, time, combining, flattening, sources, neutral, traits, shared,
    ].flatMap { $0 }

    // The hot sources: 10:1 14:2 20:3 30:| and 12:5 16:6 25:|.
    static let source = Node.source(.hot(0))
    static let other = Node.source(.hot(1))
    static let hots = [
        [TimedEvent(10, .next(1)), TimedEvent(14, .next(2)), TimedEvent(20, .next(3)), TimedEvent(30, .completed)],
        [TimedEvent(12, .next(5)), TimedEvent(16, .next(6)), TimedEvent(25, .completed)],
    ]
    /// An element and an error, at once.
    static let failing = Node.source(.create(id: 1, [.next(1), .error(3)]))
    static let unchanged = "10:1 14:2 20:3 30:|"
    static let even = Condition(kind: .even)
    static let below2 = Condition(kind: .less(2))

    static func digest(_ values: Int...) -> Int { Model.digest(values) }

    static func one(_ name: OneSource, _ events: String) -> ModelExample { one(name, source, events) }

    static func one(_ name: OneSource, _ node: Node, _ events: String) -> ModelExample {
        ModelExample("\(name)", .one(name, node), events)
    }

    static func two(_ name: TwoSources, _ first: Node, _ second: Node, _ events: String) -> ModelExample {
        ModelExample("\(name)", .two(name, first, second), events)
    }

    static func many(_ name: ManySources, _ events: String) -> ModelExample { many(name, [source, other], events) }

    static func many(_ name: ManySources, _ nodes: [Node], _ events: String) -> ModelExample {
        ModelExample("\(name)", .many(name, nodes), events)
    }

    static func each(
        _ name: Flattening, _ node: Node = source, timer due: Int, _ events: String
    ) -> ModelExample {
        ModelExample("\(name)", .each(name, node, Choice([.source(.timer(due))])), events)
    }

    static func from(_ source: Source, _ events: String) -> ModelExample {
        ModelExample("\(source)", .source(source), events)
    }
}

extension ModelExample {
    private static let elementwise: [ModelExample] = [
        one(.map(Function(kind: .plus(1))), "10:2 14:3 20:4 30:|"),
        one(.map(Function(kind: .plus(1), throwsAt: 2)), "10:2 14:X70"),
        one(.compactMap(even, Function(kind: .times(10))), "14:20 30:|"),
        one(.filter(even), "14:2 30:|"),
        one(.mapTo(7), "10:7 14:7 20:7 30:|"),
        one(.unwrap(even), "14:2 30:|"),
        one(.ofType(even), "14:2 30:|"),
        one(.cast(even), "10:X906"),
        one(.cast(Condition(kind: .less(4))), unchanged),
        one(.partition(even, .matching), "14:2 30:|"),
        one(.partition(even, .others), "10:1 20:3 30:|"),
        one(.partition(Condition(kind: .even, throwsAt: 2), .others), "10:1 14:X71"),
        one(.doFinally(id: 1), unchanged),
        one(.scan(0), "10:1 14:3 20:6 30:|"),
        one(.scanInto(0), "10:1 14:3 20:6 30:|"),
        one(.enumerated, "10:1 14:102 20:203 30:|"),
        one(.nwise(2), "14:\(digest(1, 2)) 20:\(digest(2, 3)) 30:|"),
        one(.distinct, .source(.of([1, 2, 1])), "2:1 2:2 2:|"),
        one(.switchOnFirst, "10:2 14:3 20:4 30:|"),
        one(.materializeElements, failing, "2:1 2:|"),
        one(.terminateDetach, unchanged),
        one(.pairwise, "14:12 20:23 30:|"),
        one(.distinctUntilChanged, .source(.of([1, 1, 2])), "2:1 2:2 2:|"),
        one(.distinctByKey(2), .source(.of([1, 3, 2])), "2:1 2:2 2:|"),
        one(.distinctByComparer(), .source(.of([1, 2, 4])), "2:1 2:4 2:|"),
        one(.distinctByKeyAndComparer(5), .source(.of([1, 7, 4])), "2:1 2:4 2:|"),
        one(.withUnretained(diesAt: 2), "10:1 14:2 20:|"),
        one(.startWith([8, 9]), "2:8 2:9 10:1 14:2 20:3 30:|"),
        one(.materialize, "10:1 14:2 20:3 30:-1 30:|"),
        one(.materialize, .source(.error(3)), "2:503 2:|"),
    ]

    private static let parts: [ModelExample] = [
        one(.take(2), "10:1 14:2 14:|"),
        one(.takeWhile(below2, inclusive: false), "10:1 14:|"),
        one(.takeWhile(below2, inclusive: true), "10:1 14:2 14:|"),
        one(.takeUntilPredicate(even, inclusive: false), "10:1 14:|"),
        one(.takeUntilPredicate(even, inclusive: true), "10:1 14:2 14:|"),
        one(.takeLast(2), "30:2 30:3 30:|"),
        one(.skip(1), "14:2 20:3 30:|"),
        one(.skipLast(1), "14:1 20:2 30:|"),
        one(.skipWhile(below2), "14:2 20:3 30:|"),
        one(.elementAt(1), "14:2 14:|"),
        one(.elementAt(3), "30:X903"),
        one(.first, "10:1 10:|"),
        one(.first, .source(.empty), "2:-1 2:|"),
        one(.single, "10:1 14:X902"),
        one(.single, .source(.empty), "2:X901"),
        one(.singleWhere(even), "14:2 30:|"),
        one(.ifEmptyDefault(7), unchanged),
        one(.ifEmptyDefault(7), .source(.empty), "2:7 2:|"),
        one(.ignoreElements, "30:|"),
    ]

    private static let whole: [ModelExample] = [
        one(.reduce(0), "30:6 30:|"),
        one(.reduceMapResult(0, throws: false), "30:3 30:|"),
        one(.reduceMapResult(0, throws: true), "30:X79"),
        one(.toArray, "30:\(digest(1, 2, 3)) 30:|"),
        one(.bufferCount(2, skip: 2), "14:\(digest(1, 2)) 30:\(digest(3)) 30:|"),
        one(.bufferCount(2, skip: 1), "14:\(digest(1, 2)) 20:\(digest(2, 3)) 30:\(digest(3)) 30:|"),
        one(.bufferWhile(below2), "14:\(digest(1)) 30:|"),
        one(.asSingle, "14:X902"),
        one(.asSingle, .source(.timer(5)), "7:0 7:|"),
        one(.asMaybe, .source(.empty), "2:|"),
        one(.asCompletable, "30:|"),
    ]

    private static let errors: [ModelExample] = [
        one(.catchAndReturn(9), failing, "2:1 2:9 2:|"),
        one(.repeatCount(2), .source(.just(4)), "2:4 2:4 2:|"),
        two(.repeatWhen(flatMap: false), .source(.just(4)), .source(.timer(4)), "2:4 6:4 6:|"),
        one(.retry(2), failing, "2:1 2:1 2:X3"),
        ModelExample("retryForever", .one(.take(3), .one(.retryForever, failing)), "2:1 2:1 2:1 2:|"),
        one(.retryPolicy(OneSource.Policy(times: 1, span: 4)), failing, "2:1 6:1 6:X3"),
        one(.retryPolicy(OneSource.Policy(times: 1, span: 4, passes: 3)), failing, "2:1 2:X3"),
        two(.catchHandler(throws: false), failing, other, "2:1 12:5 16:6 25:|"),
        two(.catchHandler(throws: true), failing, other, "2:1 2:X77"),
        two(.retryWhen(flatMap: false), failing, .source(.timer(4)), "2:1 6:1 6:|"),
        ModelExample(
            "retryWhen, flatMap", .one(.take(2), .two(.retryWhen(flatMap: true), failing, .source(.timer(4)))),
            "2:1 6:1 6:|"),
        ModelExample(
            "retryWhenTyped", .one(.take(2), .two(.retryWhenTyped, failing, .source(.timer(4)))), "2:1 6:1 6:|"),
        many(.catchSequence, [failing, other], "2:1 12:5 16:6 25:|"),
    ]

    private static let time: [ModelExample] = [
        one(.debounce(5), "19:2 25:3 30:|"),
        one(.throttle(5, latest: true), "10:1 15:2 20:3 30:|"),
        one(.throttle(5, latest: false), "10:1 20:3 30:|"),
        one(.throttleFirst(5), "10:1 20:3 30:|"),
        one(.timeInterval, "10:801 14:402 20:603 30:|"),
        one(.auditTime(5), "15:2 25:3 30:|"),
        one(.throttleLast(5), "12:1 17:2 22:3 32:|"),
        one(.takeLastFor(10), "30:3 30:|"),
        one(.delay(3), "13:1 17:2 23:3 33:|"),
        one(.delaySubscription(10), "14:2 20:3 30:|"),
        one(.timeout(5), "7:X904"),
        one(.takeFor(10), "10:1 12:|"),
        one(.skipFor(10), "14:2 20:3 30:|"),
        one(.bufferTime(10, count: 2), "12:\(digest(1)) 20:\(digest(2, 3)) 30:\(digest()) 30:|"),
        one(.window(10, count: 2, .merge), unchanged),
        one(.window(10, count: 2, .count), "2:1 12:1 20:1 30:|"),
        one(.groupBy(2, .merge), unchanged),
        one(.groupBy(2, .count), "10:1 14:1 30:|"),
        one(.observeOn, "11:1 15:2 21:3 31:|"),
        one(.subscribeOn, .source(.just(4)), "3:4 3:|"),
        two(.timeoutOther(5), source, other, "12:5 16:6 25:|"),
    ]

    private static let combining: [ModelExample] = [
        two(.takeUntil, source, other, "10:1 12:|"),
        two(.skipUntil, source, other, "14:2 20:3 30:|"),
        two(.sample(default: nil), source, other, "12:1 16:2 25:3"),
        two(.sequenceEqual, source, other, "12:0 12:|"),
        two(.sequenceEqual, source, source, "30:1 30:|"),
        two(.zipLongest, source, other, "12:\(digest(1, 5)) 16:\(digest(2, 6)) 25:\(digest(3, -1)) 30:|"),
        two(.pausable, source, other, "20:3 30:|"),
        two(.pausableBuffered(limit: 9, .dropOldest), source, other, "16:1 16:2 20:3 30:|"),
        two(.pausableBuffered(limit: 1, .error), source, other, "14:X905"),
        two(.bufferUntil, source, other, "12:\(digest(1)) 16:\(digest(2)) 30:\(digest(3)) 30:|"),
        two(.windowUntil(.merge), source, other, unchanged),
        two(.windowUntil(.count), source, other, "2:1 12:1 16:1 30:|"),
        two(.mergeDelayError, failing, other, "2:1 12:5 16:6 25:X\(Failure.composite([3]))"),
        two(.concatDelayError, failing, other, "2:1 12:5 16:6 25:X\(Failure.composite([3]))"),
        many(.zipLongestCollection, "12:\(digest(1, 5)) 16:\(digest(2, 6)) 25:\(digest(3, -1)) 30:|"),
        many(
            .combineLatestDelayError, [failing, other],
            "12:\(digest(1, 5)) 16:\(digest(1, 6)) 25:X\(Failure.composite([3]))"),
        many(.concatEager, "10:1 14:2 20:3 30:5 30:6 30:|"),
        two(.withLatestFrom, source, other, "14:\(digest(2, 5)) 20:\(digest(3, 6)) 30:|"),
        two(.withLatestFromThrowing(5), source, other, "14:X78"),
        two(.amb, other, source, unchanged),
        two(.concat, other, source, "12:5 16:6 30:|"),
        two(.ifEmptySwitch, .source(.empty), source, unchanged),
        two(.andThen, source, .source(.timer(3)), "33:0 33:|"),
        many(.merge, "10:1 12:5 14:2 16:6 20:3 30:|"),
        many(.concat, [other, source], "12:5 16:6 30:|"),
        many(.amb, unchanged),
        many(.zip, "12:\(digest(1, 5)) 16:\(digest(2, 6)) 30:|"),
        many(.zipCollection, "12:\(digest(1, 5)) 16:\(digest(2, 6)) 30:|"),
        many(.zipThrowing(6), "12:\(digest(1, 5)) 16:X78"),
        many(.zipCollectionThrowing(6), "12:\(digest(1, 5)) 16:X78"),
        many(
            .combineLatest,
            "12:\(digest(1, 5)) 14:\(digest(2, 5)) 16:\(digest(2, 6)) 20:\(digest(3, 6)) 30:|"),
        many(
            .combineLatestCollection,
            "12:\(digest(1, 5)) 14:\(digest(2, 5)) 16:\(digest(2, 6)) 20:\(digest(3, 6)) 30:|"),
        many(.combineLatestThrowing(2), "12:\(digest(1, 5)) 14:X78"),
        many(.combineLatestCollectionThrowing(2), "12:\(digest(1, 5)) 14:X78"),
        ModelExample(
            "merge of synchronous sources interleaves",
            .many(.merge, [.source(.of([1, 2])), .source(.of([3, 4]))]), "2:1 2:3 2:2 2:4 2:|"),
    ]

    private static let flattening: [ModelExample] = [
        each(.flatMap, timer: 5, "15:0 19:0 25:0 30:|"),
        each(.flatMapFirst, timer: 5, "15:0 25:0 30:|"),
        each(.flatMapLatest, timer: 5, "19:0 25:0 30:|"),
        each(.concatMap, timer: 7, "17:0 24:0 31:0 31:|"),
        each(.concatMapEager(2), timer: 7, "17:0 21:0 27:0 30:|"),
        each(.concatMapEager(1), timer: 7, "17:0 24:0 31:0 31:|"),
        each(.mapMerge, timer: 5, "15:0 19:0 25:0 30:|"),
        each(.mapMergeLimited(1), timer: 7, "17:0 24:0 31:0 31:|"),
        each(.flatMapLimited(1), timer: 7, "17:0 24:0 31:0 31:|"),
        each(.expandTwice, timer: 5, "10:1 14:2 15:0 19:0 20:3 20:0 24:0 25:0 30:0 30:|"),
        each(.mapConcat, timer: 7, "17:0 24:0 31:0 31:|"),
        each(.mapSwitchLatest, timer: 5, "19:0 25:0 30:|"),
        ModelExample(
            "flatMap, a closure that throws", .each(.flatMap, source, Choice([other], throwsAt: 2)), "12:5 14:X72"),
    ]

    private static let sources: [ModelExample] = [
        from(.hot(1), "12:5 16:6 25:|"),
        from(.cold(id: 1, [TimedEvent(5, .next(1)), TimedEvent(8, .completed)]), "7:1 10:|"),
        from(.just(4), "2:4 2:|"),
        from(.empty, "2:|"),
        from(.error(3), "2:X3"),
        from(.never, ""),
        from(.optional(4), "2:4 2:|"),
        from(.optional(nil), "2:|"),
        from(.of([1, 2]), "2:1 2:2 2:|"),
        from(.from([1, 2]), "2:1 2:2 2:|"),
        from(.range(start: 3, count: 2), "2:3 2:4 2:|"),
        from(.generate(start: 1, limit: 5, step: 2, throwsAt: nil), "2:1 2:3 2:|"),
        from(.create(id: 1, [.next(1), .completed, .next(2)]), "2:1 2:|"),
        from(.ungrammatical(id: 1, [.next(1), .completed, .next(2)]), "2:1 2:|"),
        from(.timer(5), "7:0 7:|"),
        from(.ticks(3, period: 20), "5:0 25:1 45:2"),
        from(.interval(20), "22:0 42:1"),
        from(.justScheduled(4), "3:4 4:|"),
        from(.ofScheduled([1, 2]), "3:1 4:2 5:|"),
        from(.fromScheduled([1, 2]), "3:1 4:2 5:|"),
        from(.rangeScheduled(start: 3, count: 2), "3:3 4:4 5:|"),
        from(.generateScheduled(start: 1, limit: 5, step: 2, throwsAt: nil), "3:1 4:3 5:|"),
        ModelExample("repeatElement", .one(.take(2), .source(.repeatElement(1))), "2:1 2:1 2:|"),
        ModelExample("repeatScheduled", .one(.take(2), .source(.repeatScheduled(1))), "3:1 4:1 4:|"),
        one(.deferred(throws: false), unchanged),
        one(.deferred(throws: true), "2:X70"),
        one(.using(id: 1, .nothing), unchanged),
        one(.using(id: 1, .resource), "2:X75"),
        one(.using(id: 1, .observable), "2:X76"),
    ]

    private static let neutral: [ModelExample] = [
        one(.timestamp, unchanged),
        one(.debug, unchanged),
        one(.materializeDematerialize, unchanged),
        one(.asObservable, unchanged),
        one(.checkpoint, unchanged),
        one(.tag, unchanged),
        one(.identityMap, unchanged),
        one(.share(replay: 1), unchanged),
        one(.do(SideEffects(id: 1, closures: [.onNext])), unchanged),
        one(.do(SideEffects(id: 1, closures: [.onNext], throwsAt: 2)), "10:1 14:X74"),
        one(.multicastSelector(.itself), unchanged),
        one(.multicastSelector(.mergedTwice), "10:1 10:1 14:2 14:2 20:3 20:3 30:|"),
        one(.multicastSelector(.zippedWithRest), "14:\(digest(1, 2)) 20:\(digest(2, 3)) 30:|"),
        one(.multicastSelector(.firstElement), "10:1 10:|"),
        one(.multicastSelector(.throws), "2:X78"),
    ]

    private static let traits: [ModelExample] = [
        one(.via(.single, .map(Function(kind: .plus(1)))), .one(.take(1), source), "10:2 10:|"),
        one(.via(.single, .asMaybe), .one(.take(1), source), "10:1 10:|"),
        one(.via(.single, .asCompletable), .one(.take(1), source), "10:|"),
        one(.via(.maybe, .ifEmptyDefault(7)), .source(.empty), "2:7 2:|"),
        two(.via(.maybe, .ifEmptySwitchSingle), .source(.empty), .source(.timer(3)), "5:0 5:|"),
        two(.via(.completable, .andThenTrait(.single)), other, .source(.timer(3)), "28:0 28:|"),
        each(.traitFlatMap(from: .single, to: .maybe), .one(.take(1), source), timer: 5, "15:0 15:|"),
        each(.traitFlatMap(from: .single, to: .completable), .one(.take(1), source), timer: 5, "15:|"),
        many(.via(.single, .zip), [.source(.timer(3)), .source(.timer(5))], "7:\(digest(0, 0)) 7:|"),
        many(.via(.completable, .merge), "30:|"),
        one(.via(.infallible, .asObservable), failing, "2:1 2:9 2:|"),
        two(.via(.infallible, .fallback), failing, other, "2:1 12:5 16:6 25:|"),
        two(.via(.infallible, .recover), failing, other, "2:1 12:5 16:6 25:|"),
        many(.via(.infallible, .zipThrowing(6)), "12:\(digest(1, 5)) 16:|"),
    ]

    private static let shared: [ModelExample] = [
        one(.via(.driver, .asObservable), "11:1 15:2 21:3 31:|"),
        one(.via(.signal, .asObservable), .source(.error(3)), "3:9 3:|"),
        one(.via(.driver, .startWith([7])), "2:7 11:1 15:2 21:3 31:|"),
        one(.via(.signal, .debounce(5)), "20:2 26:3 31:|"),
        two(.via(.driver, .fallback), .source(.error(3)), other, "13:5 17:6 26:|"),
        two(
            .via(.signal, .withLatestFrom), source, .one(.via(.driver, .asObservable), other),
            "15:\(digest(2, 5)) 21:\(digest(3, 6)) 31:|"),
        many(
            .via(.driver, .combineLatest),
            "13:\(digest(1, 5)) 15:\(digest(2, 5)) 17:\(digest(2, 6)) 21:\(digest(3, 6)) 31:|"),
        many(.via(.signal, .zipThrowing(6)), "13:\(digest(1, 5)) 17:|"),
        many(.via(.driver, .merge), [], "3:|"),
        each(.via(.driver, .flatMapLatest), timer: 2, "14:0 18:0 24:0 31:|"),
        from(.via(.driver, .just(4)), "3:4 3:|"),
        from(.via(.signal, .of([1, 2])), "3:1 4:2 5:|"),
        from(.via(.driver, .interval(20)), "22:0 42:1"),
    ]
}
