extension JSON {
    /// The memory that the parts of a value take, estimated from above.
    ///
    /// It is that in Swift and in jq, which hold the value at the same time.
    ///
    /// The length of the text says little about it: `{}` has two bytes, and jq allocates eight members for it.
    package enum MemoryOfPart {
        /// An object, for which jq allocates eight members.
        package static let object = 512
        /// A member, in a table of jq that may have been doubled.
        package static let member = 144
        package static let array = 112
        /// An element, in a Swift array that may have been doubled.
        package static let element = 64
        /// A string, whose text exists twice.
        package static func string(_ count: Int) -> Int { count > 15 ? 2 * count + 112 : count + 40 }
    }

    /// The memory that the value takes in bytes, estimated from above.
    ///
    /// - Complexity: O(*n*) for *n* values in it.
    package var memory: Int {
        switch self {
        case .null, .bool, .number: 0
        case .string(let text): MemoryOfPart.string(text.utf8.count)
        case .array(let values):
            values.reduce(MemoryOfPart.array) { $0 + MemoryOfPart.element + $1.memory }
        case .object(let object):
            object.members.reduce(MemoryOfPart.object) {
                $0 + MemoryOfPart.member + MemoryOfPart.string($1.key.utf8.count) + $1.value.memory
            }
        }
    }

    /// Subtracts the approximate size of the value in bytes; returns `false` as soon as the result is negative.
    package func takes(from left: inout Int) -> Bool {
        left -= 16
        switch self {
        case .null, .bool, .number: return left >= 0
        case .string(let text):
            left -= text.utf8.count
            return left >= 0
        case .array(let values): return left >= 0 && values.allSatisfy { $0.takes(from: &left) }
        case .object(let object):
            return left >= 0
                && object.members.allSatisfy { member in
                    left -= member.key.utf8.count
                    return left >= 0 && member.value.takes(from: &left)
                }
        }
    }

    /// The memory that the value of a text would take in bytes, computed without parsing it.
    ///
    /// For a text that is not JSON it is at least the memory of the part before the error.
    ///
    /// - Complexity: O(*n*) for *n* bytes, a fiftieth of the time that parsing takes.
    package static func memory(parsing bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var (memory, index) = (0, 0)
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "{"): memory += MemoryOfPart.object
                // The first element and the first member follow no comma.
                case UInt8(ascii: "["): memory += MemoryOfPart.array + MemoryOfPart.element
                case UInt8(ascii: ","): memory += MemoryOfPart.element
                case UInt8(ascii: ":"): memory += MemoryOfPart.member
                case UInt8(ascii: "\""):
                    let start = index + 1
                    index = endOfString(bytes, from: start)
                    memory += MemoryOfPart.string(index - start)
                default: break
                }
                index += 1
            }
            return memory
        }
    }

    /// Returns the index of the quotation mark that ends a string.
    private static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count)
    }
}
