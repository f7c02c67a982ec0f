import RxEngine

/// The operators with several sources that programs are made of.
enum CombiningTable {
    static func draw(_ state: inout GeneratorState, _ count: Int) -> CombiningStep {
        let recipes = count == 2 ? ofMany + ofTwo : ofMany + byArity + byArity
        return recipes[state.random.below(recipes.count)](&state, count)
    }

    private typealias Recipe = @Sendable (inout GeneratorState, Int) -> CombiningStep

    /// An element of one of the sources, whichever of them emits.
    private static func chosen(_ parts: [Guarantees], _ index: Int) -> Guarantees {
        let all = Guarantees.all(of: parts)
        var result = parts[min(index, parts.count - 1)]
        (result.isHot, result.isCold, result.remembers) = (all.isHot, all.isCold, all.remembers)
        result.ends = all.ends
        result.size = all.size
        result.mayCut()
        return result
    }

    private static let merge: Recipe = { _, _ in
        CombiningStep(name: "merge", text: "merge", least: 1, guarantees: Guarantees.all(of:)) { sources, _ in
            .merge(sources)
        }
    }

    /// The operators with an overload for each number of sources.
    private static let byArity: [Recipe] = [
        { state, count in
            let (index, isCollection) = (state.random.below(count), state.random.chance(30))
            return CombiningStep(
                name: isCollection ? "combineLatest" : "combineLatest\(count)",
                text: "combineLatest(\(isCollection ? "collection, " : "")choosing: \(index), of: ", least: 2,
                guarantees: {
                    var result = chosen($0, index)
                    result.isUnique = false
                    return result
                }
            ) { sources, _ in
                let index = min(index, sources.count - 1)
                if isCollection { return .combineLatest(sources) { $0[index] } }
                return Arity.combineLatest(sources, choosing: index)
            }
        },
        { state, count in
            let (index, isCollection) = (state.random.below(count), state.random.chance(30))
            return CombiningStep(
                name: isCollection ? "zip" : "zip\(count)",
                text: "zip(\(isCollection ? "collection, " : "")choosing: \(index), of: ", least: 2,
                guarantees: { chosen($0, index) }
            ) { sources, _ in
                let index = min(index, sources.count - 1)
                if isCollection { return .zip(sources) { $0[index] } }
                return Arity.zip(sources, choosing: index)
            }
        },
    ]

    private static let ofMany: [Recipe] =
        byArity + [
            merge, merge,
            { _, _ in
                CombiningStep(
                    name: "serialized", text: "unserialized merge with .serialized(), of: ", least: 1,
                    guarantees: Guarantees.all(of:)
                ) { sources, _ in unserializedMerge(sources).serialized() }
            },
            { state, count in
                let limit = state.random.within(1...count)
                return CombiningStep(
                    name: "merge(maxConcurrent:)", text: "merge(maxConcurrent: \(limit), of: ", least: 1,
                    guarantees: {
                        var result = Guarantees.all(of: $0)
                        if limit < $0.count { result.startsLate() }
                        return result
                    }
                ) { sources, _ in Observable.from(sources).merge(maxConcurrent: limit) }
            },
            { _, _ in
                CombiningStep(
                    name: "concatEager", text: "concatEager", least: 1, guarantees: Guarantees.all(of:)
                ) { sources, _ in .concatEager(sources) }
            },
            { state, count in
                let index = state.random.below(count)
                return CombiningStep(
                    name: "zip(longest:)", text: "zip(longest: choosing: \(index), of: ", least: 2,
                    guarantees: { chosen($0, index) }
                ) { sources, _ in
                    let index = min(index, sources.count - 1)
                    return Observable.zip(longest: sources) { $0[index] }.compactMap { $0 }
                }
            },
            { state, count in
                let index = state.random.below(count)
                return CombiningStep(
                    name: "combineLatestDelayError", text: "combineLatestDelayError(choosing: \(index), of: ", least: 2,
                    guarantees: {
                        var result = chosen($0, index)
                        result.isUnique = false
                        return result
                    }
                ) { sources, _ in
                    let index = min(index, sources.count - 1)
                    return .combineLatestDelayError(sources) { $0[index] }
                }
            },
            { _, _ in
                CombiningStep(
                    name: "concat", text: "concat", least: 1,
                    guarantees: {
                        var result = Guarantees.all(of: $0)
                        if $0.dropFirst().contains(where: { $0.isHot }) { result.isComplete = false }
                        return result
                    }
                ) { sources, _ in .concat(sources) }
            },
            { state, _ in
                let rest = state.random.below(7)
                return CombiningStep(
                    name: "catch(sequence:)", text: "catch(sequence: each\(OperatorTable.failingText(rest)) of ",
                    least: 1,
                    guarantees: {
                        var result = Guarantees.all(of: $0)
                        result.mayCut()
                        return result
                    }
                ) { sources, _ in .catch(sequence: sources.lazy.map { OperatorTable.failing($0, rest) }) }
            },
            { _, _ in
                CombiningStep(
                    name: "amb", text: "amb", least: 1,
                    guarantees: {
                        var result = Guarantees.all(of: $0)
                        result.mayCut()
                        return result
                    }
                ) { sources, _ in .amb(sources) }
            },
        ]

    /// The elements of all sources, which break the grammar: each source calls the observer on its own thread, and does
    /// not wait for the others.
    private static func unserializedMerge(_ sources: [Observable<Tagged>]) -> Observable<Tagged> {
        .create { observer in
            let running = Locked(sources.count)
            let subscriptions = sources.map { source in
                source.subscribe(
                    onNext: { observer.onNext($0) }, onError: { observer.onError($0) },
                    onCompleted: {
                        let isLast = running.withLock {
                            $0 -= 1
                            return $0 == 0
                        }
                        if isLast { observer.onCompleted() }
                    })
            }
            return Disposables.create(subscriptions)
        }
    }

    /// The first source, as far as the second lets its elements pass.
    private static func first(
        _ name: String, mayDrop: Bool = false, ends: Bool = true,
        _ apply: @escaping @Sendable (Observable<Tagged>, Observable<Tagged>) -> Observable<Tagged>
    ) -> Recipe {
        { _, _ in
            CombiningStep(
                name: name, text: name, least: 2,
                guarantees: {
                    var result = chosen($0, 0)
                    result.ends = ends && $0[0].ends
                    if mayDrop { result.mayDrop() }
                    return result
                }
            ) { sources, _ in apply(sources[0], sources[1]) }
        }
    }

    private static let ofTwo: [Recipe] = [
        first("withLatestFrom") { $0.withLatestFrom($1) { first, _ in first } },
        first("sample", mayDrop: true, ends: false) { $0.sample($1) },
        first("takeUntil") { $0.take(until: $1) },
        first("skipUntil", ends: false) { $0.skip(until: $1) },
        first("bufferUntil") { $0.buffer(until: $1).concatMap { Observable.from($0) } },
        first("windowUntil") { $0.window(until: $1).merge() },
        first("pausable", mayDrop: true) { $0.pausable($1.map { $0.number % 2 == 0 }) },
        { state, _ in
            let (limit, rule) = (state.random.within(1...20), state.random.pick(OverflowRule.allCases))
            return CombiningStep(
                name: "pausableBuffered",
                text: "pausableBuffered(where number % 2 == 0, limit: \(limit), overflow: .\(rule))",
                least: 2,
                guarantees: {
                    var result = chosen($0, 0)
                    result.ends = false
                    result.mayDrop()
                    return result
                }
            ) { sources, _ in
                sources[0].pausableBuffered(sources[1].map { $0.number % 2 == 0 }, limit: limit, overflow: rule)
            }
        },
        { _, _ in
            CombiningStep(
                name: "sequenceEqual", text: "sequenceEqual", least: 2,
                guarantees: {
                    var result = Guarantees.all(of: $0)
                    result.mayDrop()
                    result.streams = nil
                    return result
                }
            ) { sources, _ in sources[0].sequenceEqual(sources[1]).asObservable().compactMap { _ in nil } }
        },
        { _, _ in
            CombiningStep(
                name: "mergeDelayError", text: "mergeDelayError", least: 2, guarantees: Guarantees.all(of:)
            ) { sources, _ in .mergeDelayError(sources[0], sources[1]) }
        },
        { _, _ in
            CombiningStep(
                name: "withLatestFrom", text: "withLatestFrom(choosing: 1)", least: 2,
                guarantees: {
                    var result = chosen($0, 1)
                    result.ends = $0[0].ends
                    result.isUnique = false
                    result.mayDrop()
                    return result
                }
            ) { sources, _ in sources[0].withLatestFrom(sources[1]) }
        },
        { _, _ in
            CombiningStep(
                name: "ifEmpty(switchTo:)", text: "ifEmpty(switchTo:)", least: 2,
                guarantees: {
                    var result = Guarantees.all(of: $0)
                    result.mayCut()
                    return result
                }
            ) { sources, _ in sources[0].ifEmpty(switchTo: sources[1]) }
        },
    ]
}
