import CCurl
import FoundationEssentials

// Whatever a server sends, its answer is parsed like in a simple model, and the results are consistent.

private func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fatalError(what()) }
}

/// An answer as bytes: headers, of which the last one counts, and the body.
private struct Message {
    var header: [ArraySlice<UInt8>] = []
    var lines: [ArraySlice<UInt8>] = []
    var body: ArraySlice<UInt8> = []
    /// Whether the last header is complete.
    var isWhole = false

    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let begins = rest.starts(with: Array("HTTP/".utf8))
            if header.isEmpty || isWhole {
                guard begins || lines.isEmpty else { break }
                (header, isWhole) = ([], false)
            }
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            let line = rest[..<end]
            rest = rest[end...]
            lines.append(line)
            // Lines before a status line are not a header.
            if header.isEmpty, !begins { continue }
            header.append(line)
            isWhole = header.count > 1 && Message.trimmed(line).isEmpty
        }
        body = rest
    }

    /// The fields, each a name and a value.
    var fields: [[String]] {
        var fields: [[String]] = []
        for line in header.dropFirst() {
            let text = Message.trimmed(line)
            if text.isEmpty { break }
            if line.first == 0x20 || line.first == 0x09 {
                guard let last = fields.popLast() else { continue }
                let value = [last[1], String(decoding: text, as: UTF8.self)].filter { !$0.isEmpty }
                fields.append([last[0], value.joined(separator: " ")])
                continue
            }
            let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: Message.trimmed($0), as: UTF8.self) }
            if parts.count == 2, !parts[0].isEmpty { fields.append(parts) }
        }
        return fields
    }

    static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }
        return ArraySlice(text.drop(while: isWhite).reversed().drop(while: isWhite).reversed())
    }
}

/// Assembles `message` from pieces of `size` bytes.
private func assembled(_ message: Message, _ headerLimit: Int, _ bodyLimit: Int, _ size: Int) -> HTTPHeaders? {
    var assembly = ResponseAssembly(headerLimit: headerLimit, bodyLimit: bodyLimit)
    var room = headerLimit
    for line in message.lines {
        room -= line.count
        let goesOn = line.withUnsafeBytes { assembly.receiveLine($0) }
        check(goesOn == (room >= 0), "\(line.count) bytes, room for \(room)")
        if !goesOn { return nil }
    }
    check(assembly.headers.map { [$0.name, $0.value] } == message.fields, "\(assembly.headers), \(message.fields)")
    check(assembly.isInHeader == (!message.header.isEmpty && !message.isWhole), "where the header ends")
    for place in stride(from: message.body.startIndex, to: message.body.endIndex, by: size) {
        let piece = message.body[place..<min(place + size, message.body.endIndex)]
        let goesOn = piece.withUnsafeBytes { assembly.receivePiece($0) }
        check(goesOn == (piece.endIndex - message.body.startIndex <= bodyLimit), "the body's limit is \(bodyLimit)")
        if !goesOn { return nil }
    }
    check(assembly.body[...] == message.body, "the body is another")
    return assembly.headers
}

private func checkMeaning(_ response: HTTPResponse) {
    let type = response.headers["content-TYPE"]?.prefix { $0 != ";" } ?? ""
    let kind = type.utf8.filter { $0 != 0x20 && $0 != 0x09 }.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
    let text = String(decoding: kind, as: UTF8.self)
    if !type.contains(where: { $0 != ";" && $0.utf8.contains(0x3B) }) {
        check(response.isJSON == (["application/json", "text/json"].contains(text) || text.hasSuffix("+json")), text)
    }
    let span = RetryAfter.span(in: response.headers, now: 1_700_000_000)
    check(span.map { $0 >= .zero } ?? true, "a wait of \(span ?? .zero)")
    if let number = response.headers["retry-after"].flatMap({ UInt32($0) }),
        "\(number)" == response.headers["Retry-After"]
    {
        check(span == .seconds(Int64(number)), "\(number) seconds are \(String(describing: span))")
    }
    _ = HTTPCertificate(chain: [response.headers.map { "\($0.name):\($0.value)" }])
    let url = HTTPRequest.withoutUser(response.url)
    check(HTTPRequest.withoutUser(url).utf8.count <= response.url.utf8.count, url)
}

/// Checks a poll with an answer, with the same answer again, and with one that reports no change.
private func checkPolls(_ response: HTTPResponse) {
    var memory = PollMemory(HTTPRequest("http://x/"), conditional: true)
    check(memory.conditions.isEmpty, "conditions from nowhere")
    let first = memory.receive(.success(response))
    for field in memory.conditions {
        check(field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && !field.value.isEmpty, field.value)
        check(["If-None-Match", "If-Modified-Since"].contains(field.name), field.name)
    }
    check(first.changed == (first.ok && response.status != 304), "the first answer is new")
    let second = memory.receive(.success(response))
    check(second.ok == first.ok && !second.changed && second.body == first.body, "the same is another")
    let third = memory.receive(.success(HTTPResponse(status: 304, headers: response.headers)))
    check(third.ok && !third.changed, "an answer that has not changed has")
    if first.ok, !memory.conditions.isEmpty {
        check(third.body == first.body && third.status == first.status, "the known response is lost")
    }

    var certificates = LastCertificates()
    _ = certificates.complete(.success(response), of: HTTPRequest("https://x/"))
}

/// Reads one input as an answer, and checks the results.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The first bytes give the limits, the size of the pieces, and the status.
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard input.count > 4 else { return 0 }
    let message = Message(input[4...])
    guard let headers = assembled(message, Int(input[0]) * 8, Int(input[1]), Int(input[2]) + 1) else { return 0 }
    let status = [200, 204, 304, 429, 503][Int(input[3]) % 5]
    let response = HTTPResponse(
        status: status, headers: headers, body: Array(message.body), url: headers["Location"] ?? "https://x/")
    checkMeaning(response)
    checkPolls(response)
    return 0
}
