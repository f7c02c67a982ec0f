/// A program's membership in a group: many programs compiled as one, whose input selects the one to run by its number.
final class JQGroupMember: Sendable {
    let state: JQState
    let number: Int

    init(_ state: JQState, _ number: Int) {
        self.state = state
        self.number = number
    }
}

/// The text of a group: several programs as one, which jq compiles together.
///
///     def __rxout: debug|empty;
///     def __rxs0: DEFINITIONS
///     def __rx0: .[1]|
///     (PROGRAM
///     )|__rxout;
///     def __rx1: . as [$__rx,$__input,$event]|$__input|
///     (PROGRAM
///     )|__rxout;
///     .[0] as $__rx | if $__rx < 1 then __rx0 else __rx1 end;
///     .[0] as $__rx | __rxs0
///
/// with one `__rxs` for each distinct prelude, so that every program sees the definitions that it would see if it were
/// compiled alone.
struct JQProgramGroup {
    private(set) var text = ""
    /// The first line of each program, in ascending order.
    private var lines: [(line: Int, index: Int)] = []
    private var line = 1

    /// Whether a program means the same inside a group as alone, and cannot change the text around it.
    static func canHold(_ source: JQSource) -> Bool {
        let odd = ["__loc__", "__rx", "__input"]
        if source.users.contains(where: { user in odd.contains { user.text.contains($0) } }) { return false }
        return source.isBalanced
    }

    init(_ sources: [JQSource]) {
        // Before any prelude, which may redefine `debug`.
        add("def __rxout: debug|empty;\n")
        let groups = Dictionary(grouping: sources.indices) { sources[$0].prelude }.values.sorted { $0[0] < $1[0] }
        for (number, group) in groups.enumerated() {
            add("def __rxs\(number): \(sources[group[0]].prelude)\n")
            for index in group {
                let source = sources[index]
                let names = source.variables.map { ",$\($0)" }.joined()
                add("def __rx\(index): ")
                add(names.isEmpty ? ".[1]|\n" : ". as [$__rx,$__input\(names)]|$__input|\n")
                lines.append((line, index))
                // The closing bracket has a line of its own: the program may end with a comment.
                add("\(JQSource.capturingOutputs("\(source.body)\n", "__rxout", source.usesPaths));\n")
            }
            add(".[0] as $__rx|\(Self.choice(among: group[...]) { "__rx\($0)" });\n")
        }
        // Choose the prelude's function by the program's number; only the programs at which it changes matter.
        var sets: [Int: Int] = [:]
        for (number, group) in groups.enumerated() { for index in group { sets[index] = number } }
        let firsts = sources.indices.filter { $0 == 0 || sets[$0] != sets[$0 - 1] }
        add(".[0] as $__rx|\(Self.choice(among: firsts[...]) { "__rxs\(sets[$0] ?? 0)" })")
    }

    private mutating func add(_ more: String) {
        text += more
        line += more.utf8.count { $0 == UInt8(ascii: "\n") }
    }

    /// Returns a jq expression that finds the range of `$__rx` by binary search and calls the function of that range.
    ///
    /// - Parameters:
    ///   - numbers: the first number of each range, in ascending order.
    ///   - name: returns the function of the range that begins at a number.
    private static func choice(among numbers: ArraySlice<Int>, _ name: (Int) -> String) -> String {
        guard numbers.count > 1 else { return numbers.first.map(name) ?? "empty" }
        let middle = numbers.startIndex + numbers.count / 2
        let (low, high) = (choice(among: numbers[..<middle], name), choice(among: numbers[middle...], name))
        return "if $__rx < \(numbers[middle]) then \(low) else \(high) end"
    }

    /// Returns the programs at whose lines jq's messages point.
    func suspects(in error: JQCompileError) -> Set<Int> {
        Set(
            error.messages.compactMap { message in
                guard let line = JQReportedError(message)?.line else { return nil }
                return lines.last { $0.line <= line }?.index
            })
    }
}
