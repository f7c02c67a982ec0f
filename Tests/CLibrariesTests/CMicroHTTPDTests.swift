import CMicroHTTPD
import Testing

@Suite struct CMicroHTTPDTests {
    @Test func libraryIsAtLeast0_9_75AndMatchesHeader() throws {
        let parts = String(cString: MHD_get_version()).split(separator: ".").compactMap {
            Int($0.prefix(while: \.isNumber))
        }
        try #require(parts.count >= 3)
        // A byte for two decimal digits: 0x00097500.
        let header = [MHD_VERSION >> 24, MHD_VERSION >> 16 & 0xFF, MHD_VERSION >> 8 & 0xFF]
            .compactMap { Int(String($0, radix: 16)) }
        #expect(!parts.lexicographicallyPrecedes(header) && !header.lexicographicallyPrecedes([0, 9, 75]))
    }
}
