// However bytes are split into blocks, the lines equal those of a model that has all bytes at once.

private func fail(_ why: String) -> Never {
    fatalError(why)
}

/// The lines of all bytes.
private func model(_ bytes: ArraySlice<UInt8>, limit: Int) -> [Line] {
    var parts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard let rest = parts.popLast() else { return [] }
    let whole = parts.map { Line(Array($0.prefix(limit)), isTruncated: $0.count > limit) }
    let last = Line(Array(rest.prefix(limit)), isTruncated: rest.count > limit, isPartial: true)
    return rest.isEmpty ? whole : whole + [last]
}

/// Splits one input, and compares.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The first bytes give the places of the splits, and the maximum length of a line.
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard input.count > 2 else { return 0 }
    let (limit, size) = (Int(input[0] % 16), Int(input[1] % 16) + 1)
    let bytes = input[2...]
    var splitter = LineSplitter(limit: limit)
    var lines: [Line] = []
    for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: size) {
        splitter.receive(bytes[place..<min(place + size, bytes.endIndex)]) { line in
            lines.append(line)
            return true
        }
    }
    if let last = splitter.finish() { lines.append(last) }
    if splitter.finish() != nil { fail("there are two last lines") }
    if lines != model(bytes, limit: limit) { fail("\(lines) are not \(model(bytes, limit: limit))") }
    return 0
}
