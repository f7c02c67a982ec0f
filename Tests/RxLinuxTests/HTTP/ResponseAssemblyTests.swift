import Testing

@testable import RxLinux

struct ResponseAssemblyTests {
    private func receive(_ line: String, _ assembly: inout ResponseAssembly) -> Bool {
        Array(line.utf8).withUnsafeBytes { assembly.receiveLine($0) }
    }

    private func receivePiece(_ piece: String, _ assembly: inout ResponseAssembly) -> Bool {
        Array(piece.utf8).withUnsafeBytes { assembly.receivePiece($0) }
    }

    /// A response has begun with its first line or piece, even one beyond the limits.
    @Test func responseBeginsWithFirstLineOrPiece() {
        var assembly = ResponseAssembly(headerLimit: 100, bodyLimit: 5)
        #expect(!assembly.hasBegun)
        #expect(receive("HTTP/1.1 200 OK\r\n", &assembly) && assembly.hasBegun && assembly.isInHeader)
        var pieces = ResponseAssembly(headerLimit: 100, bodyLimit: 5)
        #expect(receivePiece("abc", &pieces) && pieces.hasBegun)
        var long = ResponseAssembly(headerLimit: 3, bodyLimit: 2)
        #expect(!receive("HTTP/1.1 200 OK\r\n", &long) && long.hasBegun && long.excess == .header)
        var large = ResponseAssembly(headerLimit: 3, bodyLimit: 2)
        #expect(!receivePiece("abc", &large) && large.hasBegun && large.excess == .body)
    }

    @Test(arguments: [true, false]) func sizesEqualToLimitsAreAllowed(keepsBody: Bool) {
        var assembly = ResponseAssembly(headerLimit: 19, bodyLimit: 4, keepsBody: keepsBody)
        #expect(receive("HTTP/1.1 200 OK\r\n", &assembly) && receive("\r\n", &assembly) && !assembly.isInHeader)
        #expect(receivePiece("ab", &assembly) && receivePiece("cd", &assembly) && assembly.excess == nil)
        #expect(assembly.body == (keepsBody ? Array("abcd".utf8) : []))
        #expect(receivePiece("", &assembly) && !receivePiece("e", &assembly) && assembly.excess == .body)
        #expect(!receive("X", &assembly) && assembly.excess == .header)
    }

    /// Fields take much more memory than their bytes. Those of an interim response do not count.
    @Test func fieldsAreLimited() {
        var assembly = ResponseAssembly(headerLimit: 1 << 20, bodyLimit: 3)
        for status in ["103", "200"] {
            #expect(receive("HTTP/1.1 \(status) X\r\n", &assembly))
            for _ in 0..<1024 { #expect(receive("a:\r\n", &assembly)) }
            if status == "103" { #expect(receive("\r\n", &assembly)) }
        }
        #expect(assembly.headers.count == 1024 && assembly.excess == nil)
        #expect(!receive("a:\r\n", &assembly) && assembly.headers.count == 1024 && assembly.excess == .fields)
    }

    /// Headers and bodies of interim responses and redirects are dropped; lines after a body are not headers.
    @Test func lastHeaderCounts() {
        var assembly = ResponseAssembly(headerLimit: 1000, bodyLimit: 3)
        for line in ["HTTP/1.1 103 X\r\n", "A: 1\r\n", "\r\n"] { #expect(receive(line, &assembly)) }
        #expect(receivePiece("abc", &assembly))
        for line in ["HTTP/1.1 200 OK\r\n", "B : 2\r\n", "\t3\r\n", "no colon\r\n", ": x\r\n", "\r\n", "C: 4\r\n"] {
            #expect(receive(line, &assembly))
        }
        #expect(assembly.body.isEmpty && receivePiece("abc", &assembly))
        #expect(assembly.headers == ["B": "2 3"])
    }
}
