import RxEngine

/// The operators with several sources that programs are made of.
enum JoinTable {
    static func draw(_ draft: inout Draft, _ count: Int) -> Join {
        let recipes = count == 2 ? ofMany + ofTwo : ofMany
        return recipes[draft.random.below(recipes.count)](&draft, count)
    }

    private typealias Recipe = @Sendable (inout Draft, Int) -> Join
    private typealias Sources = [Observable<Tagged>]

    /// One of the sources' elements, whichever of them emits.
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
        Join(name: "merge", text: "merge", least: 1, guarantees: Guarantees.all(of:)) { sources, _ in .merge(sources) }
    }

    private static let ofMany: [Recipe] = [
        merge, merge,
        { draft, count in
            let limit = draft.random.within(1...count)
            return Join(
                name: "merge(maxConcurrent:)", text: "merge(maxConcurrent: \(limit), of: ", least: 1,
                guarantees: {
                    var result = Guarantees.all(of: $0)
                    if limit < $0.count { result.startsLate() }
                    return result
                }
            ) { sources, _ in Observable.from(sources).merge(maxConcurrent: limit) }
        },
        { _, _ in
            Join(
                name: "concat", text: "concat", least: 1,
                guarantees: {
                    var result = Guarantees.all(of: $0)
                    if $0.dropFirst().contains(where: { $0.isHot }) { result.isComplete = false }
                    return result
                }
            ) { sources, _ in .concat(sources) }
        },
        { draft, count in
            let index = draft.random.below(count)
            return Join(
                name: "combineLatest", text: "combineLatest(choosing: \(index), of: ", least: 2,
                guarantees: {
                    var result = chosen($0, index)
                    result.isUnique = false
                    return result
                }
            ) { sources, _ in
                let index = min(index, sources.count - 1)
                switch sources.count {
                case 2: return .combineLatest(sources[0], sources[1]) { [$0, $1][index] }
                case 3: return .combineLatest(sources[0], sources[1], sources[2]) { [$0, $1, $2][index] }
                default: return .combineLatest(sources) { $0[index] }
                }
            }
        },
        { draft, count in
            let index = draft.random.below(count)
            return Join(
                name: "zip", text: "zip(choosing: \(index), of: ", least: 2, guarantees: { chosen($0, index) }
            ) { sources, _ in
                let index = min(index, sources.count - 1)
                switch sources.count {
                case 2: return .zip(sources[0], sources[1]) { [$0, $1][index] }
                case 3: return .zip(sources[0], sources[1], sources[2]) { [$0, $1, $2][index] }
                default: return .zip(sources) { $0[index] }
                }
            }
        },
        { _, _ in
            Join(
                name: "amb", text: "amb", least: 1,
                guarantees: {
                    var result = Guarantees.all(of: $0)
                    result.mayCut()
                    return result
                }
            ) { sources, _ in .amb(sources) }
        },
    ]

    /// The first source, as far as the second lets its elements pass.
    private static func first(
        _ name: String, mayDrop: Bool = false, ends: Bool = true,
        _ apply: @escaping @Sendable (Observable<Tagged>, Observable<Tagged>) -> Observable<Tagged>
    ) -> Recipe {
        { _, _ in
            Join(
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
        { _, _ in
            Join(
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
            Join(
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
