import SeededRandom

/// Makes random programs, the same for the same seed.
package struct Generator {
    package var random: SplitMix64
    private var hots = 0
    private var subjects = 0
    private var shared = 0
    /// Whether the model cannot determine which programs are endless. Then operators that may be endless inside one
    /// tick are excluded: `repeatElement`, `retry()` and `retry(when:)`, all of which the model checks.
    private(set) var isSharing = false
    private var lastID = 0

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A random program.
    package mutating func program() -> Program {
        lastID = 0
        hots = 1 + random.below(3)
        let events = (0..<hots).map { _ in self.events(from: 3, upTo: 40) }
        let root = node(depth: 1 + random.below(5))
        let subscribers = (0..<(random.once(in: 3) ? 2 : 1)).map { _ in subscriber() }
        return Program(hots: events, root: root, subscribers: subscribers)
    }

    /// A random program with sequences that several places share, subjects, and subscribers that send to them.
    package mutating func sharingProgram() -> Program {
        lastID = 0
        isSharing = true
        defer { (isSharing, subjects, shared) = (false, 0, 0) }
        hots = 1 + random.below(2)
        let events = (0..<hots).map { _ in self.events(from: 3, upTo: 40) }
        let kinds: [SubjectKind] = (0..<random.below(3)).map { _ in
            random.pick([.publish, .publish, .behavior(small()), .replay(random.below(3))])
        }
        subjects = kinds.count
        var definitions: [Shared] = []
        for _ in 0..<random.below(3) {
            definitions.append(Shared(node: node(depth: random.below(3)), kind: sharing()))
            shared += 1
        }
        let root = node(depth: 1 + random.below(4))
        var program = Program(
            hots: events, root: root, subscribers: (0..<1 + random.below(3)).map { _ in subscriber() })
        program.subjects = kinds
        program.shared = definitions
        program.feedback = (0..<random.below(3)).compactMap { _ in feedback(program.subscribers.count) }
        return program
    }

    mutating func sharing() -> Shared.Kind {
        switch random.below(6) {
        case 0...2: .share(replay: random.below(3), forever: random.once(in: 2))
        case 3: .publishRefCount
        case 4: .replayRefCount(random.below(3))
        default: .multicastSubject
        }
    }

    mutating func feedback(_ subscribers: Int) -> Feedback? {
        let action: Feedback.Action
        switch random.below(3) {
        case 0: action = .resubscribe
        case 1 where subjects > 0: action = .push(subject: random.below(subjects))
        case 2 where subjects > 0: action = .end(subject: random.below(subjects))
        default: return nil
        }
        return Feedback(subscriber: random.below(subscribers), action: action, limit: 1 + random.below(3))
    }

    mutating func subscriber() -> Subscriber {
        let start = 2 + (random.once(in: 3) ? random.below(15) : 0)
        return Subscriber(
            subscribesAt: start,
            disposesAt: random.once(in: 2) ? Program.horizon : start + random.below(40),
            disposesAfter: random.once(in: 5) ? 1 + random.below(4) : nil)
    }

    mutating func events(from start: Int, upTo end: Int) -> [TimedEvent] {
        var tick = start
        var events: [TimedEvent] = []
        for _ in 0..<random.below(8) {
            tick += random.below(7)
            if tick > end { break }
            events.append(TimedEvent(tick, .next(random.below(10))))
        }
        tick += random.below(7)
        switch random.below(4) {
        case 0: break
        case 1: events.append(TimedEvent(tick, .error(1 + random.below(2))))
        default: events.append(TimedEvent(tick, .completed))
        }
        // A hot source continues after its end, for later subscribers.
        if random.once(in: 6) { events.append(TimedEvent(tick + 2, .next(random.below(10)))) }
        return events
    }

    mutating func id() -> Int {
        lastID += 1
        return lastID
    }

    mutating func node(depth: Int) -> Node {
        guard depth > 0 else { return .source(source()) }
        switch random.below(24) {
        case 20...23: return traitNode(depth: depth)
        case 0: return .source(source())
        case 1...10: return .one(oneSource(), node(depth: depth - 1))
        case 11...13: return .two(twoSources(), node(depth: depth - 1), node(depth: shallower(depth)))
        case 14...16:
            let name = manySources()
            let count = name.isFixed ? 2 + random.below(random.once(in: 3) ? 7 : 2) : random.below(4)
            return .many(name, (0..<count).map { _ in node(depth: shallower(depth)) })
        default:
            let choices = (0..<1 + random.below(3)).map { _ in node(depth: shallower(depth)) }
            let throwsAt = random.once(in: 6) ? random.below(10) : nil
            return .each(flattening(), node(depth: depth - 1), Choice(choices, throwsAt: throwsAt))
        }
    }

    mutating func shallower(_ depth: Int) -> Int { random.below(depth) }

    mutating func small() -> Int { random.below(10) }
    mutating func span() -> Int { random.below(9) }
    mutating func rarely() -> Int? { random.once(in: 5) ? small() : nil }

    mutating func source() -> Source {
        if shared > 0, random.once(in: 2) { return .shared(random.below(shared)) }
        if subjects > 0, random.once(in: 4) { return .subject(random.below(subjects)) }
        return plainSource()
    }

    mutating func plainSource() -> Source {
        switch random.below(31) {
        case 0...6: .hot(random.below(hots))
        case 7...9: .cold(id: id(), events(from: 1, upTo: 25))
        case 10: .just(small())
        case 11: .empty
        case 12: .error(1 + random.below(2))
        case 13: .never
        case 14: .optional(random.once(in: 2) ? small() : nil)
        case 15: .of((0..<1 + random.below(3)).map { _ in small() })
        case 16: .from((0..<random.below(4)).map { _ in small() })
        case 17: .range(start: small(), count: random.below(4))
        case 18: .generate(start: small(), limit: small() + 3, step: 1 + random.below(3), throwsAt: rarely())
        case 19: isSharing ? .of([small(), small()]) : .repeatElement(small())
        case 20, 21: .create(id: id(), inside())
        case 22: .timer(span())
        case 23: .ticks(span(), period: 1 + span())
        case 24: .interval(1 + span())
        case 25: .justScheduled(small())
        case 26: .ofScheduled((0..<random.below(4)).map { _ in small() })
        case 27: .fromScheduled((0..<random.below(4)).map { _ in small() })
        case 28: scheduledRun()
        case 29: .repeatScheduled(small())
        default: .ungrammatical(id: id(), inside())
        }
    }

    mutating func scheduledRun() -> Source {
        if random.once(in: 2) { return .rangeScheduled(start: small(), count: random.below(4)) }
        return .generateScheduled(start: small(), limit: small() + 3, step: 1 + random.below(3), throwsAt: rarely())
    }

    mutating func policy() -> OneSource.Policy {
        var policy = OneSource.Policy(
            times: isSharing || random.once(in: 2) ? random.below(4) : nil, span: random.below(4))
        policy.isExponential = random.once(in: 2)
        policy.elementsReset = !isSharing && random.once(in: 3)
        policy.passes = random.once(in: 3) ? 1 + random.below(2) : nil
        return policy
    }

    mutating func distinct() -> OneSource {
        switch random.below(4) {
        case 0: .distinctUntilChanged
        case 1: .distinctByKey(1 + random.below(3), throwsAt: rarely())
        case 2: .distinctByComparer(throwsAt: rarely())
        default: .distinctByKeyAndComparer(2 + random.below(4), throwsAt: rarely())
        }
    }

    mutating func neutral() -> OneSource {
        switch random.below(8) {
        case 6: .terminateDetach
        case 0: .asObservable
        case 1: .checkpoint
        case 2: .tag
        case 3: .identityMap
        case 4: .timestamp
        case 5: .debug
        default: .withUnretained(diesAt: random.once(in: 2) ? small() : nil)
        }
    }

    /// The events that a `create` emits inside `subscribe`: it may continue after its end.
    mutating func inside() -> [ProgramEvent] {
        var events = (0..<random.below(4)).map { _ in ProgramEvent.next(small()) }
        switch random.below(4) {
        case 0: break
        case 1: events.append(.error(1 + random.below(2)))
        default: events.append(.completed)
        }
        if random.once(in: 4) { events += [.next(small()), .completed] }
        return events
    }

    mutating func condition() -> Condition {
        let kind: Condition.Kind =
            switch random.below(6) {
            case 0: .even
            case 1: .odd
            case 2: .less(small())
            case 3: .atLeast(small())
            case 4: .equal(small())
            default: .not(small())
            }
        return Condition(kind: kind, throwsAt: rarely())
    }

    mutating func function() -> Function {
        let kind: Function.Kind =
            switch random.below(3) {
            case 0: .plus(small())
            case 1: .times(small())
            default: .half
            }
        return Function(kind: kind, throwsAt: rarely())
    }

    mutating func oneSource() -> OneSource {
        switch random.below(85) {
        case 77: .mapTo(small())
        case 78: .unwrap(condition())
        case 79: .ofType(condition())
        case 80: .cast(condition())
        case 81: .partition(condition(), random.once(in: 2) ? .matching : .others)
        case 82: .doFinally(id: id())
        case 83: .throttleFirst(span())
        case 84: .timeInterval
        case 66: .nwise(1 + random.below(3))
        case 67: .distinct
        case 68: .switchOnFirst
        case 69: .skipLast(random.below(3))
        case 70: .bufferWhile(condition())
        case 71: .repeatCount(random.below(4))
        case 72, 73: .auditTime(span())
        case 74: .throttleLast(1 + span())
        case 75: .takeLastFor(span())
        case 76: .materializeElements
        case 0: .deferred(throws: random.once(in: 6))
        case 1, 2: .using(id: id(), random.pick([.nothing, .nothing, .nothing, .resource, .observable]))
        case 3: .map(function())
        case 4: .compactMap(condition(), function())
        case 5: .filter(condition())
        case 6: .scan(small(), throwsAt: rarely())
        case 7: .scanInto(small(), throwsAt: rarely())
        case 8: .enumerated
        case 9: .pairwise
        case 10, 11: distinct()
        case 12: .startWith((0..<1 + random.below(2)).map { _ in small() })
        case 13: .materializeDematerialize
        case 14: .materialize
        case 15...18: neutral()
        case 19, 20: .take(random.below(4))
        case 21: .takeWhile(condition(), inclusive: random.once(in: 2))
        case 22: .takeUntilPredicate(condition(), inclusive: random.once(in: 2))
        case 23: .takeLast(random.below(3))
        case 24: .skip(random.below(3))
        case 25: .skipWhile(condition())
        case 26: .elementAt(random.below(3))
        case 27: .first
        case 28: .single
        case 29: .singleWhere(condition())
        case 30: .ifEmptyDefault(small())
        case 31: .ignoreElements
        case 32: .reduce(small(), throwsAt: rarely())
        case 33: .toArray
        case 34: .bufferCount(1 + random.below(3), skip: 1 + random.below(3))
        case 35: .asSingle
        case 36: .asMaybe
        case 37: .asCompletable
        case 38...41: .do(effects())
        case 42: .catchAndReturn(small())
        case 43: .retry(1 + random.below(3))
        case 44: isSharing ? .retry(2) : .retryForever
        case 45: .debounce(span())
        case 46: .throttle(span(), latest: true)
        case 47: .throttle(span(), latest: false)
        case 48: .delay(span())
        case 49: .delaySubscription(span())
        case 50: .timeout(span())
        case 51: .takeFor(span())
        case 52: .skipFor(span())
        case 53: .bufferTime(1 + span(), count: 1 + random.below(3))
        case 54, 55: .window(1 + span(), count: 1 + random.below(3), windowFlattening())
        case 56, 57: .groupBy(1 + random.below(3), windowFlattening(), throwsAt: rarely())
        case 58: .observeOn
        case 59: .subscribeOn
        case 60: .retry(2)
        case 61, 62: .retryPolicy(policy())
        case 63: .multicastSelector(random.pick([.itself, .mergedTwice, .zippedWithRest, .firstElement, .throws]))
        case 64: .reduceMapResult(small(), throws: random.once(in: 5))
        default: .catchAndReturn(small())
        }
    }

    mutating func windowFlattening() -> OneSource.WindowFlattening {
        random.pick([.merge, .concat, .switchLatest, .count])
    }

    mutating func effects() -> SideEffects {
        let all = random.once(in: 2)
        var closures: Set<SideEffects.Callback> = []
        for callback in SideEffects.Callback.allCases where all || random.once(in: 3) { closures.insert(callback) }
        return SideEffects(id: id(), closures: closures, throwsAt: rarely(), throwsAtEnd: random.once(in: 8))
    }

    mutating func twoSources() -> TwoSources {
        switch random.below(22) {
        case 21: .sequenceEqual
        case 13: .zipLongest
        case 14: .pausable
        case 15:
            .pausableBuffered(
                limit: 1 + random.below(3), random.pick([.dropOldest, .dropNewest, .latest, .error]))
        case 16: .bufferUntil
        case 17, 18: .windowUntil(windowFlattening())
        case 19: random.once(in: 2) ? .mergeDelayError : .concatDelayError
        case 20: isSharing ? .concat : .repeatWhen(flatMap: random.once(in: 2))
        case 0: .takeUntil
        case 1: .skipUntil
        case 2: .sample(default: rarely())
        case 3: random.once(in: 3) ? .withLatestFromThrowing(small()) : .withLatestFrom
        case 4: .amb
        case 5: .concat
        case 6: .ifEmptySwitch
        case 7: .timeoutOther(span())
        case 8: .catchHandler(throws: random.once(in: 5))
        case 9: isSharing ? .catchHandler(throws: false) : .retryWhen(flatMap: true)
        case 10: isSharing ? .takeUntil : .retryWhen(flatMap: false)
        case 11: isSharing ? .concat : .retryWhenTyped
        default: .andThen
        }
    }

    mutating func manySources() -> ManySources {
        if random.once(in: 4) {
            let value = small()
            return random.pick([
                .combineLatestThrowing(value), .combineLatestCollectionThrowing(value), .zipThrowing(value),
                .zipCollectionThrowing(value),
            ])
        }
        return random.pick([
            .combineLatest, .combineLatestCollection, .zip, .zipCollection, .merge, .concat, .amb, .catchSequence,
            .zipLongestCollection, .combineLatestDelayError, .concatEager,
        ])
    }

    mutating func flattening() -> Flattening {
        switch random.below(10) {
        case 8, 9: .concatMapEager(random.pick([1, 2, 3, .max]))
        case 0: .flatMap
        case 1: .flatMapFirst
        case 2: .flatMapLatest
        case 3: .concatMap
        case 4: .mapMerge
        case 5:
            random.pick([.mapMergeLimited(1 + random.below(2)), .flatMapLimited(1 + random.below(2)), .expandTwice])
        case 6: .mapConcat
        default: .mapSwitchLatest
        }
    }
}

extension ManySources {
    /// Whether it needs at least two sources.
    var isFixed: Bool {
        switch self {
        case .combineLatest, .combineLatestThrowing, .zip, .zipThrowing: true
        case .via(_, let name): name.isFixed
        default: false
        }
    }
}

extension Generator {
    /// The names of all operators and sources that programs are made of.
    package static let names =
        [
            "auditTime", "bufferUntil", "bufferWhile", "combineLatestDelayError", "concatDelayError", "concatEager",
            "cast", "doFinally", "mapTo", "ofType", "partition", "sequenceEqual", "throttleFirst", "timeInterval",
            "unwrap",
            "concatMapEager", "distinct", "materializeElements", "mergeDelayError", "nwise", "pausable",
            "pausableBuffered", "repeatCount", "repeatWhen", "skipLast", "switchOnFirst", "takeLastFor",
            "terminateDetach", "throttleLast", "windowUntil", "zipLongest", "zipLongestCollection",
            "amb", "andThen", "asCompletable", "asMaybe", "asObservable", "asSingle", "bufferCount", "bufferTime",
            "catchAndReturn", "catchHandler", "catchSequence", "checkpoint", "cold", "combineLatest2", "combineLatest3",
            "combineLatest4", "combineLatest5", "combineLatest6", "combineLatest7", "combineLatest8",
            "combineLatestCollection", "combineLatestCollectionThrowing", "combineLatestThrowing2",
            "combineLatestThrowing3", "combineLatestThrowing4", "combineLatestThrowing5", "combineLatestThrowing6",
            "combineLatestThrowing7", "combineLatestThrowing8", "compactMap", "completable.andThen.completable",
            "completable.andThen.maybe", "completable.andThen.single", "completable.catchHandler", "completable.concat",
            "completable.debug", "completable.deferred", "completable.delay", "completable.delaySubscription",
            "completable.do", "completable.merge", "completable.observeOn", "completable.retry",
            "completable.retryWhen",
            "completable.subscribeOn", "completable.timeout", "completable.timeoutOther", "completable.using", "concat",
            "concatMap", "create", "debounce", "debug", "deferred", "delay", "delaySubscription", "distinctByComparer",
            "distinctByKey", "distinctByKeyAndComparer", "distinctUntilChanged", "do", "elementAt", "empty",
            "enumerated",
            "error", "filter", "first", "flatMap", "flatMapFirst", "flatMapLatest", "from", "fromScheduled", "generate",
            "generateScheduled", "groupBy", "hot", "identityMap", "ifEmptyDefault", "ifEmptySwitch", "ignoreElements",
            "infallible.combineLatest2", "infallible.combineLatest3", "infallible.combineLatest4",
            "infallible.combineLatest5", "infallible.combineLatest6", "infallible.combineLatest7",
            "infallible.combineLatest8", "infallible.combineLatestCollection", "infallible.compactMap",
            "infallible.concat",
            "infallible.auditTime", "infallible.concatMap", "infallible.concatMapEager", "infallible.debounce",
            "infallible.debug", "infallible.distinctByComparer",
            "infallible.distinctByKey", "infallible.distinctByKeyAndComparer", "infallible.distinctUntilChanged",
            "infallible.do", "infallible.filter", "infallible.flatMap", "infallible.flatMapFirst",
            "infallible.flatMapLatest", "infallible.map", "infallible.merge", "infallible.scan", "infallible.scanInto",
            "infallible.skip", "infallible.skipUntil", "infallible.skipWhile", "infallible.startWith",
            "infallible.take",
            "infallible.takeFor", "infallible.takeUntil", "infallible.takeUntilPredicate", "infallible.takeWhile",
            "infallible.throttle", "infallible.withLatestFrom", "infallible.withLatestFromThrowing", "infallible.zip2",
            "infallible.zip3", "infallible.zip4", "infallible.zip5", "infallible.zip6", "infallible.zip7",
            "infallible.zip8", "infallible.zipCollection", "infallible.fallback", "infallible.recover", "interval",
            "just",
            "justScheduled", "expandTwice", "flatMapLimited", "map", "mapConcat", "mapMerge", "mapMergeLimited",
            "mapSwitchLatest", "materialize",
            "materializeDematerialize", "maybe.catchAndReturn", "maybe.catchHandler", "maybe.compactMap", "maybe.debug",
            "maybe.deferred", "maybe.delay", "maybe.delaySubscription", "maybe.do", "maybe.filter",
            "maybe.flatMap.maybe",
            "maybe.ifEmptyDefault", "maybe.ifEmptySwitch", "maybe.ifEmptySwitchSingle", "maybe.map", "maybe.observeOn",
            "maybe.retry", "maybe.retryWhen", "maybe.subscribeOn", "maybe.timeout", "maybe.timeoutOther", "maybe.using",
            "maybe.zip2", "maybe.zip3", "maybe.zip4", "maybe.zip5", "maybe.zip6", "maybe.zip7", "maybe.zip8", "merge",
            "multicastSelector", "never", "observeOn", "of", "ofScheduled", "optional", "pairwise", "range",
            "rangeScheduled", "reduce", "reduceMapResult", "repeatElement", "repeatScheduled", "retry", "retryForever",
            "retryPolicy", "retryWhen", "retryWhenTyped", "sample", "scan", "scanInto", "single",
            "single.asCompletable",
            "single.asMaybe", "single.catchAndReturn", "single.catchHandler", "single.compactMap", "single.debug",
            "single.deferred", "single.delay", "single.delaySubscription", "single.do", "single.filter",
            "single.flatMap.completable", "single.flatMap.maybe", "single.flatMap.single", "single.map",
            "single.observeOn",
            "single.retry", "single.retryWhen", "single.subscribeOn", "single.timeout", "single.timeoutOther",
            "single.using", "single.zip2", "single.zip3", "single.zip4", "single.zip5", "single.zip6", "single.zip7",
            "single.zip8", "single.zipCollection", "singleWhere", "skip", "skipFor", "skipUntil", "skipWhile",
            "startWith",
            "subscribeOn", "tag", "take", "takeFor", "takeLast", "takeUntil", "takeUntilPredicate", "takeWhile",
            "throttle",
            "ticks", "timeout", "timeoutOther", "timer", "timestamp", "toArray", "ungrammatical", "using", "window",
            "withLatestFrom", "withLatestFromThrowing", "withUnretained", "zip2", "zip3", "zip4", "zip5", "zip6",
            "zip7",
            "zip8", "zipCollection", "zipCollectionThrowing", "zipThrowing2", "zipThrowing3", "zipThrowing4",
            "zipThrowing5", "zipThrowing6", "zipThrowing7", "zipThrowing8",
        ] + Trait.shared.flatMap { trait in sharedNames.map { "\(trait).\($0)" } }

    /// The names of the operators and sources of a `Driver` and a `Signal`.
    private static let sharedNames = [
        "asObservable", "auditTime", "combineLatest2", "combineLatest3", "combineLatestCollection",
        "combineLatestCollectionThrowing", "combineLatestThrowing2", "combineLatestThrowing3", "compactMap", "concat",
        "debounce", "debug", "deferred", "delay", "distinctByComparer", "distinctByKey", "distinctByKeyAndComparer",
        "distinctUntilChanged", "do", "empty", "fallback", "filter", "flatMap", "flatMapFirst", "flatMapLatest", "from",
        "interval", "just", "map", "mapMerge", "mapMergeLimited", "mapSwitchLatest", "merge", "never", "of", "optional",
        "recover", "scan", "skip", "startWith", "throttle", "ticks", "withLatestFrom", "zip2", "zip3", "zipCollection",
        "zipCollectionThrowing", "zipThrowing2", "zipThrowing3",
    ]
}
