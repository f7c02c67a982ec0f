import TestSupport
import Testing

@testable import RxLinux

struct SystemAuthoritiesTests {
    /// A libcurl that was built for Debian runs on Fedora.
    @Test func firstKnownFileIsUsedInPlaceOfMissingOne() {
        let folder = TemporaryDirectory()
        folder.write("fedora.crt", "")
        folder.write("suse.pem", "")
        let known = ["\(folder.path)/debian.crt", "\(folder.path)/fedora.crt", "\(folder.path)/suse.pem"]
        #expect(SystemAuthorities.path(ofCurl: known[0], known: known) == known[1])
        #expect(SystemAuthorities.path(ofCurl: nil, known: known) == known[1])
        #expect(SystemAuthorities.path(ofCurl: known[2], known: known) == nil)
        #expect(SystemAuthorities.path(ofCurl: known[0], known: [known[0]]) == nil)
    }
}
