import Foundation
import RxJSON
import TestSupport
import Testing

@testable import rxwatchd

/// What an open page is sent: it must show the nodes of the latest status.
@Suite struct PageStatusTests {
    @Test func numberOfOpenPagesIsInTheManual() throws {
        let manual = try DeployedFile("man/rxwatchd.8").text
        #expect(manual.contains("Up to \(Page.maximumStreams) browsers may have it open"))
    }

    /// The nodes as a page holds them.
    private struct Shown: Equatable {
        var sections: [[JSON]] = []

        /// Makes the edits as the page does. Places that are not there trap.
        mutating func receive(_ message: [UInt8]) throws {
            let data = try PageStatusTests.data(of: message)
            for stage in try #require(data["stages"]?.array) {
                if let all = stage["sections"]?.array { sections = all.map { $0["nodes"]?.array ?? [] } }
                for edit in stage["updated"]?.array ?? [] {
                    let (section, index) = try place(edit)
                    sections[section][index] = try #require(edit[2])
                }
                for edit in stage["removed"]?.array ?? [] {
                    let (section, index) = try place(edit)
                    sections[section].remove(at: index)
                }
                for edit in stage["inserted"]?.array ?? [] {
                    let (section, index) = try place(edit)
                    sections[section].insert(try #require(edit[2]), at: index)
                }
            }
        }

        private func place(_ edit: JSON) throws -> (Int, Int) {
            (Int(try #require(edit[0]?.number)), Int(try #require(edit[1]?.number)))
        }
    }

    /// The data of a server-sent event.
    private static func data(of message: [UInt8]) throws -> JSON {
        let text = String(decoding: message, as: UTF8.self)
        let start = try #require(text.range(of: "event: status\ndata: "))
        #expect(start.lowerBound == text.startIndex && text.hasSuffix("\n\n"))
        return try JSON(parsing: Array(text[start.upperBound...].utf8))
    }

    /// A status with these sources and pipelines: `a1` is the node a in state 1.
    private func status(_ sources: [String], _ pipelines: [String]) -> JSON {
        func nodes(_ all: [String]) -> JSON {
            .object(
                JSON.Object(
                    uniqueKeysWithValues: all.map { (String($0.prefix(1)), ["state": .string(String($0.dropFirst()))]) }
                ))
        }
        return ["version": "1", "sources": nodes(sources), "pipelines": nodes(pipelines)]
    }

    private func shown(_ sources: [String], _ pipelines: [String]) -> Shown {
        func nodes(_ all: [String]) -> [JSON] {
            all.map { ["state": .string(String($0.dropFirst())), "name": .string(String($0.prefix(1)))] }
        }
        return Shown(sections: [nodes(sources), nodes(pipelines)])
    }

    /// All orders of all parts of a, b and c, in two states.
    private static let lists: [[String]] = {
        let names = [
            "", "a", "b", "c", "ab", "ba", "ac", "ca", "bc", "cb", "abc", "acb", "bac", "bca", "cab", "cba",
        ]
        return names.flatMap { text in ["1", "2"].map { state in text.map { "\($0)\(state)" } } }
    }()

    @Test func pageFollowsAnyChange() throws {
        for old in Self.lists {
            for new in Self.lists {
                let first = PageStatus(status(["x1"], old), after: nil)
                let second = PageStatus(status(new.map { "\($0)" }, ["x1", "y2"]), after: first)
                let third = PageStatus(status(["x1", "z3"], new), after: second)
                var page = Shown()
                try page.receive(first.whole)
                #expect(page == shown(["x1"], old))
                try page.receive(second.changes)
                #expect(page == shown(new, ["x1", "y2"]))
                try page.receive(third.changes)
                #expect(page == shown(["x1", "z3"], new))
                // A page that has missed one.
                var late = Shown()
                try late.receive(third.whole)
                #expect(late == page)
            }
        }
    }

    @Test func onlyChangedNodesAreSent() throws {
        let first = PageStatus(status(["a1", "b1"], ["c1"]), after: nil)
        let same = PageStatus(status(["a1", "b1"], ["c1"]), after: first)
        #expect(try Self.data(of: same.changes) == ["version": "1", "stages": []])
        let other = PageStatus(status(["a1", "b2"], ["c1"]), after: same)
        #expect(
            try Self.data(of: other.changes) == [
                "version": "1",
                "stages": [
                    ["updated": [[0, 1, ["state": "2", "name": "b"]]], "removed": [], "inserted": []]
                ],
            ])
    }
}
