import RxEngine
import Testing

/// Checks that a test leaves no engine object behind.
///
/// Tests with this trait run one at a time, so that the counts are theirs alone.
package struct Balanced: TestTrait, SuiteTrait, TestScoping {
    private static let mutex = AsyncMutex()

    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.mutex.lock()
        do {
            try await Self.check(function)
        } catch {
            await Self.mutex.unlock()
            throw error
        }
        await Self.mutex.unlock()
    }

    private static func check(_ function: @Sendable () async throws -> Void) async throws {
        #if TRACE_RESOURCES
        let before = liveCounts()
        try await function()
        try await eventually("every engine object is released: \(before) before, \(liveCounts()) after") {
            liveCounts() == before
        }
        #else
        try await function()
        #endif
    }

    #if TRACE_RESOURCES
    private static func liveCounts() -> [Resources.Kind: Int] {
        Dictionary(uniqueKeysWithValues: Resources.Kind.allCases.map { ($0, Resources.count(of: $0)) })
    }
    #endif
}

extension Trait where Self == Balanced {
    /// Checks that the test leaves no engine object behind.
    package static var balanced: Self { Balanced() }
}

/// A lock for tasks that grants access in the order of the requests.
private actor AsyncMutex {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func lock() async {
        guard isTaken else { return isTaken = true }
        await withCheckedContinuation { waiting.append($0) }
    }

    func unlock() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
