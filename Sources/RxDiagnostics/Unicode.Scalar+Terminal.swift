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
