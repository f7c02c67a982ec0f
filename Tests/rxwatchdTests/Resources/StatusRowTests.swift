import Testing

@testable import rxwatchd

struct StatusRowTests {
    private func row() -> StatusRow {
        var row = StatusRow("  pipeline", "p", "running")
        row.add("last event 3s ago", .lastEvent, cause: "certs:/etc/a")
        row.add("id certs:7", .id)
        row.add("4 a minute", .rate)
        row.add(nil, .next)
        row.add("0 queued", .nothing)
        row.add("2 dropped", .waiting)
        row.add("22 live objects", .objects)
        row.add("value 0123456789", .value, cutTo: 10)
        return row
    }

    @Test(
        arguments: [
            (
                200,
                "  pipeline p: running, last event 3s ago (certs:/etc/a), id certs:7, 4 a minute, 0 queued, 2 dropped, "
                    + "22 live objects, value 0123456789"
            ),
            (
                108,
                "  pipeline p: running, last event 3s ago (certs:/etc/a), id certs:7, 4 a minute, 2 dropped, "
                    + "value 0123456789"
            ),
            (80, "  pipeline p: running, last event 3s ago (certs:/etc/a), id certs:7, 2 dropped"),
            (58, "  pipeline p: running, last event 3s ago, 2 dropped"),
            (50, "  pipeline p: running, last event 3s ago, 0 queued"), (30, "  pipeline p: running"),
            (15, "  pipeline p: …"),
        ] as [(Int, String)])
    func lessImportantFactsAreLeftOut(columns: Int, text: String) {
        #expect(row().text(columns: columns) == text)
    }

    /// The cause is left out as a whole before what comes next is.
    @Test(
        arguments: [
            (90, "  source api: armed, last event 3s ago (files:/srv/incoming/orders.csv), next in 7s"),
            (80, "  source api: armed, last event 3s ago, next in 7s"), (40, "  source api: armed, last event 3s ago"),
        ] as [(Int, String)])
    func nextEventMattersMoreThanCause(columns: Int, text: String) {
        var row = StatusRow("  source", "api", "armed")
        row.add("last event 3s ago", .lastEvent, cause: "files:/srv/incoming/orders.csv")
        row.add("next in 7s", .next)
        #expect(row.text(columns: columns) == text)
    }

    /// The middle of a long name is left out, and its state stays.
    @Test(
        arguments: [
            (110, "  source \(String(repeating: "n", count: 60))-last: not armed, last event 3s ago"),
            (80, "  source nnnnnnnnnnnnnnnnnnnnnnnnnnn…nnnnnnnnnnnnnnnnnnnnn-last: not armed, last event 3s ago"),
            (60, "  source nnnnnnnnnnnnnnn…nnnnnnnnn-last: not armed"), (20, "  source nnnn…ast: …"),
        ] as [(Int, String)])
    func stateOfLongNameIsShown(columns: Int, text: String) {
        var row = StatusRow("  source", String(repeating: "n", count: 60) + "-last", "not armed")
        row.add("last event 3s ago", .lastEvent)
        let line = row.text(columns: columns)
        #expect(line.count <= columns)
        #expect(columns == 80 ? line.hasSuffix("-last: not armed, last event 3s ago") : line == text, "\(line)")
    }

    @Test func everyLineFits() {
        for columns in 1...200 { #expect(row().text(columns: columns).count <= columns) }
    }

    @Test(
        arguments: [
            ([], 0, 80, "0 of 0 nodes fail"), ([], 3, 80, "0 of 3 nodes fail"),
            (["a"], 1, 80, "1 of 1 node fails: a"), (["cert", "api"], 14, 80, "2 of 14 nodes fail: cert, api"),
            (["cert", "api", "down", "mail"], 14, 41, "4 of 14 nodes fail: cert, api, down, mail"),
            (["cert", "api", "down", "mail"], 14, 40, "4 of 14 nodes fail: cert, api and 2 more"),
            (["cert", "api", "down", "mail"], 14, 39, "4 of 14 nodes fail: cert and 3 more"),
            (["certificates"], 14, 24, "1 of 14 nodes fails: ce…"),
        ] as [([String], Int, Int, String)])
    func headlineNamesWhatFails(failing: [String], count: Int, columns: Int, text: String) {
        #expect(FailureHeadline.text(failing, of: count, columns: columns) == text)
    }
}
