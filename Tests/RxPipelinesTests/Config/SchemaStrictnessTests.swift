import ConfigTestSupport
import RxDiagnostics
import Testing

@testable import RxPipelines

/// If a schema can express it, the schema rejects what the reader rejects, and accepts what the reader accepts.
struct SchemaStrictnessTests {
    private static let schema = SchemaValidator(root: Plan.schema)

    private func isRefused(_ text: String) -> Bool {
        let environment = ["N": "1s", "PATHS": "/a", "WORD": "x"]
        do throws(Diagnostics) {
            _ = try LoadedConfig([("t.yaml", Array(text.utf8))], Substitution(environment: environment))
            return false
        } catch {
            return true
        }
    }

    private func errors(_ text: String) throws -> [String] {
        let value = try #require(yaml(text).json(Report()))
        return try Self.schema.errors(in: value)
    }

    private static func source(_ text: String) -> String {
        "sources: { a: { \(text) } }\npipelines: { p: { from: a } }"
    }

    private static func step(_ text: String) -> String { pipeline("from: a, steps: [\(text)]") }
    private static func sink(_ text: String) -> String { pipeline("from: a, to: [\(text)]") }

    private static func pipeline(_ text: String) -> String {
        "sources: { a: { interval: 1s } }\npipelines: { p: { \(text) } }"
    }

    // MARK: rejected by both

    private static let badSources = [
        "", "intervall: 1s", "interval: 1s, unit: a.service", "interval: {}", "interval: 0", "interval: -1s",
        "interval: 5x", "interval: 1 s s", "interval: .", "interval: ''", "interval: [1s]", "interval: true",
        "interval: { every: 1s, delya: 1s }", "interval: { every: 1s, align: mars }",
        "http: http://x/", "http: { url: http://x/ }", "http: { every: 1s }", "http: { url: ftp://x/, every: 1s }",
        "http: { url: http://x/, every: 0s }", "http: { url: http://x/, every: 1 }, unit: a.service",
        "http: { url: http://x/, every: 1s, redirects: 101 }", "http: { url: http://x/, every: 1s, redirects: x }",
        "http: { url: http://x/, every: 1s, verify: perhaps }", "http: { url: http://x/, every: 1s, headers: [a] }",
        "http: { url: http://x/, every: 1s, expect: { status: [] } }", "http: { url: '', every: 1s }",
        "http: { url: http://x/, every: 1s, expect: { status: 20 } }",
        "http: { url: http://x/, every: 1s, expect: { status: [200-] } }",
        "http: { url: http://x/, every: 1s, expect: { state: 200 } }",
        "command: { run: [df] }", "command: { run: [], every: 1s }", "command: { run: [''], every: 1s }",
        "command: { run: df, every: 1s }", "command: { every: 1s }", "command: { run: [[df]], every: 1s }",
        "command: { run: [df], every: 1s, timeout: 0s }", "command: { run: [df], every: 1s, directory: '' }",
        "files: []", "files: a/b", "files: { paths: [/a, b] }", "files: { paths: [] }", "files: {}",
        "files: { paths: /a, events: [] }", "files: { paths: /a, events: creatd }", "files: { paths: /a, poll: 0 }",
        "files: { paths: /a, recursive: perhaps }", "files: { paths: /a, settle: soon }",
        "unit: nginx", "unit: a.servic", "unit: 'a b.service'", "unit: {}", "unit: { nam: a.service }",
        "http: { url: http://x/, every: 1s, headers: { 'a b': c } }",
        "http: { url: http://x/, every: 1s, method: 'GE T' }",
        "http: { url: http://x/, every: 1s, bearerFile: /t, user: u }",
        "http: { url: http://x/, every: 1s, password: p }", "http: { url: http://x/, every: 1s, passwordFile: /p }",
        "http: { url: http://x/, every: 1s, user: u, password: p, passwordFile: /p }",
        "http: { url: http://x/, every: 1s, key: /k }", "http: { url: http://x/, every: 1s, proxy: ftp://a }",
        "http: { url: http://x/, every: 1s, minimumTLS: 1.3 }", "http: { url: http://x/, every: 1s, family: ipv5 }",
        "http: { url: http://x/, every: 1s, connectTimeout: 0 }", "http: { url: http://x/, every: 1s, socket: '' }",
        "journal: { match: { unit: x } }", "journal: { match: { __CURSOR: x } }",
        "journal: x", "journal: { match: [] }", "journal: { match: { A: [] } }", "journal: { match: { A: { B: c } } }",
    ].map(source)

    private static let badSteps = [
        "tkae: 1", "map", "map: ''", "map: ' '", "map: [.]", "take: -1", "take: x", "take: { for: x }",
        "take: { count: 1 }", "take: 1000001", "debounce: 0s", "debounce: { span: 1s }", "delay: 0",
        "scan: { seed: 0 }", "scan: { next: '' }", "scan: .", "buffer: {}", "buffer: 5", "buffer: { skip: 1 }",
        "buffer: { skip: 1, span: 1s }", "buffer: { skip: 1, span: 1s, count: 2 }", "buffer: { count: 0 }",
        "window: { steps: [] }", "window: { span: 1s }", "window: { span: 0s, steps: [] }",
        "window: { span: 1s, steps: [tkae: 1] }", "groupBy: { key: . }", "groupBy: { steps: [] }",
        "groupBy: { key: ., steps: {} }", "retry: {}", "retry", "retry: 5", "retry: { times: 5 }",
        "retry: { delay: 0s }", "retry: { delay: 1s, backoff: 1s..2s }", "retry: { backoff: 1s }",
        "retry: { backoff: 0s..1s }", "retry: { backoff: 1s..x }", "retry: { backoff: 1s...2s }",
        "retry: { delay: 1s, jitter: 2 }",
        "retry: { delay: 1s, jitter: x }", "tag", "tag: ''", "catch", "catch: 1", "catch: {}",
        "throttle: { latest: true }",
        "throttle: 0s", "throttle: { span: 1s, latest: perhaps }", "timeout: { other: a }", "timeout: 0s",
        "withLatestFrom: { map: . }", "withLatestFrom: ''", "withLatestFrom: 'a b'", "takeUntil", "sample: 'a/b'",
        "pairwise: 1", "toArray: 1", "materialize: {}", "checkpoint: ''", "checkpoint", "elementAt: -1",
        "distinctUntilChanged: { of: . }", "flatMap", "flatMap: x", "flatMap: 5", "flatMap: {}",
        "flatMap: { map: . }", "flatMap: { htpt: { url: http://x/ } }", "flatMap: { http: { every: 1s } }",
        "flatMap: { http: { url: http://x/ }, files: /a }", "flatMap: { http: { url: http://x/ }, map: '' }",
        "flatMap: { http: { url: http://x/ }, retry: 3 }", "flatMap: { http: { url: http://x/ }, retry: { times: 3 } }",
        "flatMap: { http: { url: x } }", "concatMap: { interval: { } }", "concatMap: { files: [] }",
        "flatMapLatest: { http: { url: 'http://x/{{.}}', redirects: 101 } }",
        "flatMapFirst: { command: { run: ['{{.}}'], evry: 1s } }", "flatMapFirst: { unit: x }",
        "flatMap: { journal: { match: { A: [] } } }", "flatMap: { http: { url: http://x/ }, mpa: . }",
    ].map(step)

    private static let badSinks = [
        "stduot", "stdout: x", "stdout: { onReplay: never }", "journal: []", "journal: { massage: x }",
        "journal: { priority: error }",
        "journal: { fields: { a: x } }", "journal: { fields: { RX_A: x } }", "journal: { fields: { MESSAGE: x } }",
        "journal: { fields: { A: [x] } }", "journal: { fields: { 1A: x } }", "file", "file: ''", "file: a/b",
        "file: { format: x }", "file: { path: /a, mode: 999 }", "file: { path: /a, mode: rw }",
        "file: { path: /a, queue: 0 }", "file: { path: /a, overlap: drop }", "file: 'a/{{.}}'", "file: '{{.}}'",
        "file: { path: /a, overflow: drop }",
        "command: [a]", "command: { run: [] }", "command: { run: [''] }", "command: { timeout: 1s }",
        "command: { run: [a], overlap: always }", "command: { run: [a], overlap: drop, queue: 5 }",
        "command: { run: [a], overlap: latest, overflow: dropOldest }",
        "command: { run: [a], environment: { RX_A: x } }",
        "command: { run: [a], environment: { 'A B': x } }", "command: { run: [a], environment: [A] }",
        "http", "http: x", "http: { method: GET }", "http: { url: ftp://x/ }", "http: { url: http://x/, retry: x }",
        "http: { url: http://x/, retry: { times: 1001 } }", "http: { url: 'x{{.}}' }",
        "http: { url: http://x/, retry: { delay: 1s, backoff: 1s..2s } }",
        "http: { url: http://x/, overlap: drop, queue: 1 }",
        "unit", "unit: {}", "unit: a.service", "unit: { reload: a.service, start: b.service }",
        "unit: { reload: nginx }",
        "unit: { mode: replace }", "unit: { start: a.service, mode: x }", "unit: { reload: a.service, timeout: 0 }",
    ].map(sink)

    private static let badWholes =
        [
            "", "from: a, merge: [a]", "merge: [a], zip: [a]", "merge: []", "merge: {}", "merge: a", "merge: [a, ' ']",
            "combineLatest: { x: [a] }", "from: [a]", "from: ''", "from: 'a b'", "from: a, steps: map",
            "from: a, to: stdout",
            "from: a, share: 1", "from: a, share: { replay: -1 }", "from: a, share: { scope: never }",
            "from: a, onError: retry", "from: a, onError: {}", "from: a, onError: { to: [] }",
            "from: a, onError: { to: b, policy: stop }",
            "from: a, onError: { to: [stdoutt: ] }", "from: a, form: a", "form: a", "steps: [map: .]",
        ].map(pipeline) + [
            "[]", "5", "sources: []", "pipelines: 1", "daemon: 5s", "daemon: { drian: 5s }",
            "daemon: { resources: 0s }",
            "daemon: { drain: soon }", "surces: {}", "sources: { 'a b': { interval: 1s } }", "sources: { a: interval }",
            "sources: { a: ~ }", "sources: { '': { interval: 1s } }", "pipelines: { a/b: { from: a } }",
            "pipelines: { p: 5 }",
            "pipelines: { p: }",
        ]

    @Test(arguments: badSources + badSteps + badSinks + badWholes)
    func rejectedBySchemaAndReader(text: String) throws {
        #expect(isRefused(text), "the reader takes it")
        #expect(try !errors(text).isEmpty, "the schema takes it")
    }

    // MARK: accepted by both

    private static let good =
        [
            "interval: 5", "interval: 1.5", "interval: ' 1min 30s'", "interval: 1min30s", "interval: '${N}'",
            "interval: 1h 5", "interval: { every: .5s, jitter: 0, delay: 0s }", "interval: { every: 1M, align: utc }",
            "http: { url: HTTPS://x/, every: 1s }", "http: { url: 'http://${WORD}/', every: '${N}', redirects: '5' }",
            "http: { url: http://x/, every: 1s, headers: { a: 1, b: true }, verify: 'no', expect: { status: 204 } }",
            "http: { url: http://x/, every: 1s, expect: { status: [200-299, '304'] } }",
            "http: { url: http://x/, every: 1s, user: u, passwordFile: /p, certificate: /c, key: /k, minimumTLS: TLSv1.3 }",
            "http: { url: http://x/, every: 1s, user: u, proxy: none, socket: '@s', family: ipv4, connectTimeout: 1s }",
            "http: { url: http://x/, every: 1s, bearerFile: /t, proxy: SOCKS5H://p:1080, certificate: /c }",
            "command: { run: [df, ''], every: 10 }", "files: /a", "files: [/a, '${PATHS}']",
            "files: { paths: /a, include: [], exclude: x, events: [created, moved], recursive: yes, settle: 0 }",
            "unit: a@b.service", "unit: { name: x.timer }", "journal: {}", "journal: { match: { A: b, C: [d, 5] } }",
        ].map(source)
        + [
            "map: .", "map: 5", "take: 0", "take: '3'", "take: { for: 0 }", "scan: { next: ., seed: { a: [~] } }",
            "buffer: { span: 1s, count: 2 }", "buffer: { count: 2, skip: 1 }", "window: { count: 1, steps: [] }",
            "retry: { delay: 1 }", "retry: { backoff: 1s..1min, jitter: '0.2', times: 3 }", "catch: { return: ~ }",
            "startWith: ~", "startWith: [1]", "ifEmpty: { a: 1 }", "throttle: 30s", "timeout: { after: 1h, other: a }",
            "tag: x", "debug", "debug: x", "single", "single: .ok", "distinctUntilChanged",
            "distinctUntilChanged: { by: .a }",
            "flatMap: { http: { url: 'http://x/{{.}}' } }",
            "flatMap: { http: { url: '{{.}}', verify: '{{.v}}' }, map: .ok }",
            "concatMap: { http: { url: http://x/, redirects: '{{.}}', expect: { status: '{{.}}' } } }",
            "flatMap: { http: { url: '{{.url}}' } }", "flatMap: { files: { paths: [/a, '{{.p}}'] } }",
            "concatMap: { files: '{{.path}}' }",
            "flatMapLatest: { files: { paths: [/a, '{{.p}}'], recursive: '{{.r}}' } }",
            "flatMapFirst: { command: { run: ['{{.}}'] } }", "flatMapFirst: { interval: '{{.}}' }",
            "flatMap: { unit: '{{.}}.service' }", "flatMap: { journal: { match: { A: '{{.}}' } } }",
            "groupBy: { key: .path, steps: [flatMap: { files: '{{.}}' }] }",
        ].map(step)
        + [
            "file: '/a/{{.}}'", "stdout", "stdout: ", "journal", "journal: ''",
            "journal: { priority: err, fields: { A: '{{.}}' } }",
            "file: /a", "file: { path: /a, mode: '0640', queue: 5, overflow: dropNewest }",
            "file: { path: /a, mode: 640 }",
            "command: { run: ['{{.}}'], overlap: queue, queue: 1 }", "command: { run: [a], retry: { delay: 1s } }",
            "unit: { stop: a.service, retry: { times: 3, backoff: 1s..1min, jitter: 0.1 } }",
            "command: { run: [a], overlap: latest }",
            "command: { run: [a], environment: { A: '{{.}}', b_1: 5 } }", "http: http://x/", "http: '{{.url}}'",
            "http: { url: 'https://{{.}}/', retry: 5 }", "http: { url: http://x/, retry: { backoff: 1s..1min } }",
            "unit: { reload: nginx.service }", "unit: { start: '{{.}}', mode: replace-irreversibly }",
        ].map(sink)
        + [
            "from: a", "merge: [a, a]", "combineLatest: { x: a, 'y z': a }", "from: a, share: {}",
            "from: a, onError: exit", "from: a, onError: { policy: stop }", "from: a, onError: { to: stdout }",
            "from: a, onError: { to: [{ file: /x }, journal] }",
            "from: '${WORD}${WORD}', steps: []",
        ].map(pipeline).filter { !$0.contains("WORD}$") }

    @Test(arguments: good) func acceptedBySchemaAndReader(text: String) throws {
        #expect(!isRefused(text), "the reader refuses it")
        #expect(try errors(text) == [])
    }
}
