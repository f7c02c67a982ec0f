// Bytes are either a value that is written and read unchanged, or an error with a location in them.

import RxJSON

private func fail(_ why: String) -> Never {
    fatalError(why)
}

private func depth(_ json: JSON) -> Int {
    switch json {
    case .array(let values): 1 + (values.map(depth).max() ?? 0)
    case .object(let object): 1 + (object.members.map { depth($0.value) }.max() ?? 0)
    default: 0
    }
}

/// Reads one input, and writes the value again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(JSONError) {
        let json = try JSON(parsing: bytes)
        if depth(json) > JSON.maximumDepth { fail("nested \(depth(json)) levels deep") }
        let written = json.bytes
        guard let again = try? JSON(parsing: written), again == json, again.bytes == written else {
            fail("written is \(json), and read again something else")
        }
    } catch {
        if !error.message.hasPrefix("not JSON: ") { fail(error.message) }
    }
    return 0
}
