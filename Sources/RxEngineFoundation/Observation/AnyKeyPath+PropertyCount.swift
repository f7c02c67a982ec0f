extension AnyKeyPath {
    /// The number of properties on the path, or a larger number.
    ///
    /// There is no interface for the components of a path, so this counts the dots in its description. That is
    /// `\Model.child?.name`, or `\Model.<computed 0x1 (Swift.Int)>` for a property whose name is not known; dots inside
    /// brackets belong to a type.
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
