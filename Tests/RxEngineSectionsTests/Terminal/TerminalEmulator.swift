import Testing

@testable import RxEngineSections

/// A small terminal: a grid of characters on which escape codes have their effect. What terminals disagree on is an
/// issue.
struct TerminalEmulator {
    struct Place: Equatable {
        /// Empty for the second half of a wide character.
        var text = " "
        var isBold = false
    }

    private(set) var grid: [[Place]]
    private(set) var isCursorVisible = true
    private(set) var row = 0
    private(set) var column = 0
    /// How many characters were printed since the start.
    private(set) var printed = 0
    private var wraps = true
    private var isBold = false
    /// Whether the cursor is behind the last column, where terminals differ.
    private var isBehindEnd = false
    /// The place of the character that a combining mark joins.
    private var last: (row: Int, column: Int)?

    /// Creates a terminal full of what other programs have left behind.
    init(_ size: TerminalSize) {
        grid = Self.litter(size)
    }

    private static func litter(_ size: TerminalSize) -> [[Place]] {
        Array(repeating: Array(repeating: Place(text: "#", isBold: true), count: size.columns), count: size.rows)
    }

    /// The lines without spaces at their ends, up to the last one that has text.
    var lines: [String] {
        var lines = grid.map { line in
            var text = line.map(\.text).joined()
            while text.last == " " { text.removeLast() }
            return text
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    /// For each of `lines`, whether it is bold, or `nil` if only a part is.
    var boldLines: [Bool?] {
        lines.indices.map { row in
            let places = grid[row].filter { $0.text != " " }
            return Set(places.map(\.isBold)).count > 1 ? nil : places.first?.isBold ?? false
        }
    }

    /// Takes another size. What it then shows depends on the terminal.
    mutating func resize(to size: TerminalSize) {
        grid = Self.litter(size)
        (row, column, last) = (min(row, size.rows - 1), min(column, size.columns - 1), nil)
    }

    mutating func write(_ output: String) {
        var scalars = output.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "\u{1B}": escape(&scalars)
            case "\r": move(row, 0)
            case "\n":
                if row + 1 < grid.count { move(row + 1, column) } else { scroll() }
            default: print(scalar)
            }
        }
    }

    private mutating func escape(_ scalars: inout String.UnicodeScalarView.Iterator) {
        guard scalars.next() == "[" else { return unknown("no [ after the escape") }
        var parameters = ""
        while let scalar = scalars.next() {
            guard scalar.value >= 0x40 else {
                parameters.unicodeScalars.append(scalar)
                continue
            }
            return control(parameters, scalar)
        }
        unknown("an escape code that does not end")
    }

    private mutating func control(_ parameters: String, _ command: Unicode.Scalar) {
        switch (parameters, command) {
        case ("?25", "l"): isCursorVisible = false
        case ("?25", "h"): isCursorVisible = true
        case ("?7", "l"): wraps = false
        case ("?7", "h"): wraps = true
        case ("0", "m"): isBold = false
        case ("1", "m"): isBold = true
        case ("", "H"): move(0, 0)
        case (_, "H"):
            let place = parameters.split(separator: ";").compactMap { Int($0) }
            guard place.count == 2, grid.indices.contains(place[0] - 1), grid[0].indices.contains(place[1] - 1) else {
                return unknown("the cursor leaves the screen: \(parameters)")
            }
            move(place[0] - 1, place[1] - 1)
        case ("", "K"): eraseRight()
        case ("", "J"):
            eraseRight()
            for below in grid.indices where below > row { erase(below, from: 0) }
        case ("2", "J"):
            for any in grid.indices { erase(any, from: 0) }
        default: unknown("\(parameters)\(command)")
        }
    }

    private mutating func move(_ row: Int, _ column: Int) {
        (self.row, self.column, last, isBehindEnd) = (row, column, nil, false)
    }

    private mutating func scroll() {
        grid.append(Array(repeating: Place(), count: grid[0].count))
        grid.removeFirst()
        last = nil
    }

    private mutating func eraseRight() {
        if isBehindEnd { unknown("erasing behind the last column") }
        if grid[row][column].text.isEmpty { unknown("erasing half a character") }
        erase(row, from: column)
    }

    private mutating func erase(_ row: Int, from column: Int) {
        if isBold { unknown("erasing in bold") }
        for index in column..<grid[row].count { grid[row][index] = Place() }
    }

    private mutating func print(_ scalar: Unicode.Scalar) {
        printed += 1
        switch CharacterWidth(scalar) {
        case .narrow: put(scalar, 1)
        case .wide: put(scalar, 2)
        case .combining:
            guard let last else { return unknown("a combining mark without a character") }
            grid[last.row][last.column].text.unicodeScalars.append(scalar)
        default: unknown("the character \(scalar.escaped(asASCII: true))")
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar, _ width: Int) {
        guard !isBehindEnd, column + width <= grid[row].count else { return unknown("a line that is too long") }
        if wraps { unknown("printing while lines wrap") }
        // Whatever loses half of it is gone.
        if grid[row][column].text.isEmpty { grid[row][column - 1] = Place() }
        if column + width < grid[row].count, grid[row][column + width].text.isEmpty {
            grid[row][column + width] = Place()
        }
        grid[row][column] = Place(text: String(scalar), isBold: isBold)
        if width == 2 { grid[row][column + 1] = Place(text: "", isBold: isBold) }
        last = (row, column)
        isBehindEnd = column + width == grid[row].count
        column = min(column + width, grid[row].count - 1)
    }

    private func unknown(_ what: String) {
        Issue.record("\(what), at row \(row), column \(column)")
    }
}
