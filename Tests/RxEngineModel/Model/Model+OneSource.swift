extension Model {
    func one(_ name: OneSource, _ source: ModelSequence) -> ModelSequence {
        switch name {
        case .deferred(let fails): fails ? failing(70) : source.viaTrampoline
        case .using(let id, let fails): using(id, fails, source)
        case .doFinally(let id): watch(SideEffects(id: id, closures: [.onDispose]), source)
        // One subscriber shares it with nobody.
        case .partition(let condition, let part):
            share(elementwise(.filter(part == .matching ? condition : condition.opposite), source)).viaTrampoline
        case .map, .mapTo, .unwrap, .ofType, .cast, .compactMap, .filter, .scan, .scanInto, .enumerated, .pairwise,
            .nwise, .distinctUntilChanged,
            .distinct, .switchOnFirst, .materializeElements, .terminateDetach, .distinctByKey, .distinctByComparer,
            .distinctByKeyAndComparer, .withUnretained, .timestamp, .debug,
            .materializeDematerialize, .materialize, .asObservable, .checkpoint, .tag, .identityMap:
            elementwise(name, source)
                .scalar(source.isScalar && name.keepsScalars)
        case .startWith(let values): startWith(values, source)
        case .take, .takeWhile, .takeUntilPredicate, .takeLast, .skip, .skipLast, .skipWhile, .elementAt, .first,
            .single,
            .singleWhere, .ifEmptyDefault, .ignoreElements:
            part(name, source)
        case .reduce, .reduceMapResult, .toArray, .bufferCount, .bufferWhile, .asSingle, .asMaybe, .asCompletable:
            whole(name, source)
        case .do(let effects): watch(effects, source)
        case .catchAndReturn(let value):
            source.react {
                { event, output in
                    guard case .error = event else { return output.emit(event) }
                    output.next(value)
                    output.completed()
                }
            }
        case .retry(let attempts): retry(source, attempts: attempts)
        case .retryForever: retry(source, attempts: nil)
        case .repeatCount(let count): repeated(source, count)
        case .retryPolicy(let policy): retry(source, policy)
        case .multicastSelector(let selector): multicast(source, selector)
        default: timed(name, source)
        }
    }

    private func elementwise(_ name: OneSource, _ source: ModelSequence) -> ModelSequence {
        source.react {
            var previous: Int?
            var kept: [Int] = []
            var sum =
                switch name {
                case .scan(let seed, _), .scanInto(let seed, _): seed
                default: 0
                }
            var index = 0
            return { event, output in
                guard case .next(let value) = event else {
                    if case .materializeElements = name { return output.completed() }
                    guard case .materialize = name else { return output.emit(event) }
                    if case .error(let number) = event { output.next(500 + number) } else { output.next(-1) }
                    return output.completed()
                }
                switch name {
                case .map(let function): output.next(try function(value))
                case .compactMap(let condition, let function):
                    if try condition(value) { output.next(try function(value)) }
                case .filter(let condition), .unwrap(let condition), .ofType(let condition):
                    if try condition(value) { output.next(value) }
                case .mapTo(let value): output.next(value)
                case .cast(let condition):
                    if try !condition(value) { throw Failure(Failure.cast) }
                    output.next(value)
                case .scan(_, let throwsAt), .scanInto(_, let throwsAt):
                    try Self.check(value, throwsAt)
                    sum = (sum + value) % 1000
                    output.next(sum)
                case .enumerated:
                    output.next((index * 100 + value) % 1000)
                    index += 1
                case .pairwise:
                    if let previous { output.next((previous * 10 + value) % 1000) }
                    previous = value
                case .nwise(let count):
                    kept = (kept + [value]).suffix(count)
                    if kept.count == count { output.next(Self.digest(kept)) }
                case .distinct:
                    if kept.contains(value) { return }
                    kept.append(value)
                    output.next(value)
                case .switchOnFirst:
                    let first = previous ?? value
                    previous = first
                    output.next((first + value) % 1000)
                case .distinctUntilChanged:
                    if previous != value { output.next(value) }
                    previous = value
                case .distinctByComparer(let throwsAt):
                    if let previous, try Self.areClose(previous, value, throwsAt) { return }
                    previous = value
                    output.next(value)
                case .distinctByKeyAndComparer(let modulus, let throwsAt):
                    try Self.check(value, throwsAt)
                    if let previous, try Self.areClose(previous, value % modulus, nil) { return }
                    previous = value % modulus
                    output.next(value)
                case .withUnretained(let diesAt):
                    if previous == -1 { return output.completed() }
                    if value == diesAt { previous = -1 }
                    output.next(value)
                case .distinctByKey(let modulus, let throwsAt):
                    try Self.check(value, throwsAt)
                    let key = value % modulus
                    if previous != key { output.next(value) }
                    previous = key
                default: output.next(value)
                }
            }
        }
    }

    private func startWith(_ values: [Int], _ source: ModelSequence) -> ModelSequence {
        ModelSequence { start in
            let first = values.enumerated().map { Occurrence(at: start.step($0.offset), event: .next($0.element)) }
            let rest = source.run(start.step(values.count))
            return Run(start: start, events: first + rest.events, record: rest.end)
        }
    }

    private func part(_ name: OneSource, _ source: ModelSequence) -> ModelSequence {
        if case .take(0) = name {
            return ModelSequence(isDirect: true) { start in
                Run(start: start, events: [Occurrence(at: start.step(0), event: .completed)]) { _, _ in }
            }
        }
        return source.react {
            var kept: [Int] = []
            var count = 0
            var isOpen = false
            return { event, output in
                switch (name, event) {
                case (.take(let limit), .next(let value)):
                    count += 1
                    output.next(value)
                    if count == limit { output.completed() }
                case (.takeWhile(let condition, let inclusive), .next(let value)):
                    let goesOn = try condition(value)
                    if goesOn || inclusive { output.next(value) }
                    if !goesOn { output.completed() }
                case (.takeUntilPredicate(let condition, let inclusive), .next(let value)):
                    let ends = try condition(value)
                    if !ends || inclusive { output.next(value) }
                    if ends { output.completed() }
                case (.takeLast(let limit), .next(let value)): kept = (kept + [value]).suffix(limit)
                case (.takeLast, .completed):
                    kept.forEach { output.next($0) }
                    output.completed()
                case (.skip(let number), .next(let value)):
                    count += 1
                    if count > number { output.next(value) }
                case (.skipLast(let number), .next(let value)):
                    kept.append(value)
                    if kept.count > number { output.next(kept.removeFirst()) }
                case (.skipWhile(let condition), .next(let value)):
                    if !isOpen { isOpen = try !condition(value) }
                    if isOpen { output.next(value) }
                case (.elementAt(let index), .next(let value)):
                    count += 1
                    guard count == index + 1 else { return }
                    output.next(value)
                    output.completed()
                case (.elementAt, .completed): output.error(Failure.argumentOutOfRange)
                case (.first, .next(let value)):
                    output.next(value)
                    output.completed()
                case (.first, .completed):
                    output.next(-1)
                    output.completed()
                case (.single, .next(let value)): Self.single(value, &count, &output)
                case (.singleWhere(let condition), .next(let value)):
                    if try condition(value) { Self.single(value, &count, &output) }
                case (.single, .completed), (.singleWhere, .completed):
                    if count == 0 { output.error(Failure.noElements) } else { output.completed() }
                case (.ifEmptyDefault, .next(let value)):
                    count += 1
                    output.next(value)
                case (.ifEmptyDefault(let value), .completed):
                    if count == 0 { output.next(value) }
                    output.completed()
                case (.ignoreElements, .next): break
                default: output.emit(event)
                }
            }
        }
    }

    private static func single(_ value: Int, _ count: inout Int, _ output: inout Output) {
        count += 1
        if count == 1 { output.next(value) } else { output.error(Failure.moreThanOneElement) }
    }

    private func whole(_ name: OneSource, _ source: ModelSequence) -> ModelSequence {
        source.react {
            var kept: [Int] = []
            var gap = 0
            return { event, output in
                switch (name, event) {
                case (.bufferCount(let count, let skip), .next(let value)):
                    if gap > 0 { return gap -= 1 }
                    kept.append(value)
                    guard kept.count == count else { return }
                    let full = kept
                    kept = Array(kept.dropFirst(skip))
                    gap = max(0, skip - count)
                    output.next(Self.digest(full))
                case (.bufferCount(_, let skip), .completed):
                    while !kept.isEmpty {
                        output.next(Self.digest(kept))
                        kept = Array(kept.dropFirst(skip))
                    }
                    output.completed()
                case (.bufferWhile(let condition), .next(let value)):
                    if try condition(value) { return kept.append(value) }
                    if !kept.isEmpty { output.next(Self.digest(kept)) }
                    kept = []
                case (.bufferWhile, .completed):
                    if !kept.isEmpty { output.next(Self.digest(kept)) }
                    output.completed()
                case (.asSingle, .next(let value)), (.asMaybe, .next(let value)):
                    kept.append(value)
                    if kept.count > 1 { output.error(Failure.moreThanOneElement) }
                case (.asSingle, .completed) where kept.isEmpty: output.error(Failure.noElements)
                case (.asSingle, .completed), (.asMaybe, .completed):
                    kept.forEach { output.next($0) }
                    output.completed()
                case (.reduce(_, let throwsAt), .next(let value)):
                    try Self.check(value, throwsAt)
                    kept.append(value)
                case (_, .next(let value)): kept.append(value)
                case (.reduceMapResult(let seed, let fails), .completed):
                    if fails { throw Failure(79) }
                    output.next(kept.reduce(seed) { ($0 + $1) % 1000 } / 2)
                    output.completed()
                case (.reduce(let seed, _), .completed):
                    output.next(kept.reduce(seed) { ($0 + $1) % 1000 })
                    output.completed()
                case (.toArray, .completed):
                    output.next(Self.digest(kept))
                    output.completed()
                default: output.emit(event)
                }
            }
        }
    }

    /// Throws at this element.
    package static func check(_ value: Int, _ throwsAt: Int?) throws {
        if value == throwsAt { throw Failure(78) }
    }

    package static func areClose(_ first: Int, _ second: Int, _ throwsAt: Int?) throws -> Bool {
        try check(second, throwsAt)
        return abs(first - second) < 2
    }

    /// One integer that represents several, and may cause a throw.
    package static func digest(_ values: [Int], throwsAt: Int?) throws -> Int {
        if let throwsAt, values.contains(throwsAt) { throw Failure(78) }
        return digest(values)
    }

    /// One integer that represents several.
    package static func digest(_ values: [Int]) -> Int { values.reduce(values.count) { ($0 * 7 + $1) % 1000 } }
}

extension OneSource {
    /// Whether the engine makes a scalar sequence of a scalar one.
    fileprivate var keepsScalars: Bool {
        switch self {
        case .map, .filter, .identityMap: true
        default: false
        }
    }
}

extension ModelSequence {
    /// The same; if `isScalar`, one that emits inside `subscribe` without the trampoline.
    func scalar(_ isScalar: Bool = true) -> ModelSequence {
        var sequence = self
        sequence.isScalar = isScalar
        sequence.isDirect = sequence.isDirect || isScalar
        return sequence
    }
}
