/// Finds the name that is most similar to a wrong one, for "did you mean".
package enum NearestName {
    /// Returns the name with the fewest typing errors against `wrong`.
    ///
    /// An error is an extra, a missing or a wrong letter, or two swapped ones.
    ///
    /// Case does not count. Returns `nil` if no name is near: more than one error in every three letters, and neither
    /// is the beginning of the other. Of equally near names the first wins.
    package static func name(to wrong: String, in names: some Sequence<String>) -> String? {
        self.names(to: wrong, in: names).first
    }

    /// Returns the name, and the next one that is equally near.
    private static func names(to wrong: String, in names: some Sequence<String>) -> [String] {
        guard wrong.utf8.count <= longest else { return [] }
        let wrongLetters = Array(wrong.lowercased().unicodeScalars)
        guard (1...64).contains(wrongLetters.count) else { return [] }
        var best: (names: [String], distance: Int)?
        var prefixMatch: (name: String, difference: Int)?
        for name in names where name.utf8.count <= longest {
            let letters = Array(name.lowercased().unicodeScalars)
            let difference = abs(letters.count - wrongLetters.count)
            let shorter = min(letters.count, wrongLetters.count)
            if shorter >= 3, letters.starts(with: wrongLetters.prefix(shorter)) || wrongLetters.starts(with: letters),
                difference < prefixMatch?.difference ?? .max
            {
                prefixMatch = (name, difference)
            }
            let allowed = max(1, shorter / 3)
            guard letters.count > 1 || letters == wrongLetters, difference <= allowed
            else { continue }
            let distance = distance(wrongLetters, letters)
            guard distance <= allowed, distance <= best?.distance ?? .max else { continue }
            let others = distance == best?.distance ? best?.names ?? [] : []
            if others.contains(name) { continue }
            best = ((others + [name]).prefix(2).map(\.self), distance)
        }
        return best?.names ?? prefixMatch.map { [$0.name] } ?? []
    }

    /// The length in bytes above which a name is not compared: a longer one is not a typing error.
    private static let longest = 256

    /// Returns `; did you mean 'every'?`, `; did you mean 'tag' or 'take'?`, or an empty text.
    package static func hint(for wrong: String, in names: some Sequence<String>) -> String {
        let near = self.names(to: wrong, in: names)
        return near.isEmpty ? "" : "; did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"
    }

    /// The optimal string alignment distance: Damerau's distance in the variant that edits no substring twice.
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
