import RxJSON

/// The outputs of an expression as jq would print them, with spaces between.
func printed(_ outputs: [JSON]) -> String {
    outputs.map(\.description).joined(separator: " ")
}
