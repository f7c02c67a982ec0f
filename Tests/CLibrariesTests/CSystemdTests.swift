import CSystemd
import Foundation
import Testing

@Suite struct CSystemdTests {
    /// The library has no version number: these functions came with that version.
    @Test(arguments: ["sd_id128_string_equal", "sd_bus_error_setfv", "sd_event_set_signal_exit"])
    func libraryIsAtLeast252(symbol: String) throws {
        let library = try #require(dlopen("libsystemd.so.0", RTLD_NOW | RTLD_NOLOAD))
        defer { dlclose(library) }
        #expect(dlsym(library, symbol) != nil)
    }

    @Test func identifiersAreReadAndWritten() {
        let text = "0123456789abcdef0123456789abcdef"
        var id = sd_id128_t()
        #expect(sd_id128_from_string(text, &id) == 0)
        #expect(sd_id128_string_equal(text, id) == 1)
        #expect(sd_id128_from_string("not one", &id) == -EINVAL)
    }

    @Test func journalIsWrittenByPlainFunctions() {
        // In C these names are macros that add the caller's place to each record, unless the shim prevents that.
        let send: @convention(c) (UnsafePointer<iovec>?, Int32) -> Int32 = sd_journal_sendv
        #expect(send(nil, 0) == -EINVAL)
    }

    /// The plain functions, without variadic arguments and without macros.
    @Test func busMessageIsMadeByPlainFunctions() {
        var bus: OpaquePointer?
        #expect(sd_bus_new(&bus) == 0)
        defer { sd_bus_unref(bus) }
        var path: UnsafeMutablePointer<CChar>?
        #expect(sd_bus_path_encode("/org/freedesktop/systemd1/unit", "a-1@b.service", &path) == 0)
        #expect(path.map { String(cString: $0) } == "/org/freedesktop/systemd1/unit/a_2d1_40b_2eservice")
        free(path)
        // A bus that is not connected has no messages yet.
        var message: OpaquePointer?
        #expect(sd_bus_message_new_method_call(bus, &message, "a.b", "/", "a.b", "C") == -ENOTCONN)
    }

    @Test func journalIsReadFromDirectory() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        var journal: OpaquePointer?
        #expect(sd_journal_open_directory(&journal, directory.path, 0) == 0)
        defer { sd_journal_close(journal) }
        #expect(sd_journal_add_match(journal, "_SYSTEMD_UNIT=a.service", 0) == 0)
        #expect(sd_journal_next(journal) == 0)
        #expect(sd_journal_add_match(journal, "no match", 0) == -EINVAL)
    }

}
