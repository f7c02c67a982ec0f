import SeededRandom
import Testing

@testable import RxEngineSections

@Suite struct StableOrderTests {
    /// All permutations of up to seven elements.
    @Test func atMostTwiceTheLeastMovesInAnyPermutation() {
        for count in 0...7 {
            forEachPermutation(of: count) { check($0) }
        }
    }

    @Test func atMostTwiceTheLeastMovesInLongPermutations() {
        for seed in 0..<UInt64(300) {
            var random = SplitMix64(seed: seed)
            var order = Array(0..<random.within(10...80))
            // From a few elements that are elsewhere to a complete shuffle.
            for _ in 0..<random.within(1...order.count) {
                let element = order.remove(at: random.below(order.count))
                order.insert(element, at: random.below(order.count + 1))
            }
            check(order)
        }
    }

    /// One or two elements that go far, which must not drag along all that they pass.
    @Test(arguments: [
        ([5, 0, 1, 2, 3, 4], 1), ([1, 2, 3, 4, 5, 0], 1), ([5, 1, 2, 3, 4, 0], 2), ([1, 0, 2, 3, 5, 4], 2),
        ([3, 4, 5, 6, 0, 1, 2], 3), ([4, 5, 6, 0, 1, 2, 3], 3), ([5, 4, 3, 2, 1, 0], 5), ([2, 3, 6, 4, 5, 0, 1], 3),
    ])
    func movesOf(_ newPositions: [Int], are moves: Int) {
        #expect(StableOrder(newPositions: newPositions).stays.count { !$0 } == moves)
    }

    private func check(_ newPositions: [Int]) {
        let stays = StableOrder(newPositions: newPositions).stays
        let kept = newPositions.filter { stays[$0] }
        #expect(kept == kept.sorted(), "\(newPositions)")
        let (moves, least) = (newPositions.count - kept.count, leastMoves(Array(newPositions.indices), newPositions))
        #expect(moves <= 2 * least, "\(newPositions)")
    }

    /// Heap's algorithm.
    private func forEachPermutation(of count: Int, _ body: ([Int]) -> Void) {
        var order = Array(0..<count)
        func permute(_ size: Int) {
            if size <= 1 { return body(order) }
            for index in 0..<size {
                permute(size - 1)
                order.swapAt(size % 2 == 0 ? index : 0, size - 1)
            }
        }
        permute(count)
    }
}
