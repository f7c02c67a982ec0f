import ConfigTestSupport
import RxDiagnostics
import RxJSON
import RxPipelines
import RxYAML
import Testing

struct FieldsTests {
    enum Overlap: String, CaseIterable { case queue, latest, drop, cancel }

    struct Sample: Equatable {
        var every: Duration
        var name: String?
        var times: Int?
        var ratio: Double?
        var isOn: Bool?
        var paths: [String]?
        var overlap: Overlap?

        init?(_ fields: inout FieldReader) {
            let every = fields.required("every", .duration)
            name = fields.optional("name", .string("a name", example: "sshd"))
            times = fields.optional("times", .int(1...9))
            ratio = fields.optional("ratio", .number)
            isOn = fields.optional("on", .bool)
            paths = fields.optional("paths", .list(of: .string("a path", example: "/etc")))
            overlap = fields.optional("overlap", .choice())
            guard fields.finish(), let every else { return nil }
            self.every = every
        }
    }

    private func read(_ text: String) throws -> (sample: Sample?, complaints: [String]) {
        let context = ReadingContext()
        var fields = FieldReader(try yaml(text), in: "interval", short: "every", context)
        let sample = Sample(&fields)
        return (sample, complaints(context.report))
    }

    @Test func everyTypeIsRead() throws {
        let text = """
            every: 10s
            name: x
            times: 3
            ratio: 0.5
            on: yes
            paths: [/a, /b]
            overlap: latest
            """
        let sample = try #require(try read(text).sample)
        #expect(sample.every == .seconds(10) && sample.name == "x" && sample.times == 3 && sample.ratio == 0.5)
        #expect(sample.isOn == true && sample.paths == ["/a", "/b"] && sample.overlap == .latest)
    }

    @Test(arguments: ["10s", "'10s'", "{ every: 10s }"])
    func shortFormIsAccepted(text: String) throws {
        #expect(try read(text).sample?.every == .seconds(10))
    }

    @Test(arguments: [
        (
            "evry: 2s",
            ["1:1: unknown key 'evry' in interval; did you mean 'every'?"]
        ),
        (
            "{ evry: 2s, times: 1, xyz: 2 }",
            [
                "1:3: unknown key 'evry' in interval; did you mean 'every'?",
                "1:23: unknown key 'xyz' in interval; it takes every, name, times, ratio, on, paths, overlap",
            ]
        ),
        (
            "tmes: 2",
            [
                "1:1: interval needs 'every', a duration such as 10s, 1min 30s or 250ms",
                "1:1: unknown key 'tmes' in interval; did you mean 'times'?",
            ]
        ),
        (
            "{ every: 2s, zzzzz: 1 }",
            [
                "1:14: unknown key 'zzzzz' in interval; "
                    + "it takes every, name, times, ratio, on, paths, overlap"
            ]
        ),
        ("every: [1]", ["1:8: expected a duration such as 10s, 1min 30s or 250ms, found a list"]),
        ("every:", ["1:7: expected a duration such as 10s, 1min 30s or 250ms, found nothing"]),
        ("every: 5x", ["1:8: '5x' is not a duration: 'x' is not a unit; write for example 10s, 1min 30s or 250ms"]),
        ("[1]", ["1:1: expected a duration such as 10s, 1min 30s or 250ms, found a list"]),
        ("{ every: 1s, times: 10 }", ["1:21: expected a whole number from 1 to 9, found '10'"]),
        ("{ every: 1s, times: 1.5 }", ["1:21: expected a whole number from 1 to 9, found '1.5'"]),
        ("{ every: 1s, ratio: x }", ["1:21: expected a number such as 0.5, found 'x'"]),
        ("{ every: 1s, on: maybe }", ["1:18: expected true or false, found 'maybe'"]),
        ("{ every: 1s, name: '' }", ["1:20: expected a name such as sshd, found ''"]),
        ("{ every: 1s, name: { a: 1 } }", ["1:20: expected a name such as sshd, found a mapping"]),
        (
            "{ every: 1s, paths: /a }",
            ["1:21: expected a list, each element a path such as /etc, found '/a'; put it between '[' and ']'"]
        ),
        (
            "{ every: 1s, paths: [/a, [], ~] }",
            [
                "1:26: expected a path such as /etc, found an empty list",
                "1:30: expected a path such as /etc, found nothing",
            ]
        ),
        (
            "{ every: 1s, overlap: latset }",
            [
                "1:23: expected one of queue, latest, drop, cancel, "
                    + "found 'latset'; did you mean 'latest'?"
            ]
        ),
    ])
    func invalidFieldsAreReported(text: String, expected: [String]) throws {
        let (sample, complaints) = try read(text)
        #expect(sample == nil)
        #expect(complaints == expected)
    }

    @Test func allErrorsAreReportedAtOnce() throws {
        let (_, complaints) = try read("times: x\nratio: y\nnmae: z\n")
        #expect(complaints.map { $0.prefix(4) } == ["1:1:", "1:8:", "2:8:", "3:1:"])
    }

    @Test func missingMappingIsReportedOnce() throws {
        let context = ReadingContext()
        var fields = FieldReader(try yaml("[1]"), in: "interval", context)
        #expect(Sample(&fields) == nil)
        #expect(
            complaints(context.report) == [
                "1:1: interval needs a mapping of every, name, times, ratio, on, paths, overlap; found a list"
            ])
    }

    @Test func credentialIsNotShown() throws {
        let secret = YAMLNode(
            .scalar(.init(LocatedText("hunter2", at: start), isPlain: true, isSecret: true)), at: start)
        let context = ReadingContext()
        _ = FieldType.duration.read(secret, context)
        _ = FieldType.int.read(secret, context)
        _ = FieldType<Overlap>.choice().read(secret, context)
        #expect(context.report.count == 3)
        #expect(!"\(context.report.all)".contains("hunter2"))
    }

    @Test func validKeysAreListed() {
        let keys = FieldReader.keys { _ = Sample(&$0) }
        #expect(keys.map(\.name) == ["every", "name", "times", "ratio", "on", "paths", "overlap"])
        #expect(keys.map(\.isRequired) == [true] + Array(repeating: false, count: 6))
        #expect(keys[2].schema["anyOf"]?[0] == ["type": "integer", "minimum": 1, "maximum": 9])
        #expect(keys[6].schema["anyOf"]?[0] == ["enum": ["queue", "latest", "drop", "cancel"]])
    }

    @Test func customNamesKeepTheirOrder() throws {
        let context = ReadingContext()
        let values = FieldType.map(of: .int).read(try yaml("b: 1\na: 2"), context)
        #expect(values?.map(\.name) == ["b", "a"])
        #expect(FieldType.map(of: .int).read(try yaml("[1]"), context) == nil)
        #expect(
            complaints(context.report) == ["1:1: expected a mapping, each value a whole number such as 5, found a list"]
        )
    }

    @Test func invalidValueDoesNotHideOthers() throws {
        let context = ReadingContext()
        let values = FieldType.map(of: .int).read(try yaml("b: x\na: 2"), context)
        #expect(values?.map(\.name) == ["a"])
        #expect(FieldType.list(of: .int).read(try yaml("[1, y, 3]"), context) == [1, 3])
        #expect(
            complaints(context.report) == [
                "1:4: expected a whole number such as 5, found 'x'",
                "1:5: expected a whole number such as 5, found 'y'",
            ])
    }

    @Test(arguments: [
        ("99ms", "found '99ms'"), ("1d 1us", "found '1d 1us'"),
        ("9223372036854775807us", "found '9223372036854775807us'"),
    ])
    func durationOutOfBoundsIsError(text: String, found: String) throws {
        let context = ReadingContext()
        let type = FieldType.duration(.milliseconds(100) ... .seconds(86_400))
        #expect(type.read(try yaml("v: \(text)").mapping?.first?.value ?? yaml("v"), context) == nil)
        #expect(complaints(context.report) == ["1:4: expected a duration from 100ms to 1d, \(found)"])
        for good in ["100ms", "1d"] { #expect(type.read(try yaml(good), ReadingContext()) != nil) }
        let schema: JSON = [
            "$ref": "#/$defs/duration", "minimum": 0.1, "maximum": 86_400, "pattern": #"[1-9]|\$\{"#,
        ]
        #expect(type.schema == schema)
    }
}
