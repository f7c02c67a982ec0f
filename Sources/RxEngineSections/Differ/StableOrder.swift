/// Chooses the elements of a permutation that keep their places while the others move around them.
///
/// The least number of moves leaves a longest increasing subsequence in place, which takes O(*n* log *n*) to find. This
/// takes linear time instead and moves at most twice as many: the first pass walks both orders in step, and where they
/// differ, it takes out both elements. The two are in opposite orders, so one of them has to move in any case, and no
/// element is taken out twice. The second pass puts back those that fit after all.
struct StableOrder {
    /// By new position, whether the element stays.
    let stays: [Bool]

    /// - Parameter newPositions: by old position, the new one: each number below the count once.
    init(newPositions: [Int]) {
        var stays = [Bool](repeating: true, count: newPositions.count)
        Self.takeOutInversions(newPositions, &stays)
        Self.putBack(newPositions, &stays)
        self.stays = stays
    }

    private static func takeOutInversions(_ newPositions: [Int], _ stays: inout [Bool]) {
        var (old, new) = (0, 0)
        // As many remain on one side as on the other: both orders end at the same time.
        while true {
            while old < newPositions.count, !stays[newPositions[old]] { old += 1 }
            while new < newPositions.count, !stays[new] { new += 1 }
            if old == newPositions.count || new == newPositions.count { return }
            if newPositions[old] != new {
                stays[newPositions[old]] = false
                stays[new] = false
            }
            old += 1
            new += 1
        }
    }

    private static func putBack(_ newPositions: [Int], _ stays: inout [Bool]) {
        var oldPositions = [Int](repeating: 0, count: newPositions.count)
        for (old, new) in newPositions.enumerated() { oldPositions[new] = old }
        // By new position, the old position of the next element that stays, which an element before it has to precede.
        var limits = oldPositions
        var limit = newPositions.count
        for new in stays.indices.reversed() {
            limits[new] = limit
            if stays[new] { limit = oldPositions[new] }
        }
        var last = -1
        for new in stays.indices {
            if !stays[new] { stays[new] = last < oldPositions[new] && oldPositions[new] < limits[new] }
            if stays[new] { last = oldPositions[new] }
        }
    }
}
