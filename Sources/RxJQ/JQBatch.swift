import Dispatch
import Glibc
import RxDiagnostics
import RxEngine

/// The expressions of a configuration, collected while it is read and compiled together afterwards.
///
/// Not `Sendable`: one thread reads a configuration.
package final class JQBatch {
    private let library: JQLibrary
    /// The number of programs that were not compiled before.
    package private(set) var compiled = 0
    /// The number of programs that were found to be wrong; the search stops at `enoughErrors`.
    package private(set) var failed = 0
    private var entries: [(source: JQSource, variables: [String], code: JQCode)] = []

    /// The number of wrong programs after which the search stops: each costs several compilations to explain.
    package static let enoughErrors = 30
    /// The most programs of a group: in larger groups, each program costs more.
    private static let unitSize = 50

    package init(_ library: JQLibrary) {
        self.library = library
    }

    func add(_ source: JQSource, _ variables: [String]) -> JQCode {
        let code = library.code(for: source)
        entries.append((source, variables, code))
        return code
    }

    /// Compiles the programs that are not compiled yet, on as many threads as there are processors.
    ///
    /// - Returns: the errors in the expressions, in their order.
    package func compile() -> Diagnostics {
        library.prune()
        var seen: Set<ObjectIdentifier> = []
        let new = entries.filter { !$0.code.isCompiled && seen.insert(ObjectIdentifier($0.code)).inserted }
            .map { JQUncompiled(source: $0.source, code: $0.code) }
        compiled = new.count
        // Programs with the same prelude become neighbours, so that a group holds few preludes.
        let common = new.filter { JQProgramGroup.canHold($0.source) }
            .sorted { $0.source.prelude < $1.source.prelude }
        let count = (common.count + Self.unitSize - 1) / Self.unitSize
        var groups = (0..<count).map { number in
            Array(common[common.count * number / count..<common.count * (number + 1) / count])
        }
        groups += new.filter { !JQProgramGroup.canHold($0.source) }.map { [$0] }

        let watch = library.watch
        let failures = JQUncompiled.Failures([:])
        let all = groups
        // One serial queue for each thread, not a concurrent queue: while work waits in Dispatch's shared pool,
        // Dispatch inspects the pool's threads once a second, and ends the process if no descriptor is free for that.
        let (next, group) = (Locked(0), DispatchGroup())
        for _ in 0..<min(all.count, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
            DispatchQueue(label: "rx.compiling").async(group: group) {
                while true {
                    let number = next.withLock { number in
                        defer { number += 1 }
                        return number
                    }
                    guard all.indices.contains(number) else { return }
                    JQUncompiled.compile(all[number], watch, failures)
                }
            }
        }
        group.wait()
        let errors = failures.withLock { $0 }
        failed = errors.count
        return Diagnostics(
            entries.flatMap { source, variables, code in
                errors[ObjectIdentifier(code)].map {
                    JQCompiler.diagnostics(for: $0, source, variables).list
                } ?? []
            })
    }
}

/// A program that is not compiled yet.
struct JQUncompiled: Sendable {
    let source: JQSource
    let code: JQCode

    /// The error of each program that does not compile.
    typealias Failures = Locked<[ObjectIdentifier: JQCompileError]>

    /// Compiles programs, as one group if possible, until the batch has found enough errors.
    static func compile(_ programs: [JQUncompiled], _ watch: JQEvaluationWatch, _ failures: Failures) {
        var rest = programs
        while rest.count > 1, !isEnough(failures) {
            let text = JQProgramGroup(rest.map(\.source))
            do {
                let state = try JQState(text.text, watch: watch)
                for (index, program) in rest.enumerated() { program.code.use(JQGroupMember(state, index)) }
                return
            } catch {
                var suspects = text.suspects(in: error)
                if suspects.isEmpty { suspects = Set(rest.indices) }
                let found = suspects.sorted().count { rest[$0].fails(failures) }
                // If jq has parsed the group, it has checked every program: those that it does not name are right, and the
                // batch, which has failed, does not need them compiled.
                let hasParsed = !error.messages.compactMap(JQReportedError.init)
                    .contains { $0.isSyntaxError || $0.isTooDeep }
                if hasParsed, found > 0 { return }
                rest = rest.indices.filter { !suspects.contains($0) }.map { rest[$0] }
            }
        }
        for program in rest { _ = program.fails(failures) }
    }

    private static func isEnough(_ failures: Failures) -> Bool {
        failures.withLock { $0.count >= JQBatch.enoughErrors }
    }

    /// Compiles the program alone, unless enough errors are found already; returns whether it is wrong.
    private func fails(_ failures: Failures) -> Bool {
        guard !Self.isEnough(failures), let error = code.compile() else { return false }
        failures.withLock { $0[ObjectIdentifier(code)] = error }
        return true
    }
}
