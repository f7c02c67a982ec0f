import RxEngine

/// The compiled expressions of a process.
///
/// A reload of the configuration reuses the expressions that are still in use. A ``JQEvaluationWatch`` limits their
/// evaluations.
package final class JQLibrary: Sendable {
    let watch: JQEvaluationWatch
    /// Evaluates the expressions that could harm this process; `nil` if all are evaluated in it.
    let evaluator: (any JQEvaluator)?
    /// The code by the bytes of its program: as texts, programs with canonically equivalent characters would be equal.
    private let codes = Locked<[[UInt8]: WeakCode]>([:])

    /// A weak reference to compiled code, so that the cache retains none.
    private struct WeakCode {
        weak var code: JQCode?
    }

    /// Creates an empty library.
    ///
    /// - Parameters:
    ///   - limits: the limits on one evaluation.
    ///   - evaluator: evaluates the expressions that could harm this process; `nil` if all are evaluated in it.
    ///   - report: called with every evaluation that takes long, on any thread.
    package init(
        _ limits: JQLimits = JQLimits(), evaluator: (any JQEvaluator)? = nil,
        report: @escaping @Sendable (JQSlowRun) -> Void = { _ in }
    ) {
        self.evaluator = evaluator
        watch = JQEvaluationWatch(limits, report)
    }

    /// The number of different expressions in use.
    package var count: Int {
        codes.withLock { codes in codes.values.count { $0.code != nil } }
    }

    func code(for source: JQSource) -> JQCode {
        let new = JQCode(source, watch: watch, evaluator: evaluator)
        let key = Array(new.program.utf8)
        return codes.withLock { codes in
            if let code = codes[key]?.code { return code }
            codes[key] = WeakCode(code: new)
            return new
        }
    }

    /// Removes the entries of expressions that are no longer in use.
    func prune() {
        codes.withLock { codes in codes = codes.filter { $0.value.code != nil } }
    }
}
