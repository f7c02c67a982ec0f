/// Which positions of an old sequence and of a new one have the same identity.
///
/// First all old identities are added, then all new ones.
struct IdentityTable<ID: Hashable> {
    /// By old position, the new one.
    private(set) var newPositions: [Int?] = []
    /// By new position, the old one.
    private(set) var oldPositions: [Int?] = []
    private var knownOld: [ID: Int] = [:]
    private var knownOnlyNew: [ID: Int] = [:]

    init(oldCount: Int, newCount: Int) {
        newPositions.reserveCapacity(oldCount)
        oldPositions.reserveCapacity(newCount)
        knownOld.reserveCapacity(oldCount)
    }

    /// Adds the identity at the next old position, or returns the position that already has it.
    mutating func addOld(_ id: ID) -> Int? {
        if let earlier = knownOld.updateValue(newPositions.count, forKey: id) { return earlier }
        newPositions.append(nil)
        return nil
    }

    /// Adds the identity at the next new position, or returns the position that already has it.
    mutating func addNew(_ id: ID) -> Int? {
        let position = oldPositions.count
        if let old = knownOld[id] {
            if let earlier = newPositions[old] { return earlier }
            newPositions[old] = position
            oldPositions.append(old)
        } else {
            if let earlier = knownOnlyNew.updateValue(position, forKey: id) { return earlier }
            oldPositions.append(nil)
        }
        return nil
    }
}
