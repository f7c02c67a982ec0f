import ConfigTestSupport
import RxLinux
import Testing

@testable import RxPipelines

/// Tests of the times of the first polls of endpoints.
struct HTTPMomentTests {
    private func source(_ fields: String) throws -> HTTPSource {
        let context = ReadingContext()
        let read = HTTPSource.read(try yaml("{ url: 'http://x/', \(fields) }"), context)
        try context.report.throwIfAny()
        return try #require(read as? HTTPSource)
    }

    @Test(arguments: [
        ("every: 1s, delay: 3s", Duration.seconds(3)), ("every: 1s, delay: 0s", .zero), ("every: 999ms", .zero),
    ])
    func configuredDelayIsUsed(fields: String, delay: Duration) throws {
        #expect(try source(fields).poll?.schedule.delay == delay)
    }

    @Test func firstPollsAreSpread() throws {
        let moments = (0..<1_000).map {
            HTTPSource.moment(for: "https://host\($0).example/health", every: .seconds(15))
        }
        #expect(moments.allSatisfy { (.zero ..< .seconds(1)).contains($0) })
        #expect(
            moments
                == (0..<1_000).map { HTTPSource.moment(for: "https://host\($0).example/health", every: .seconds(1)) })
        // Each tenth of a second has about a tenth of them.
        let tenths = Dictionary(grouping: moments) { Int($0 / .milliseconds(100)) }
        #expect(tenths.count == 10 && tenths.values.allSatisfy { (60...140).contains($0.count) })
    }
}
