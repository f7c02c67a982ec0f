import RxEngine
import Testing

@testable import RxPipelines
@testable import rxwatchd

/// The tables and the summary of `rxwatchctl resources`.
struct ResourceCountTableTests {
    private let table = ResourceCountTable(
        rows: [
            ResourceCountTable.Row(cells: ["live objects", "total", "obs", "subs"]),
            ResourceCountTable.Row(cells: ["  pipeline certificates-of-the-site", "12", "345", "6"]),
            ResourceCountTable.Row(cells: ["  pipeline b", "7", "8", "9"], mark: "ABOVE"),
        ], optional: [2])

    @Test(
        arguments: [
            (
                nil,
                [
                    "live objects                         total  obs  subs",
                    "  pipeline certificates-of-the-site     12  345     6",
                    "  pipeline b                             7    8     9  ABOVE",
                ]
            ),
            // A name is cut in its middle.
            (
                50,
                [
                    "live objects               total  obs  subs", "  pipeline c…-of-the-site     12  345     6",
                    "  pipeline b                   7    8     9  ABOVE",
                ]
            ),
            // A column is left out.
            (
                45,
                [
                    "live objects               total  subs", "  pipeline c…-of-the-site     12     6",
                    "  pipeline b                   7     9  ABOVE",
                ]
            ),
        ] as [(Int?, [String])])
    func tableFits(columns: Int?, lines: [String]) {
        #expect(table.lines(columns: columns) == lines)
    }

    @Test func noLineIsWider() {
        for columns in 30...100 { #expect(table.lines(columns: columns).allSatisfy { $0.count <= columns }) }
    }

    @Test(
        arguments: [
            (5, 7, false, .below, "below"), (7, 7, false, .within, ""), (15, 7, false, .within, ""),
            (16, 7, false, .above, "ABOVE"), (16, 7, true, .leak, "LEAK"),
        ] as [(Int, Int, Bool, SubscriptionComparison.Outcome, String)])
    func pipelineIsCompared(
        count: Int, predicted: Int, isLeaking: Bool, outcome: SubscriptionComparison.Outcome, mark: String
    ) {
        let found = SubscriptionComparison("p", count: count, predicted: predicted, maximum: 15, isLeaking: isLeaking)
        #expect(found.outcome == outcome && found.mark == mark && found.expected == "7..15")
        let varying = SubscriptionComparison("p", count: count, predicted: 7, maximum: nil, isLeaking: false)
        #expect(varying.outcome == .varies && varying.mark == "" && varying.expected == "7, varies")
    }

    /// A replaced node of the same name may have leaked, and so may another pipeline.
    @Test func onlyOwnLeakIsMarked() throws {
        let config = "sources: { s: { interval: 1h } }\npipelines: { p: { from: s, to: [stdout] } }\n"
        let pipeline = try #require(try Plan.read(config.utf8, file: "t.yaml").pipelines.first)
        let expected = ExpectedSubscriptions(pipeline, isRunning: true, Resources.Account("p"))
        func isLeak(_ leaks: Leak...) -> Bool {
            SubscriptionComparison(expected, maximum: 15, leaks).outcome == .leak
        }
        let others = [Leak(name: "p", live: 1, maximum: nil), Leak(name: "q", live: 9, maximum: 7)]
        #expect(!isLeak() && !isLeak(others[0]) && !isLeak(others[1]))
        #expect(isLeak(others[0], others[1], Leak(name: "p", live: 9, maximum: 7)))
    }

    @Test func summaryNamesWhatIsNotExpected() {
        func pipeline(_ name: String, _ count: Int, _ maximum: Int? = 2, leak: Bool = false) -> SubscriptionComparison {
            SubscriptionComparison(name, count: count, predicted: 1, maximum: maximum, isLeaking: leak)
        }
        let good = [pipeline("a", 1), pipeline("b", 0), pipeline("c", 9, nil)]
        #expect(
            SubscriptionComparison.summary(of: good)
                == "no pipeline has more subscriptions than expected (2 compared; 1 varies)")
        #expect(
            SubscriptionComparison.summary(of: good + [pipeline("d", 3), pipeline("e", 4)])
                == "ABOVE the expected subscriptions: d, e (2 of 4 pipelines)")
        // The line of the leak says it.
        #expect(SubscriptionComparison.summary(of: good + [pipeline("d", 3, leak: true)]) == nil)
        #expect(
            Leak(name: "d", live: 3, maximum: 2).text
                == "leak: pipeline d has 3 subscriptions, and at most 2 should be there")
        #expect(Leak(name: "d", live: 1, maximum: nil).text == "leak: 1 object of d alive after it was replaced")
    }
}
