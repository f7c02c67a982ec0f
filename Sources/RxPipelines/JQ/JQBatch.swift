import Dispatch
import Synchronization

/// The expressions of a config that is being read, compiled together at its end.
///
/// Not `Sendable`: one thread reads a config.
package final class JQBatch {
    private let library: JQLibrary
    /// How many programs were new.
    package private(set) var compiled = 0
    private var entries: [(source: JQSource, variables: [String], code: JQCode)] = []

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
        let failures = Mutex<[ObjectIdentifier: JQCompileError]>([:])
        let all = groups
        DispatchQueue.concurrentPerform(iterations: all.count) { number in
            let found = JQUncompiled.compile(all[number], watch)
            failures.withLock { $0.merge(found) { first, _ in first } }
        }
        let errors = failures.withLock { $0 }
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

    /// Compiles programs, together where that can be.
    ///
    /// - Returns: what jq says of each that does not compile.
    static func compile(_ programs: [JQUncompiled], _ watch: JQWatch) -> [ObjectIdentifier: JQCompileError] {
        var errors: [ObjectIdentifier: JQCompileError] = [:]
        var rest = programs
        while rest.count > 1 {
            let text = JQUnitText(rest.map(\.source))
            do {
                let unit = try JQState(text.text, watch: watch)
                for (index, program) in rest.enumerated() { program.code.use(JQUnitMember(unit, index)) }
                return errors
            } catch {
                var suspects = text.suspects(in: error)
                if suspects.isEmpty { suspects = Set(rest.indices) }
                for index in suspects { errors[ObjectIdentifier(rest[index].code)] = rest[index].code.compile() }
                // With all of them parsed, jq has looked at each: the rest is free of mistakes, and not needed.
                let hasParsed = !error.messages.compactMap(JQComplaint.init).contains(where: \.isSyntaxError)
                if hasParsed, !errors.isEmpty { return errors }
                rest = rest.indices.filter { !suspects.contains($0) }.map { rest[$0] }
            }
        }
        for program in rest { errors[ObjectIdentifier(program.code)] = program.code.compile() }
        return errors
    }
}
