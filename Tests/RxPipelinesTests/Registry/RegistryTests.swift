import ConfigTestSupport
import RxEngine
import RxPipelines
import RxYAML
import Testing

struct RegistryTests {
    @Test func kindsOfSourcesStepsAndSinks() {
        #expect(Registry.sources.names == ["command", "files", "http", "interval", "journal", "unit"])
        #expect(
            Registry.steps.names == [
                "buffer", "catch", "checkpoint", "compactMap", "concatMap", "debounce", "debug", "delay",
                "delaySubscription", "dematerialize", "distinctUntilChanged", "elementAt", "enumerated", "filter",
                "first", "flatMap", "flatMapFirst", "flatMapLatest", "groupBy", "ifEmpty", "ignoreElements", "map",
                "materialize", "pairwise", "reduce", "retry", "sample", "scan", "single", "skip", "skipUntil",
                "skipWhile", "startWith", "tag", "take", "takeLast", "takeUntil", "takeWhile", "throttle", "timeout",
                "timestamp", "toArray", "window", "withLatestFrom",
            ])
        #expect(Registry.sinks.names == ["command", "file", "http", "journal", "stdout", "unit"])
    }

    @Test(arguments: Registry.sources.names + Registry.steps.names + Registry.sinks.names)
    func everyKindIsInManual(name: String) throws {
        let manual = try text(of: "\(repository)/deploy/man/rxwatchd.yaml.5")
        let entries = manual.split(separator: "\n").filter { $0.hasPrefix(".It Ic ") }
        #expect(entries.contains { $0.split(separator: " ")[2] == name })
    }

    /// Every key of the schema is named after a macro for keys.
    @Test func everyKeyIsInManual() throws {
        let manual = try text(of: "\(repository)/deploy/man/rxwatchd.yaml.5")
        let words = manual.split(separator: "\n").filter {
            $0.split(separator: " ").contains { $0 == "Ic" || $0 == ".Ic" }
        }
        .flatMap { $0.split { !$0.isLetter } }
        let keys = try self.keys(of: yaml(text(of: "\(repository)/Config/schema.json")))
        #expect(keys.count > 100 && keys.subtracting(words.map(String.init)) == [])
    }

    /// The manual describes no key, kind or word that the configuration does not have.
    @Test func manualHasNothingElse() throws {
        let manual = try text(of: "\(repository)/deploy/man/rxwatchd.yaml.5")
        let items = manual.split(separator: "\n").filter { $0.hasPrefix(".It Ic ") }
            .compactMap { $0.dropFirst(7).split(separator: " ").first.map(String.init) }
            .filter { $0.allSatisfy(\.isLetter) }
        let schema = try yaml(text(of: "\(repository)/Config/schema.json"))
        let kinds = Registry.sources.names + Registry.steps.names + Registry.sinks.names
        let known = keys(of: schema).union(kinds).union(words(of: schema))
        #expect(items.count > 80 && Set(items).subtracting(known) == [])
    }

    /// The words that values are chosen from in a part of the schema.
    private func words(of part: YAMLNode) -> Set<String> {
        var found: Set<String> = []
        for member in part.mapping ?? [] {
            let choices = member.key == "enum" ? member.value.sequence ?? [] : []
            found.formUnion(choices.compactMap { $0.scalar?.text.text })
            found.formUnion(words(of: member.value))
        }
        for item in part.sequence ?? [] { found.formUnion(words(of: item)) }
        return found
    }

    /// The names of the properties in a part of the schema.
    private func keys(of part: YAMLNode) -> Set<String> {
        var keys: Set<String> = []
        for member in part.mapping ?? [] {
            if member.key == "properties" { keys.formUnion((member.value.mapping ?? []).map(\.key)) }
            keys.formUnion(self.keys(of: member.value))
        }
        for item in part.sequence ?? [] { keys.formUnion(self.keys(of: item)) }
        return keys
    }

    /// Every operator of the engine that makes sense in a configuration is available under its name.
    @Test func everyEngineOperatorIsInConfig() {
        let others: [Operator: String] = [
            .catchError: "catch", .combineLatest: "combineLatest", .merge: "merge", .zip: "zip", .concat: "concat",
            .amb: "amb",
        ]
        let combinations = InputNodes.Combination.allCases.map(\.rawValue)
        // The operators that do not apply to a stream of events: those that create or share streams (`share:` does
        // that), select schedulers, or deal with Swift's types.
        let none: Set<Operator> = [
            .custom, .asObservable, .asyncSequence, .create, .deferred, .empty, .error, .from, .generate, .interval,
            .just,
            .never, .of, .range, .repeatElement, .timer, .using, .decode, .withUnretained, .asMaybe, .asSingle,
            .switchLatest, .multicast, .publish, .refCount, .replay, .share, .charged, .counted, .do, .observeOn,
            .subscribeOn,
            .asyncSubject, .behaviorSubject, .publishSubject, .replaySubject, .control, .retryWhen, .cast,
            .onTerminateDetach, .repeat, .repeatWhen, .serialized, .switchOnFirst, .concatEager, .expand,
            .mapAsync,
        ]
        // What other steps do: `throttle`, `concatMap`, `scan` with `filter`, `map`, `buffer`, `timestamp` and `compactMap`.
        let replaced: Set<Operator> = [
            .auditTime, .concatMapEager, .distinct, .mapTo, .pausableBuffered, .skipLast, .timeInterval, .unwrap,
        ]
        for operation in Operator.allCases where !none.contains(operation) && !replaced.contains(operation) {
            let name = others[operation] ?? "\(operation)"
            #expect(Registry.steps.names.contains(name) || combinations.contains(name), "\(name)")
        }
    }

    @Test func kindIsMappingOfOneKeyOrName() throws {
        let table = KindTable<String>(
            "fruit",
            [
                "apple": { node, _ in node.isNull ? "apple" : "apple \(node.scalar?.text.text ?? "of many")" },
                "pear": { _, context in
                    context.report.add("no pears today", at: start)
                    return nil
                },
            ])
        let context = ReadingContext()
        func read(_ text: String) throws -> String? {
            try table.type.read(yaml(text), context).map { "\($0.name): \($0.kind)" }
        }
        #expect(try read("apple") == "apple: apple")
        #expect(try read("'apple'") == "apple: apple")
        #expect(try read("apple:") == "apple: apple")
        #expect(try read("apple: red") == "apple: apple red")
        #expect(try read("{ apple: [] }") == "apple: apple of many")
        #expect(context.report.isEmpty)

        #expect(try read("pear") == nil)
        #expect(try read("aple") == nil)
        #expect(try read("- plum:") == nil)
        #expect(try read("apple: red\npear: green") == nil)
        #expect(
            complaints(context.report) == [
                "1:1: no pears today",
                "1:1: unknown fruit 'aple'; did you mean 'apple'?",
                "1:1: expected a fruit (one of apple, pear), found a list",
                "2:1: a fruit has one kind, found 'apple' and 'pear'; make it two fruits",
            ])
    }
}
