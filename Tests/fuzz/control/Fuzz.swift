// Bytes are either a request that is written and read unchanged, or an error that says what is accepted; and either an
// answer that is written and read unchanged, or none.

import RxControl
import RxJSON

private func fail(_ why: String) -> Never {
    fatalError(why)
}

/// Reads one input as a request and as an answer, and writes them again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        let request = try ControlRequest(line: bytes)
        let written = request.line
        if written.contains(UInt8(ascii: "\n")) { fail("\(request) is written as several lines") }
        guard let again = try? ControlRequest(line: written), again == request else {
            fail("\(request) is read again as something else")
        }
    } catch {
        if error.message.isEmpty || error.message.utf8.count > 1000 { fail("the message is '\(error.message)'") }
    }
    if let answer = ControlAnswer(bytes) {
        guard answer.bytes.firstIndex(of: UInt8(ascii: "\n")) == answer.bytes.count - 1 else {
            fail("an answer is several lines")
        }
        if ControlAnswer(answer.bytes) != answer { fail("an answer is read again as another one") }
        let text = answer.text(asJSON: false).unicodeScalars
        // A tab moves the cursor only.
        if text.contains(where: { $0.value < 0x20 && $0 != "\n" && $0 != "\t" || $0.value == 0x7F }) {
            fail("the text controls a terminal")
        }
    }
    return 0
}
