/// The nearest of some names to one that is not among them, for "did you mean".
package enum Nearest {
    /// The name that takes the fewest slips of the hand (a letter too many, missing, wrong, or two swapped) to become
    /// `wrong`; capitals do not count. Nil when none is near: more than one slip in every three letters, and neither
    /// the beginning of the other.
    ///
    /// Of names that are equally near the first wins.
    package static func name(to wrong: String, in names: some Sequence<String>) -> String? {
        guard wrong.utf8.count <= longest else { return nil }
        let wrongLetters = Array(wrong.lowercased().unicodeScalars)
        guard (1...64).contains(wrongLetters.count) else { return nil }
        var best: (name: String, distance: Int)?
        var kin: (name: String, difference: Int)?
        for name in names where name.utf8.count <= longest {
            let letters = Array(name.lowercased().unicodeScalars)
            let difference = abs(letters.count - wrongLetters.count)
            let shorter = min(letters.count, wrongLetters.count)
            if shorter >= 3, letters.starts(with: wrongLetters.prefix(shorter)) || wrongLetters.starts(with: letters),
                difference < kin?.difference ?? .max
            {
                kin = (name, difference)
            }
            let allowed = max(1, shorter / 3)
            guard letters.count > 1 || letters == wrongLetters, difference <= allowed
            else { continue }
            let distance = distance(wrongLetters, letters)
            if distance <= allowed, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name ?? kin?.name
    }

    /// In bytes: longer ones are nobody's slip of the hand.
    private static let longest = 256

    /// `; did you mean 'every'?`, or nothing.
    package static func hint(for wrong: String, in names: some Sequence<String>) -> String {
        name(to: wrong, in: names).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Damerau's distance, in the variant that edits no substring twice.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
