import RxLinux
import Testing

struct WebAddressTests {
    @Test(
        arguments: [
            ("127.0.0.1:9476", .tcp("127.0.0.1", 9476)),
            ("0.0.0.0:80", .tcp("0.0.0.0", 80)),
            ("192.168.1.7:65535", .tcp("192.168.1.7", 65535)),
            ("[::1]:9476", .tcp("::1", 9476)),
            ("[::]:1", .tcp("::", 1)),
            ("/run/rxwatchd/page", .unix("/run/rxwatchd/page")),
        ] as [(String, WebAddress)])
    func textIsAddress(text: String, address: WebAddress) {
        #expect(WebAddress(text) == address && address.description == text)
    }

    @Test(arguments: [
        "", "9476", ":9476", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:x",
        "localhost:9476",
        "::1:9476", "[127.0.0.1]:9476", "[::1]", "[::1", "256.0.0.1:1", "page.sock", "127.0.0.1:+80",
        "/\(String(repeating: "a", count: 200))", "/a\0b",
    ])
    func otherTextIsNot(text: String) {
        #expect(WebAddress(text) == nil)
    }
}
