import RxJSON

/// The outputs of an expression as jq would print them, separated by spaces.
func printed(_ outputs: [JSON]) -> String {
    outputs.map(\.description).joined(separator: " ")
}
