import RxEngine
import RxPipelines

/// The number of subscriptions of a pipeline beside the number that is expected.
struct SubscriptionComparison {
    /// How they compare.
    enum Outcome: Equatable {
        /// The number depends on the events.
        case varies
        /// A part of the pipeline has completed.
        case below
        case within
        case above
        /// More than expected three times in a row.
        case leak
    }

    /// The name of the pipeline.
    let name: String
    let outcome: Outcome
    /// What is expected, in short: `7..15`.
    let expected: String

    /// - Parameters:
    ///   - name: the name of the pipeline.
    ///   - count: its subscriptions.
    ///   - predicted: how many it has by the plan while its sinks are idle.
    ///   - maximum: the most that it may have; `nil` if the number varies.
    ///   - isLeaking: whether it has had more three times in a row.
    init(_ name: String, count: Int, predicted: Int, maximum: Int?, isLeaking: Bool) {
        self.name = name
        guard let maximum else {
            (outcome, expected) = (.varies, "\(predicted), varies")
            return
        }
        expected = "\(predicted)..\(maximum)"
        outcome = isLeaking ? .leak : count > maximum ? .above : count < predicted ? .below : .within
    }

    /// The comparison of a pipeline that runs.
    init(_ prediction: ExpectedSubscriptions, maximum: Int?, _ leaks: [Leak]) {
        let name = prediction.account.name
        self.init(
            name, count: prediction.account.count(of: .subscription), predicted: prediction.total, maximum: maximum,
            isLeaking: leaks.contains { $0.name == name && $0.maximum != nil })
    }

    /// The word at the end of the pipeline's line.
    var mark: String {
        switch outcome {
        case .leak: "LEAK"
        case .above: "ABOVE"
        case .below: "below"
        case .varies, .within: ""
        }
    }

    /// Returns the line above the tables; `nil` if pipelines leak and none is above its number.
    static func summary(of comparisons: [SubscriptionComparison]) -> String? {
        func names(_ outcome: Outcome) -> [String] { comparisons.filter { $0.outcome == outcome }.map(\.name) }
        let (above, leaks, varying) = (names(.above), names(.leak), names(.varies).count)
        let compared = comparisons.count - varying
        guard above.isEmpty else {
            return "ABOVE the expected subscriptions: \(above.joined(separator: ", ")) "
                + "(\(above.count) of \(counted(compared, "pipeline")))"
        }
        guard leaks.isEmpty else { return nil }
        let rest = varying == 0 ? "" : "; \(varying == 1 ? "1 varies" : "\(varying) vary")"
        return "no pipeline has more subscriptions than expected (\(compared) compared\(rest))"
    }
}
