import RxEngine

/// The expressions that a process has compiled, kept from one reading of the config to the next for as long as somebody
/// uses them, and watched while they run.
package final class JQLibrary: Sendable {
    let watch: JQWatch
    private let codes = Locked<[String: Kept]>([:])

    private struct Kept {
        weak var code: JQCode?
    }

    /// `report` is called with every evaluation that takes long, on any thread.
    package init(_ limits: JQLimits = JQLimits(), report: @escaping @Sendable (JQSlowRun) -> Void = { _ in }) {
        watch = JQWatch(limits, report)
    }

    /// How many different expressions are in use.
    package var count: Int {
        codes.withLock { codes in codes.values.count { $0.code != nil } }
    }

    func code(for source: JQSource) -> JQCode {
        let new = JQCode(source, watch: watch)
        return codes.withLock { codes in
            if let code = codes[new.program]?.code { return code }
            codes[new.program] = Kept(code: new)
            return new
        }
    }

    /// Forgets what nobody uses any more.
    func prune() {
        codes.withLock { codes in codes = codes.filter { $0.value.code != nil } }
    }
}
