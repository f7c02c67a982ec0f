import ConfigTestSupport
import RxJQ
import RxJSON
import TestSupport
import Testing

/// Values that are made of others, whatever their representation.
struct JQValueTests {
    private static let json: JSON = ["n": 1, "text": "a text of more than 15 bytes", "list": [1, [2, .null]]]

    /// The same value as JSON, and as the output of an expression, in two arenas.
    private static func values(_ arenas: [JQArena]) throws -> [JQValue] {
        let identity = try JQProgram(".", at: start)
        return try [JQValue(json), .plain(json)]
            + arenas.map { try #require(try identity.run(JQValue(json), [:], in: $0).first) }
    }

    @Test func valuesMadeOfValuesEqualTheirJSON() throws {
        let arenas = [JQArena(compilingAfter: 0), JQArena(compilingAfter: 0)]
        let program = try JQProgram("[., .. | numbers]", at: start)
        for value in try Self.values(arenas) {
            let pairs: [(JQValue, JSON)] = [
                ([value, JQValue(2)], [Self.json, 2]),
                (["a": value, "b": [value]], ["a": Self.json, "b": [Self.json]]),
                (value.setting("more", to: value), Self.changed("more", Self.json)),
                (value.setting("n", to: ["x": value]), Self.changed("n", ["x": Self.json])),
                (JQValue([] as [JQValue]), []), (JQValue(uniqueKeysWithValues: []), [:]),
            ]
            for (made, expected) in pairs {
                // In an arena before it is converted, and after that; and converted first.
                for arena in arenas {
                    let outputs = try program.run(made, [:], in: arena)
                    #expect(try outputs.map(\.json) == program.run(expected))
                }
                #expect(made.json == expected && made.isTruthy && !made.isNull)
                #expect(made.isObject == (expected.object != nil))
            }
        }
    }

    private static func changed(_ key: String, _ value: JSON) -> JSON {
        var json = json
        json[key] = value
        return json
    }

    @Test func membersAreReadWithoutConvertingOthers() throws {
        let arena = JQArena(compilingAfter: 0)
        for value in try Self.values([arena]) {
            let made: JQValue = ["a": value, "n": JQValue(0)]
            for object in [value, value.setting("other", to: JQValue(true)), made.setting("text", to: JQValue("x"))] {
                for key in ["n", "text", "list", "other", "a", "none", ""] {
                    #expect(object[key]?.json == object.json[key])
                }
            }
            #expect(([JQValue("x")] as JQValue)["x"] == nil && JQValue(1)["x"] == nil && JQValue("n")["n"] == nil)
        }
    }

    @Test func equalityMatchesJSON() throws {
        let arenas = [JQArena(compilingAfter: 0), JQArena(compilingAfter: 0)]
        let turned = try JQProgram("to_entries | reverse | from_entries", at: start)
        let alike =
            try Self.values(arenas) + arenas.map { try #require(turned.run(JQValue(Self.json), [:], in: $0).first) }
        let others = try ["[.]", ".n = 2", "del(.n)", ".text"].map { text in
            try #require(try JQProgram(text, at: start).run(alike[0], [:], in: arenas[0]).first)
        }
        for left in alike {
            for right in alike { #expect(left == right && [left] as JQValue == [right]) }
            for right in others { #expect(left != right && right == right) }
        }
        #expect(JQValue(1) == .plain(1) && JQValue(.null) == .null && JQValue("") != .null)
    }

    /// Two threads use a value of one arena in another, and convert it.
    @Test func valuesAreUsedByManyThreads() async throws {
        let arenas = (0..<3).map { _ in JQArena(compilingAfter: 0) }
        let program = try JQProgram(".a.n + .b[0].n", at: start)
        for round in 0..<20 {
            let values = try Self.values(arenas)
            let made: JQValue = ["a": values[2 + round % 3], "b": [values[2 + (round + 1) % 3]]]
            try await withThrowingTaskGroup(of: JSON?.self) { group in
                for thread in 0..<6 {
                    group.addTask {
                        thread < 3
                            ? try program.run(made, [:], in: arenas[thread]).first?.json
                            : .number((made.json["a"]?["n"]?.number ?? 0) + 1)
                    }
                }
                for try await sum in group { #expect(sum == 2) }
            }
        }
    }
}
