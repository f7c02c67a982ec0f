extension AnyKeyPath {
    /// The number of properties on the path, or a larger number.
    ///
    /// The standard library tells the components of a path only in its description, such as `\\Model.child?.name`, or with a
    /// type in parentheses, `\\Model.<computed 0x1 (Swift.Int)>`, if the name of a property is not known.
    var propertyCount: Int {
        var (count, depth) = (0, 0)
        for character in debugDescription.utf8 {
            switch character {
            case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
            // The arrow of a function type closes no bracket, so the depth may be negative.
            case UInt8(ascii: ".") where depth <= 0: count += 1
            default: break
            }
        }
        return count
    }
}
