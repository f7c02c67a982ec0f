import Glibc

/// Whatever the bytes are, no event reaches beyond them, and the decoded events equal the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    var room = count
    InotifyEvent.decode(bytes) { event in
        room -= 16 + event.name.count
        guard room >= 0, !event.name.contains(0) else { abort() }
    }
    return 0
}
