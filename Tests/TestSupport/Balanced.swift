import Glibc
import RxEngine
import Testing

/// Checks that a test leaves no engine object behind.
///
/// Tests with this trait run one at a time, so that the counts are theirs alone.
package struct Balanced: TestTrait, SuiteTrait, TestScoping {
    private static let mutex = AsyncMutex()

    package let isRecursive = true
    /// Whether the message of a failure names what is alive, which is recorded for it.
    fileprivate let namesLeaks: Bool

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.mutex.lock()
        do {
            try await check(function)
        } catch {
            await Self.mutex.unlock()
            throw error
        }
        await Self.mutex.unlock()
    }

    private func check(_ function: @Sendable () async throws -> Void) async throws {
        #if TRACE_RESOURCES
        let before = Self.liveCounts()
        let tracker = namesLeaks && Self.tracksLeaks ? Resources.LeakTracker() : nil
        try await function()
        try await eventually(
            "every engine object is released: \(before) before, \(Self.liveCounts()) after\(Self.names(of: tracker))"
        ) {
            Self.liveCounts() == before
        }
        #else
        try await function()
        #endif
    }

    #if TRACE_RESOURCES
    /// Whether subscriptions are recorded, so that the message of a failure names those that leak. `RX_TRACK_LEAKS=0`
    /// switches it off under the thread sanitizer: the lock of the records would order what the test is to race.
    private static let tracksLeaks = getenv("RX_TRACK_LEAKS").map { String(cString: $0) } != "0"

    /// A line for each subscription, or operator in a chain, that is alive.
    private static func names(of tracker: Resources.LeakTracker?) -> String {
        (tracker?.leaks() ?? []).map { "\n    alive: \($0)" }.joined()
    }

    private static func liveCounts() -> [Resources.Kind: Int] {
        Dictionary(uniqueKeysWithValues: Resources.Kind.allCases.map { ($0, Resources.count(of: $0)) })
    }
    #endif
}

extension Trait where Self == Balanced {
    /// Checks that the test leaves no engine object behind.
    package static var balanced: Self { Balanced(namesLeaks: true) }

    /// The same, while nothing is recorded unless the test asks for it.
    package static var balancedUnrecorded: Self { Balanced(namesLeaks: false) }
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
