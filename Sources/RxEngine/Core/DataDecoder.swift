import FoundationEssentials

/// A type that decodes values from data, as `JSONDecoder` and `PropertyListDecoder` do.
public protocol DataDecoder {
    /// Decodes a value of the given type from `data`.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - data: the encoded value.
    /// - Returns: the value.
    /// - Throws: an error if `data` holds no such value.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}
