import ConfigTestSupport
import Glibc
import RxDiagnostics
import RxJSON
import Testing

@testable import RxPipelines

struct SchemaTests {
    static let path = "\(repository)/Config/schema.json"
    private static let regenerate = "RX_WRITE_SCHEMA=1 swift test --filter SchemaTests"

    private func errors(_ text: String) throws -> [String] {
        let report = Report()
        let value = try #require(yaml(text).json(report))
        return try SchemaValidator(root: Plan.schema).errors(in: value)
    }

    /// The file that editors read, and that is installed.
    @Test func schemaFileMatchesReaders() throws {
        let schema = Plan.schemaText + "\n"
        if getenv("RX_WRITE_SCHEMA") != nil {
            let file = try #require(fopen(Self.path, "w"))
            fputs(schema, file)
            fclose(file)
        }
        let isSame = try text(of: Self.path) == schema
        #expect(isSame, "Config/schema.json is not what is read; write it again with \(Self.regenerate)")
        #expect(try JSON(parsing: Array(schema.utf8)) == Plan.schema)
    }

    @Test(arguments: shippedConfigs)
    func shippedConfigsAreValid(path: String) throws {
        #expect(try errors(text(of: path)) == [])
    }

    @Test func shippedConfigsExist() {
        #expect(shippedConfigs.contains { $0.hasSuffix("/rxwatchd.yaml") } && shippedConfigs.count > 1)
    }

    @Test func everyKindIsInSchema() {
        for (name, kinds) in [
            ("source", Registry.sources.names), ("step", Registry.steps.names), ("sink", Registry.sinks.names),
        ] {
            let definition = Plan.schema["$defs"]?[name]
            let mapping = definition?["anyOf"]?[0] ?? definition
            #expect(mapping?["properties"]?.object?.keys == kinds)
            for (kind, schema) in mapping?["properties"]?.object?.members ?? [] {
                #expect(schema.object?.isEmpty == false, "\(kind)")
            }
        }
    }

    /// Every key has a description that an editor can show.
    @Test func keysAreDescribed() {
        let interval = Plan.schema["$defs"]?["source"]?["properties"]?["interval"]
        let every = interval?["anyOf"]?[1]?["properties"]?["every"]
        #expect(
            every?["description"] == "The time between two ticks (a duration such as 10s, 1min 30s or 250ms)")
        #expect(Plan.schema["properties"]?.object?.keys.contains("daemon") == true)
    }

    /// A description that only gives a type does not say what a key is for.
    @Test func everyKeyAndKindHasDescription() {
        func check(_ schema: JSON, _ path: String) {
            for (name, property) in schema["properties"]?.object?.members ?? [] {
                let description = property["description"]?.string ?? ""
                #expect(description.first?.isUppercase == true, "\(path)/\(name): '\(description)'")
            }
            for (key, value) in schema.object?.members ?? [] {
                for member in value.array ?? [value] where key != "description" && key != "not" {
                    check(member, "\(path)/\(key)")
                }
            }
        }
        check(Plan.schema, "")
    }

    private static let running = "sources: { a: { interval: 1s } }\npipelines: { p: { from: a } }\n"

    @Test(arguments: [
        running, "sources:\npipelines:\n", "daemon: { drain: 5 }", "daemon:", "sources: { a: { interval: 5 } }",
        "sources: { a: { interval: '${N}' } }", "sources: { a: { interval: { every: 1min 30s, jitter: 1ms } } }",
        "sources: { a: { http: { url: http://x, every: 1s, verify: 'no', redirects: '${R:-5}', headers: { a: 1 } } } }",
        "sources: { a: { http: { url: http://x, every: 1s, expect: { status: [200, 300-302] } } } }",
        "sources: { a: { files: /etc }, b: { files: [/etc, /usr] }, c: { files: { paths: /x, events: created } } }",
        "pipelines: { p: { from: a, steps: [map: ., take: 3, distinctUntilChanged, distinctUntilChanged: .a, pairwise] } }",
        "pipelines: { p: { from: a, steps: [pairwise: , scan: { seed: [1, { a: ~ }], next: . }], to: [stdout, journal, stdout: ] } }",
        "pipelines: { p: { from: a, steps: [take: 3, take: { for: 10s }, flatMap: { http: { url: '{{.}}' } }] } }",
        "pipelines: { p: { combineLatest: { x: a, y: b } }, q: { merge: [a, b], onError: stop } }",
        "pipelines: { p: { from: a, onError: { to: q } }, q: { from: onError, to: [stdout] } }",
        "pipelines: { p: { from: a, share: { replay: 0, scope: forever }, to: [journal: x, journal: { priority: err }] } }",
    ])
    func validConfigs(text: String) throws {
        #expect(try errors(text) == [])
    }

    @Test(arguments: [
        ("surces: {}", ": unknown key 'surces'"), ("[]", ": [] is no [\"object\"]"),
        ("daemon: { drian: 5s }", "/daemon: unknown key 'drian'"),
        ("sources: { a: { intervall: 5s } }", "/sources/a: unknown key 'intervall'"),
        ("sources: { a: { interval: 5s, unit: x } }", "/sources/a: too many keys"),
        ("sources: { a: interval }", "/sources/a"), ("sources: { a: ~ }", "/sources/a"),
        ("sources: { a: { interval: { evry: 5s } } }", "/sources/a/interval: unknown key 'evry'"),
        ("sources: { a: { interval: soon } }", "/sources/a/interval: 'soon' does not match"),
        ("sources: { a: { http: { every: 1s } } }", "/sources/a/http: \"url\" is missing"),
        (
            "sources: { a: { http: { url: http://x, every: 1s, redirects: 101 } } }",
            "/sources/a/http/redirects: more than"
        ),
        ("sources: { a: { files: { paths: /x, events: creatd } } }", "/sources/a/files"),
        ("pipelines: { p: { from: a, steps: map } }", "/pipelines/p/steps"),
        ("pipelines: { p: { from: a, steps: [map] } }", "/pipelines/p/steps/0"),
        ("pipelines: { p: { from: a, steps: [take: { fro: 1s }] } }", "/pipelines/p/steps/0/take: unknown key 'fro'"),
        ("pipelines: { p: { from: a, steps: [groupBy: { key: ., steps: [tkae: 1] }] } }", "/pipelines/p/steps/0"),
        ("pipelines: { p: { from: a, steps: [take: x] } }", "/pipelines/p/steps/0/take"),
        ("pipelines: { p: { from: a, share: { scope: x } } }", "/pipelines/p/share/scope"),
        ("pipelines: { p: { from: a, to: [stdout: x] } }", "/pipelines/p/to/0/stdout"),
    ])
    func invalidConfigs(text: String, expected: String) throws {
        let found = try errors(text)
        #expect(found.contains { $0.hasPrefix(expected) }, "\(found)")
    }
}
