/// How many columns of a terminal a character takes.
enum CharacterWidth: Equatable {
    /// A character that ends a word, and is shown as a space.
    case blank
    /// A character that would control the terminal, and is shown as a replacement character.
    case control
    /// A character that is shown together with the one before it.
    case combining
    /// A character that is left out, since terminals disagree on its effect on its neighbours.
    case ignored
    case narrow
    case wide

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x20...0x7E: self = .narrow
        case 0x09...0x0D: self = .blank
        default: self = Self.beyondASCII(scalar)
        }
    }

    private static func beyondASCII(_ scalar: Unicode.Scalar) -> CharacterWidth {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned: return .control
        case .lineSeparator, .paragraphSeparator: return .blank
        case .format: return .ignored
        case .nonspacingMark, .enclosingMark:
            return scalar.properties.isVariationSelector ? .ignored : .combining
        default: break
        }
        if scalar.properties.isEmojiModifier { return .ignored }
        switch scalar.value {
        // Vowels and final consonants of Korean syllables that are spelled out, and the letters of flags.
        case 0x1160...0x11FF: return .combining
        case 0x1F1E6...0x1F1FF: return .narrow
        default: break
        }
        return scalar.properties.isEmojiPresentation || isEastAsianWide(scalar.value) ? .wide : .narrow
    }

    /// The blocks of which the Unicode Standard says that their characters are wide or full-width (annex 11).
    private static func isEastAsianWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF,
            0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            true
        default:
            false
        }
    }
}
