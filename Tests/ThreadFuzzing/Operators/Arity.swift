import RxEngine

typealias Sources = [Observable<Tagged>]

/// The overloads of `combineLatest` and `zip` for a fixed number of sources, each with the element of one of them.
enum Arity {
    /// - Parameter sources: from 2 to 8 of them.
    static func combineLatest(_ s: Sources, choosing index: Int) -> Observable<Tagged> {
        switch s.count {
        case 2: return .combineLatest(s[0], s[1]) { chosen(index, $0, $1) }
        case 3: return .combineLatest(s[0], s[1], s[2]) { chosen(index, $0, $1, $2) }
        case 4: return .combineLatest(s[0], s[1], s[2], s[3]) { chosen(index, $0, $1, $2, $3) }
        case 5: return .combineLatest(s[0], s[1], s[2], s[3], s[4]) { chosen(index, $0, $1, $2, $3, $4) }
        case 6: return .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]) { chosen(index, $0, $1, $2, $3, $4, $5) }
        case 7:
            return .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) {
                chosen(index, $0, $1, $2, $3, $4, $5, $6)
            }
        default:
            return .combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
                chosen(index, $0, $1, $2, $3, $4, $5, $6, $7)
            }
        }
    }

    /// - Parameter sources: from 2 to 8 of them.
    static func zip(_ s: Sources, choosing index: Int) -> Observable<Tagged> {
        switch s.count {
        case 2: return .zip(s[0], s[1]) { chosen(index, $0, $1) }
        case 3: return .zip(s[0], s[1], s[2]) { chosen(index, $0, $1, $2) }
        case 4: return .zip(s[0], s[1], s[2], s[3]) { chosen(index, $0, $1, $2, $3) }
        case 5: return .zip(s[0], s[1], s[2], s[3], s[4]) { chosen(index, $0, $1, $2, $3, $4) }
        case 6: return .zip(s[0], s[1], s[2], s[3], s[4], s[5]) { chosen(index, $0, $1, $2, $3, $4, $5) }
        case 7:
            return .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { chosen(index, $0, $1, $2, $3, $4, $5, $6) }
        default:
            return .zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
                chosen(index, $0, $1, $2, $3, $4, $5, $6, $7)
            }
        }
    }

    private static func chosen(_ index: Int, _ elements: Tagged...) -> Tagged { elements[index] }
}
