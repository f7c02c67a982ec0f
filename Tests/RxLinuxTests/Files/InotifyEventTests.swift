import Testing

@testable import RxLinux

struct InotifyEventTests {
    private func decode(_ bytes: [UInt8]) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        bytes.withUnsafeBytes { InotifyEvent.decode($0) { events.append($0) } }
        return events
    }

    private func event(_ watch: Int32, _ mask: UInt32, _ cookie: UInt32, _ name: [UInt8]) -> [UInt8] {
        [UInt32(bitPattern: watch), mask, cookie, UInt32(name.count)].flatMap { withUnsafeBytes(of: $0, Array.init) }
            + name
    }

    @Test func consecutiveEventsAreDecoded() {
        let bytes = event(1, 2, 0, []) + event(-1, 0x4000, 0, []) + event(7, 0x40, 9, [0x61, 0, 0, 0])
        #expect(
            decode(bytes) == [
                InotifyEvent(watch: 1, mask: 2, cookie: 0, name: []),
                InotifyEvent(watch: -1, mask: 0x4000, cookie: 0, name: []),
                InotifyEvent(watch: 7, mask: 0x40, cookie: 9, name: [0x61]),
            ])
    }

    @Test func truncatedEventIsSkipped() {
        let whole = event(1, 2, 0, [0x61, 0, 0, 0])
        for length in 0..<whole.count { #expect(decode(Array(whole[..<length])).isEmpty) }
        #expect(decode(whole + whole.prefix(18)).count == 1)
    }

    @Test func arbitraryBytesAreAccepted() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<100)).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(decode(bytes).count <= bytes.count / 16)
        }
    }
}
