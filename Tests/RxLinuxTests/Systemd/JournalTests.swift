import Glibc
import RxLinux
import Testing

struct JournalTests {
    @Test(arguments: [
        ("MESSAGE", true),
        ("RX_KIND", true),
        ("A", true),
        ("A1_", true),
        (String(repeating: "A", count: 64), true),
        (String(repeating: "A", count: 65), false),
        ("", false),
        ("_PID", false),
        ("1A", false),
        ("message", false),
        ("RX KIND", false),
        ("RX-KIND", false),
        ("RX=KIND", false),
        ("ÄRGER", false),
        ("RX\n", false),
    ])
    func journaldTakesUpperCaseNames(name: String, isValid: Bool) {
        #expect(JournalField(name, "").isValid == isValid)
    }

    @Test func fieldMayHaveAnyBytes() {
        #expect(JournalField("A", "ä\n").value == [0xC3, 0xA4, 0x0A])
        #expect(JournalField("A", bytes: [0, 0xFF]).value == [0, 0xFF])
    }

    @Test func journalStreamNamesStandardError() async {
        await #expect(processExitsWith: .success) {
            var status = stat()
            #expect(fstat(STDERR_FILENO, &status) == 0)
            let table: [(stream: String?, Bool)] = [
                ("\(status.st_dev):\(status.st_ino)", true),
                ("\(status.st_dev):\(status.st_ino + 1)", false),
                ("\(status.st_dev + 1):\(status.st_ino)", false),
                ("", false),
                (nil, false),
            ]
            for (stream, isJournal) in table {
                if let stream { setenv("JOURNAL_STREAM", stream, 1) } else { unsetenv("JOURNAL_STREAM") }
                #expect(Journal.isStandardError == isJournal, "\(stream ?? "-")")
            }
            setenv("JOURNAL_STREAM", "\(status.st_dev):\(status.st_ino)", 1)
            close(STDERR_FILENO)
            #expect(!Journal.isStandardError)
        }
    }
}
