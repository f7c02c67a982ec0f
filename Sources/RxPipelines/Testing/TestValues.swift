import RxDiagnostics
import RxJSON
import RxMarbles

/// The values that the characters of a test's diagrams stand for: those under `values:`, and each digit for its number.
struct TestValues: Sendable {
    private var values: [Character: JSON] = [:]
    /// The first name of each value.
    private var names: [JSON: Character] = [:]

    /// Reads the entries under `values:`, and reports names that cannot stand in a diagram.
    init(_ entries: [(name: String, location: SourceLocation, value: JSON)], _ report: Report) {
        for (name, location, value) in entries {
            guard case .value(let character)? = (try? MarbleDiagram(name))?.marbles.first?.mark, name.count == 1 else {
                report.add(
                    "'\(name.shortened)' cannot stand for a value in a diagram: use one letter, digit or symbol, "
                        + "except those with a meaning of their own, '-', '(', ')', '|', '#', '^' and '!'", at: location
                )
                continue
            }
            add(value, as: character)
        }
        for digit in 0...9 where values[Character("\(digit)")] == nil {
            add(.number(Double(digit)), as: Character("\(digit)"))
        }
    }

    private mutating func add(_ value: JSON, as name: Character) {
        values[name] = value
        names[value] = names[value] ?? name
    }

    /// The value that a character stands for; `nil` if it stands for none.
    subscript(name: Character) -> JSON? { values[name] }

    /// The name of a value; `nil` if it has none.
    func name(of value: JSON) -> Character? { names[value] }

    /// All names.
    var allNames: Set<Character> { Set(values.keys) }
}
