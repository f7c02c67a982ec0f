/// An upper bound of the growth of an expression: the size of the value that its operators build, divided by the size
/// of its input.
///
/// jq shares the contents of values, so `[., .]` takes no time. But a later operator may compare the value or convert
/// it to text, and after thirty such expressions in a row that never ends. The growths of operands of a comma or a plus,
/// and of interpolations, are added; the growths of the stages of a pipe are multiplied.
struct JQGrowth {
    /// The growth of the text between two brackets.
    private struct Level {
        /// The product over the earlier stages.
        var product = 1.0
        /// The sum over the earlier operands of the current stage.
        var sum = 0.0
        /// The growth of the current operand.
        var part = 1.0
        /// Whether the level is the text of an interpolation.
        var isInterpolation = false

        var whole: Double { product * (sum + part) }

        mutating func addPart() {
            sum += part
            part = 1
        }

        mutating func compose() { self = Level(product: whole, isInterpolation: isInterpolation) }
    }

    private var levels = [Level()]

    /// The growth of the whole expression.
    var whole: Double { levels.reduce(1) { $0 * $1.whole } }

    /// - Parameter isInterpolation: whether the character begins an interpolation.
    mutating func add(_ scalar: Unicode.Scalar, isInterpolation: Bool) {
        let last = levels.count - 1
        switch scalar {
        case "[", "{", "(": levels.append(Level(isInterpolation: isInterpolation))
        case ",", "+": levels[last].addPart()
        case "]", "}", ")":
            guard last > 0 else { return }
            let inner = levels.removeLast()
            if inner.isInterpolation {
                levels[last - 1].sum += inner.whole
            } else {
                levels[last - 1].part *= inner.whole
            }
        // The arguments of a function such as `any` may take each other's outputs.
        case "|", ";": levels[last].compose()
        default: break
        }
    }

    /// Multiplies the growth of the current operand.
    mutating func multiply(by factor: Double) { levels[levels.count - 1].part *= factor }

    /// Begins a stage, whose input is the output of the stage before.
    mutating func compose() { levels[levels.count - 1].compose() }
}
