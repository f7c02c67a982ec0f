import Testing

@testable import RxLinux

struct CurlURLTests {
    /// What a redirect to the same server keeps.
    @Test(
        arguments: [
            ("http://h/b", "http://me:s3cret@h/a", "http://me:s3cret@h/b"),
            ("http://h/b", "http://me@h/a", "http://me@h/b"),
            ("http://you@h/b", "http://me:s3cret@h/a", "http://you@h/b"),
            ("http://you:own@h/b", "http://me:s3cret@h/a", "http://you:own@h/b"),
            ("http://h/b", "http://h/a", "http://h/b"),
        ])
    func userAndPasswordAreTakenOver(url: String, other: String, expected: String) throws {
        let (url, other) = (try #require(CurlURL(url)), try #require(CurlURL(other)))
        #expect(url.text(withUserOf: other) == expected)
    }

    @Test(
        arguments: [
            ("http://h/b", "http://h/a", true), ("http://h:80/b", "http://h/a", true),
            ("http://H/b", "http://h/a", true),
            ("https://h/b", "http://h/a", true), ("http://h/b", "https://h/a", false),
            ("https://h:8443/b", "http://h/a", false), ("http://h:81/b", "http://h/a", false),
            ("http://g/b", "http://h/a", false), ("https://h/b", "http://h:8080/a", false),
        ])
    func sameServerHasSameHostSchemeAndPort(url: String, other: String, isSame: Bool) throws {
        let (url, other) = (try #require(CurlURL(url)), try #require(CurlURL(other)))
        #expect(url.isServer(of: other) == isSame)
    }
}
