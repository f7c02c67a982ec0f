extension Unicode.Scalar {
    /// What stands for this on a terminal: itself, unless it could steer one.
    package var shownOnTerminal: Unicode.Scalar {
        switch properties.generalCategory {
        case .control where self != "\t": "\u{FFFD}"
        case .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: self
        }
    }
}
