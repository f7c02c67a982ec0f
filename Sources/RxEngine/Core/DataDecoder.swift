import FoundationEssentials

/// Reads values out of data, as `JSONDecoder` and `PropertyListDecoder` do.
public protocol DataDecoder {
    /// The value of this type that `data` holds.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: DataDecoder {}
extension PropertyListDecoder: DataDecoder {}
