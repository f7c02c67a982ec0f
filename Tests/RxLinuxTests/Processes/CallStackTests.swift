import RxLinux
import Testing

struct CallStackTests {
    @inline(never) private func nested(_ depth: Int) -> [String] {
        depth == 0 ? CallStack.current() : nested(depth - 1) + []
    }

    @Test func samePlaceHasSameDescription() {
        let stacks = (0..<2).map { _ in nested(3) }
        #expect(stacks[0] == stacks[1])
    }

    @Test func eachCallHasOneFrame() throws {
        let stack = nested(0)
        #expect(nested(5).count == min(stack.count + 5, 63))
        let first = try #require(stack.first)
        #expect(first.wholeMatch(of: /\/.+\+0x[0-9a-f]+( .+)?/) != nil, "\(first)")
    }
}
