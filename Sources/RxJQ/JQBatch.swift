import Dispatch
import Glibc
import RxDiagnostics
import RxEngine

/// The expressions of a config that is being read, compiled together at its end.
///
/// Not `Sendable`: one thread reads a config.
package final class JQBatch {
    private let library: JQLibrary
    /// How many programs were new.
    package private(set) var compiled = 0
    /// How many of them were found to be wrong: once there are enough of these, nobody looks for more.
    package private(set) var failed = 0
    private var entries: [(source: JQSource, variables: [String], code: JQCode)] = []

    /// So many wrong programs are looked at: each is compiled several times to say what is wrong.
    package static let enoughMistakes = 30
    /// The most programs of a unit: of many more, each would cost more.
    private static let unitSize = 50

    package init(_ library: JQLibrary) {
        self.library = library
    }

    func add(_ source: JQSource, _ variables: [String]) -> JQCode {
        let code = library.code(for: source)
        entries.append((source, variables, code))
        return code
    }

    /// Compiles what is new.
    ///
    /// - Returns: everything that is wrong with the expressions, in their order.
    package func compile() -> Diagnostics {
        library.prune()
        var seen: Set<ObjectIdentifier> = []
        let new = entries.filter { !$0.code.isCompiled && seen.insert(ObjectIdentifier($0.code)).inserted }
            .map { JQUncompiled(source: $0.source, code: $0.code) }
        compiled = new.count
        // Those that want the same definitions side by side.
        let common = new.filter { JQUnitText.canHold($0.source) }
            .sorted { $0.source.prelude < $1.source.prelude }
        let count = (common.count + Self.unitSize - 1) / Self.unitSize
        var groups = (0..<count).map { number in
            Array(common[common.count * number / count..<common.count * (number + 1) / count])
        }
        groups += new.filter { !JQUnitText.canHold($0.source) }.map { [$0] }

        let watch = library.watch
        let failures = JQUncompiled.Failures([:])
        let all = groups
        // On queues of their own: while work waits in a pool of threads that it shares out, Dispatch looks after these
        // once a second, and ends the process where it has no descriptor to do that with.
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

/// A program that is to be compiled.
struct JQUncompiled: Sendable {
    let source: JQSource
    let code: JQCode

    /// What jq says of each program that does not compile.
    typealias Failures = Locked<[ObjectIdentifier: JQCompileError]>

    /// Compiles programs, together where that can be, until enough of all that are compiled are wrong.
    static func compile(_ programs: [JQUncompiled], _ watch: JQWatch, _ failures: Failures) {
        var rest = programs
        while rest.count > 1, !isEnough(failures) {
            let text = JQUnitText(rest.map(\.source))
            do {
                let unit = try JQState(text.text, watch: watch)
                for (index, program) in rest.enumerated() { program.code.use(JQUnitMember(unit, index)) }
                return
            } catch {
                var suspects = text.suspects(in: error)
                if suspects.isEmpty { suspects = Set(rest.indices) }
                let found = suspects.sorted().count { rest[$0].fails(failures) }
                // With all of them parsed, jq has looked at each: the rest is free of mistakes, and not needed.
                let hasParsed = !error.messages.compactMap(JQComplaint.init).contains(where: \.isSyntaxError)
                if hasParsed, found > 0 { return }
                rest = rest.indices.filter { !suspects.contains($0) }.map { rest[$0] }
            }
        }
        for program in rest { _ = program.fails(failures) }
    }

    private static func isEnough(_ failures: Failures) -> Bool {
        failures.withLock { $0.count >= JQBatch.enoughMistakes }
    }

    /// Compiles it by itself, unless there are enough that are wrong, and says whether it is.
    private func fails(_ failures: Failures) -> Bool {
        guard !Self.isEnough(failures), let error = code.compile() else { return false }
        failures.withLock { $0[ObjectIdentifier(code)] = error }
        return true
    }
}
