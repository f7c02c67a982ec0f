// Writes the overloads of `combineLatest` and `zip` that differ only in the number of their sources, up to eight, into
// Sources/RxEngine. Parameter packs are slower and break clients: see Measurements.md in RxEngine.docc.
//
//   swift Scripts/arities.swift            writes them
//   swift Scripts/arities.swift --check    fails if a file is not what this script writes
import Foundation

/// `text` for each of the numbers of `count` sources, with `#` replaced by the number.
func each(_ count: Int, _ text: String, separator: String = ", ") -> String {
    (1...count).map { text.replacing("#", with: String($0)) }.joined(separator: separator)
}

func inWords(_ count: Int) -> String { ["two", "three", "four", "five", "six", "seven", "eight"][count - 2] }
func all(_ count: Int) -> String { count == 2 ? "both" : "all" }
func any(_ count: Int) -> String { count == 2 ? "either" : "any" }
func others(_ count: Int) -> String { count == 2 ? "the other" : "the others" }

/// What the documentation says about an operator, for a number of sources.
struct Meaning {
    let name: String
    /// The summaries of the overload with a closure and of the one that emits tuples.
    let combines, emits: (Int) -> String
    let completes: (Int) -> String
    let diagram: String

    static let combineLatest = Meaning(
        name: "combineLatest",
        combines: {
            """
            Combines the latest elements of \(inWords($0)) sequences with `resultSelector` at each element, once \
            \(all($0)) have emitted.
            """
        },
        emits: {
            "Emits the latest elements of \(inWords($0)) sequences as a tuple at each element, once \(all($0)) have emitted."
        },
        completes: {
            $0 == 2
                ? """
                It completes when both have completed. If one completes without having emitted, the result continues \
                until the next element of the other, at which it completes.
                """
                : """
                It completes when all have completed. It also completes at an element that can never be combined, \
                because all other sequences have completed and one of them has never emitted.
                """
        },
        diagram: """
                first            --1-----2----|
                second           ----a-----b-----|
                combineLatest    ----1a--2a2b----|
            """)

    static let zip = Meaning(
        name: "zip",
        combines: { "Combines the elements with the same index of \(inWords($0)) sequences with `resultSelector`." },
        emits: { "Emits the elements with the same index of \(inWords($0)) sequences as a tuple." },
        completes: {
            """
            It completes when \(all($0)) have completed, not before. Elements are queued without bound until \
            \(others($0)) \($0 == 2 ? "has" : "have") one with the same index.
            """
        },
        diagram: """
                first     --1--2-----3--|
                second    ----a---b--------|
                zip       ----1a--2b-------|
            """)

    static func zip(of noun: String, completes: @escaping (Int) -> String = { _ in "" }, diagram: String) -> Meaning {
        Meaning(
            name: "zip",
            combines: {
                "Subscribes to \(inWords($0)) \(noun) at once and emits the result of `resultSelector` for their elements."
            },
            emits: { "Subscribes to \(inWords($0)) \(noun) at once and emits their elements as a tuple." },
            completes: { "It emits when \(all($0)) have emitted. \(completes($0))" },
            diagram: diagram)
    }
}

/// The overloads of one operator for one type, which make a file.
struct Family {
    let file: String
    let meaning: Meaning
    /// The extension, and the constraint of the elements' type added to it for tuples.
    let owner: String
    let constraint: String
    /// The fewest sources of the overload with a closure.
    var fewest = 2
    var attributes = ["@inlinable"]
    /// The types of a parameter and of the result, with `#` for the number of a source and `$` for the element's type.
    let source, result: String
    /// What errors do, for the overload with a closure and for tuples.
    let fails, tuplesFail: (Int) -> String
    /// The threads that call `$`: the observer, or the closure and the observer.
    let threads: String
    /// The bodies.
    let body, tupleBody: (Int) -> String

    var text: String {
        """
        // Written by Scripts/arities.swift.
        extension \(owner) {
        \((fewest...8).map(overload).joined(separator: "\n\n"))
        }

        extension \(owner)\(constraint) {
        \((2...8).map(tupleOverload).joined(separator: "\n\n"))
        }

        """
    }

    private func overload(_ count: Int) -> String {
        declaration(
            count,
            documentation: [
                meaning.combines(count), count == 2 ? meaning.diagram : "",
                "\(meaning.completes(count)) \(fails(count)) \(calls("`resultSelector` and the observer are"))",
            ],
            attributes: ["@preconcurrency"] + attributes,
            last: ", resultSelector: @escaping @Sendable (\(each(count, "E#"))) throws -> Element", result: "Element",
            body: body(count))
    }

    private func calls(_ subject: String) -> String { threads.replacing("$", with: subject) }

    private func tupleOverload(_ count: Int) -> String {
        declaration(
            count,
            documentation: [
                meaning.emits(count), "",
                "\(meaning.completes(count)) \(tuplesFail(count)) \(calls("The observer is"))",
            ],
            attributes: attributes, last: "", result: "(\(each(count, "E#")))", body: tupleBody(count))
    }

    private func declaration(
        _ count: Int, documentation: [String], attributes: [String], last: String, result element: String, body: String
    ) -> String {
        let lines = documentation.filter { !$0.isEmpty }.map(folded).joined(separator: [""]).map { "/// \($0)" }
        return """
            \((lines + attributes).joined(separator: "\n"))
            public static func \(meaning.name)<\(each(count, "E#"))>(
            \(each(count, "_ source#: \(source)"))\(last)
            ) -> \(result.replacing("$", with: element)) {
            \(body)
            }
            """
    }
}

/// The lines of a paragraph of a doc comment. A diagram keeps its own.
func folded(_ text: String) -> [String] {
    if text.hasPrefix("    ") { return text.components(separatedBy: "\n") }
    var lines = [""]
    for word in text.split(separator: " ") {
        if lines[lines.count - 1].count + word.count > 110 { lines.append("") }
        lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines
}

// ---- observables

let onEmittingThread = "$ called on the thread that emits, by one thread at a time."

/// The overloads of ``Observable``, which create the run. The other types call these.
func observables(_ meaning: Meaning, input: String, creation: String, element: String) -> Family {
    Family(
        file: "Operators/Combining/\(meaning.name.prefix(1).uppercased() + meaning.name.dropFirst())+Arity",
        meaning: meaning, owner: "ObservableType", constraint: " where Element == Any", fewest: 3,
        source: "some ObservableType<E#>", result: "Observable<$>",
        fails: { "It fails with the first error of \(any($0)), or that `resultSelector` throws." },
        tuplesFail: { "It fails with the first error of \(any($0))." },
        threads: onEmittingThread,
        body: { count in
            """
            let (\(each(count, "source#"))) = (\(each(count, "source#.asObservable()")))
            return .source(.\(meaning.name)) { downstream in
            let (\(each(count, "input#"))) = (\(each(count, "\(input)<E#>()")))
            let run = CombineRun(.\(meaning.name), to: downstream, sources: \(count)\(creation)
            try resultSelector(\(each(count, element)))
            }
            \(each(count, "run.start(source#, filling: input#)", separator: "\n"))
            return run.disposable
            }
            """
        },
        tupleBody: { ".\(meaning.name)(\(each($0, "source#"))) { (\(places($0))) }" })
}

func places(_ count: Int) -> String { (0..<count).map { "$\($0)" }.joined(separator: ", ") }

// ---- the types that convert to observables

let toHandler = "An error that `resultSelector` throws goes to ``Hooks/defaultErrorHandler`` and completes the result."

func call(_ meaning: Meaning, _ count: Int, _ conversion: String) -> String {
    ".\(meaning.name)(\(each(count, "source#.\(conversion)")), resultSelector: resultSelector)"
}

func tupleCall(_ meaning: Meaning, _ count: Int, _ conversion: String) -> String {
    ".\(meaning.name)(\(each(count, "source#.\(conversion)"))) { (\(places(count))) }"
}

func infallibles(_ meaning: Meaning, file: String) -> Family {
    Family(
        file: "Traits/Infallible/Infallible+\(file)Arity", meaning: meaning,
        owner: "InfallibleType", constraint: " where Element == Any",
        source: "some InfallibleType<E#>", result: "Infallible<$>",
        fails: { _ in toHandler }, tuplesFail: { _ in "" }, threads: onEmittingThread,
        body: { "Infallible(guarding: \(call(meaning, $0, "asObservable()")))" },
        tupleBody: { "Infallible(\(tupleCall(meaning, $0, "asObservable()")))" })
}

func sharedSequences(_ meaning: Meaning, file: String) -> Family {
    Family(
        file: "Traits/Shared/SharedSequence+\(file)Arity", meaning: meaning,
        owner: "SharedSequenceConvertibleType", constraint: " where Element == Any", attributes: [],
        source: "some SharedSequenceConvertibleType<SharingStrategy, E#>", result: "SharedSequence<SharingStrategy, $>",
        fails: { _ in toHandler }, tuplesFail: { _ in "" },
        threads: "$ called on the strategy's scheduler: the main thread for a ``Driver`` and a ``Signal``.",
        body: { "SharedSequence(Observable\(call(meaning, $0, "asObservable()")).guarded())" },
        tupleBody: { "SharedSequence(\(tupleCall(meaning, $0, "asObservable()")))" })
}

func primitives(_ name: String, _ meaning: Meaning) -> Family {
    Family(
        file: "Traits/Primitive/\(name)+ZipArity", meaning: meaning,
        owner: "PrimitiveSequenceType where Trait == \(name)Trait", constraint: ", Element == Any",
        source: "\(name)<E#>", result: "\(name)<$>",
        fails: { "The first error, or one that `resultSelector` throws, fails the result and disposes \(others($0))." },
        tuplesFail: { "The first error fails the result and disposes \(others($0))." },
        threads: "$ called on a thread of one of the sources.",
        body: { "\(name)(raw: \(call(meaning, $0, "source")))" },
        tupleBody: { "\(name)(raw: \(tupleCall(meaning, $0, "source")))" })
}

let families = [
    observables(.combineLatest, input: "LatestInput", creation: ") { _ in", element: "input#.value"),
    observables(.zip, input: "QueuedInput", creation: ", completesUnmatched: false) {", element: "input#.take($0)"),
    infallibles(.combineLatest, file: "CombineLatest"),
    infallibles(.zip, file: "Zip"),
    sharedSequences(.combineLatest, file: "CombineLatest"),
    sharedSequences(.zip, file: "Zip"),
    primitives(
        "Single",
        .zip(
            of: "singles",
            diagram: """
                    first     ---1|
                    second    -----2|
                    zip       -----(1, 2)|
                """)),
    primitives(
        "Maybe",
        .zip(
            of: "maybes",
            completes: {
                "If one of them has no element, the result completes without one when \(all($0)) have completed."
            },
            diagram: """
                    first     ---1|             first     ---|
                    second    -----2|           second    -----2|
                    zip       -----(1, 2)|      zip       -----|
                """)),
]

// ---- writing

let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
let engine = repository.appending(path: "Sources/RxEngine")
let staging = FileManager.default.temporaryDirectory.appending(path: "arities-\(UUID())")
defer { try? FileManager.default.removeItem(at: staging) }
try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true)

let written = families.map { staging.appending(path: $0.file.replacing("/", with: "-") + ".swift") }
for (family, file) in zip(families, written) { try Data(family.text.utf8).write(to: file) }
let format = try Process.run(
    URL(filePath: "/usr/bin/env"),
    arguments: ["swift", "format", "--in-place", "--configuration", repository.appending(path: ".swift-format").path]
        + written.map(\.path))
format.waitUntilExit()
if format.terminationStatus != 0 { exit(format.terminationStatus) }

var outdated = false
for (family, file) in zip(families, written) {
    let (text, destination) = (try Data(contentsOf: file), engine.appending(path: family.file + ".swift"))
    if (try? Data(contentsOf: destination)) == text { continue }
    if CommandLine.arguments.contains("--check") {
        print("Sources/RxEngine/\(family.file).swift differs: run swift Scripts/arities.swift")
        outdated = true
    } else {
        try text.write(to: destination)
    }
}
if outdated {
    try? FileManager.default.removeItem(at: staging)
    exit(1)
}
