extension Unicode.Scalar {
    /// The scalar itself, or a replacement if it could control a terminal.
    package var shownOnTerminal: Unicode.Scalar {
        switch properties.generalCategory {
        case .control where self != "\t": "\u{FFFD}"
        case .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: self
        }
    }
}

extension String {
    /// The text with its control characters replaced, and all lines except for the first indented.
    package func shownOnTerminal(indentedBy width: Int) -> String {
        var shown = UnicodeScalarView()
        for scalar in unicodeScalars {
            shown.append(scalar == "\n" ? scalar : scalar.shownOnTerminal)
            if scalar == "\n" { shown.append(contentsOf: repeatElement(" ", count: width)) }
        }
        return String(shown)
    }
}
