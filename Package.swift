// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors on CI only, so that the warnings of a newer compiler do not break a user's build.
let strict: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

extension Target {
    static func library(_ name: String, _ dependencies: Dependency..., exclude: [String] = []) -> Target {
        .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
    }

    static func program(_ name: String, _ dependencies: Dependency..., embedding: [String] = []) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, resources: embedding.map { .embedInCode($0) }, swiftSettings: strict
        )
    }

    static func tests(_ name: String, _ dependencies: Dependency...) -> Target {
        .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: strict)
    }
}

let package = Package(
    name: "rxwatchd",
    products: [
        .library(name: "RxEngine", targets: ["RxEngine"]),
        .library(name: "RxMarbles", targets: ["RxMarbles"]),
        .library(name: "RxEngineTest", targets: ["RxEngineTest"]),
        .library(name: "RxEngineXCTest", targets: ["RxEngineXCTest"]),
        .library(name: "RxEngineBlocking", targets: ["RxEngineBlocking"]),
        .library(name: "RxEngineFoundation", targets: ["RxEngineFoundation"]),
        .library(name: "RxEngineLegacy", targets: ["RxEngineLegacy"]),
        .library(name: "RxEngineSections", targets: ["RxEngineSections"]),
        .library(name: "RxLinux", targets: ["RxLinux"]),
        .executable(name: "rxwatchd", targets: ["rxwatchd"]),
        .executable(name: "rxwatchctl", targets: ["rxwatchctl"]),
    ],
    traits: [
        .trait(name: "TRACE_RESOURCES", description: "Count every live observable, subscription and disposable."),
        .trait(name: "USDT", description: "Static probes at each subscription and disposal, for bpftrace and perf."),
        .default(enabledTraits: ["TRACE_RESOURCES"]),
    ],
    targets: [
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        // Debian's libjq 1.6 ships no pkg-config file: the module map names the library itself.
        .systemLibrary(name: "CJQ", providers: [.apt(["libjq-dev"])]),
        // The C library's Linux-only headers, which Swift's Glibc module leaves out.
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        // The probes of the trait USDT: inline assembly, which Swift has not.
        .systemLibrary(name: "CProbes"),

        .target(
            name: "RxEngine", dependencies: [.target(name: "CProbes", condition: .when(traits: ["USDT"]))],
            exclude: ["README.md"], swiftSettings: strict),
        // Marble diagrams as text, also for programs that link no test library.
        .library("RxMarbles"),
        .library("RxEngineTest", "RxEngine", "RxMarbles"),
        // Apart from RxEngineTest, which programs with other test libraries use.
        .library("RxEngineXCTest", "RxEngine", "RxEngineTest"),
        .library("RxEngineBlocking", "RxEngine"),
        .library("RxEngineFoundation", "RxEngine"),
        // The names of Swift 2 and 3.
        .library("RxEngineLegacy", "RxEngine", "RxEngineFoundation"),
        // Lists in sections: their differences, and tables on terminals.
        .library("RxEngineSections", "RxEngine"),
        // Descriptors, lines and sockets: what needs no library but the C library.
        .library("RxSystem", "RxEngine", "CLinux"),
        .library("RxLinux", "RxSystem", "RxEngine", "CSystemd", "CCurl", "CMicroHTTPD", "CLinux"),
        // What outlives the process.
        .library("RxStore", "RxEngine", "CSQLite"),
        .library("RxJSON"),
        // What is wrong with a config, and where.
        .library("RxDiagnostics", "RxEngine", "RxJSON"),
        .library("RxYAML", "RxJSON", "RxDiagnostics", "CYAML"),
        .library("RxJQ", "RxEngine", "RxJSON", "RxDiagnostics", "CJQ"),
        // The command lines of the programs.
        .library("RxCommandLine", "RxDiagnostics"),
        // What rxwatchd and rxwatchctl say to each other, and to whoever starts them.
        .library("RxControl", "RxJSON", "RxDiagnostics"),
        // The commands of rxwatchctl that read a configuration: rxwatchctl parses them, rxwatchd runs them.
        .library("RxConfigCommands", "RxCommandLine", "RxControl"),
        .library(
            "RxPipelines", "RxEngine", "RxLinux", "RxJSON", "RxDiagnostics", "RxYAML", "RxJQ", "RxControl", "RxMarbles"),
        .program(
            "rxwatchd", "RxEngine", "RxEngineSections", "RxLinux", "RxStore", "RxJSON", "RxDiagnostics", "RxJQ",
            "RxControl", "RxPipelines",
            "RxCommandLine", "RxConfigCommands", embedding: ["Page/page.html"]),
        .program(
            "rxwatchctl", "RxEngine", "RxEngineSections", "RxSystem", "RxMarbles", "RxJSON", "RxDiagnostics",
            "RxControl",
            "RxCommandLine", "RxConfigCommands"),

        .target(
            name: "TestSupport", dependencies: ["RxEngine", "ChildProcesses"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "ConfigTestSupport", dependencies: ["RxDiagnostics", "RxYAML"], path: "Tests/ConfigTestSupport",
            swiftSettings: strict),
        .target(name: "ChildProcesses", path: "Tests/ChildProcesses", swiftSettings: strict),
        .target(
            name: "LoopbackServer", dependencies: ["TestSupport", "CLinux"], path: "Tests/LoopbackServer",
            swiftSettings: strict),
        .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
        // Random programs on real threads, run by `make fuzz-threads`.
        .target(
            name: "ThreadFuzzing", dependencies: ["RxEngine", "SeededRandom"], path: "Tests/ThreadFuzzing",
            swiftSettings: strict),
        .executableTarget(
            name: "thread-fuzz", dependencies: ["ThreadFuzzing"], path: "Tests/thread-fuzz", swiftSettings: strict),
        // What only the package itself can measure, run by `Benchmarks/linux/pipelines`.
        .executableTarget(
            name: "pipelines-bench",
            dependencies: ["RxPipelines", "RxLinux", "RxJSON", "RxJQ", "RxDiagnostics", "RxEngineTest"],
            path: "Benchmarks/pipelines", swiftSettings: strict),
        // The daemon on random configs, stopped and killed at random, run by `make fuzz-delivery`.
        .target(
            name: "DeliveryFuzzing",
            dependencies: [
                "RxPipelines", "RxJSON", "RxDiagnostics", "RxJQ", "RxStore", "RxControl", "ChildProcesses",
                "SeededRandom",
            ],
            path: "Tests/DeliveryFuzzing", swiftSettings: strict),
        .executableTarget(
            name: "delivery-fuzz", dependencies: ["DeliveryFuzzing"], path: "Tests/delivery-fuzz", swiftSettings: strict
        ),
        // What only a release build can get wrong, run by `make check-barrier`.
        .executableTarget(
            name: "barrier-check", dependencies: ["RxEngine"], path: "Tests/barrier-check", swiftSettings: strict),
        .target(
            name: "RxEngineModel", dependencies: ["RxEngine", "RxEngineTest", "SeededRandom"],
            path: "Tests/RxEngineModel", swiftSettings: strict),
        .executableTarget(
            name: "engine-fuzz", dependencies: ["RxEngineModel"], path: "Tests/engine-fuzz", swiftSettings: strict),
        .tests("RxEngineModelTests", "RxEngineModel"),
        .tests("CLibrariesTests", "CLinux", "CSystemd", "CCurl", "CYAML", "CJQ", "CSQLite", "CMicroHTTPD"),
        .tests("RxEngineTests", "RxEngine", "RxEngineTest"),
        .tests("RxMarblesTests", "RxMarbles", "SeededRandom"),
        .tests("RxEngineTestTests", "RxEngine", "RxEngineTest", "RxMarbles"),
        .tests("RxEngineXCTestTests", "RxEngineXCTest", "RxEngineTest"),
        .tests("RxEngineBlockingTests", "RxEngineBlocking"),
        .tests("RxEngineFoundationTests", "RxEngineFoundation", "RxEngineTest", "LoopbackServer"),
        .tests("RxEngineLegacyTests", "RxEngineLegacy", "RxEngineFoundation", "RxEngineTest", "LoopbackServer"),
        .tests("RxEngineSectionsTests", "RxEngineSections", "SeededRandom"),
        .tests("RxLinuxTests", "RxLinux", "RxEngineTest", "CLinux", "CSystemd", "SeededRandom", "LoopbackServer"),
        .tests("RxStoreTests", "RxStore"),
        .tests("RxCommandLineTests", "RxCommandLine"),
        .tests("RxJSONTests", "RxJSON"),
        .tests("RxDiagnosticsTests", "RxDiagnostics", "ConfigTestSupport"),
        .tests("RxYAMLTests", "RxYAML", "RxJSON", "RxDiagnostics", "ConfigTestSupport", "SeededRandom"),
        .tests("RxJQTests", "RxJQ", "RxLinux", "RxJSON", "RxDiagnostics", "ConfigTestSupport", "SeededRandom"),
        .tests("RxControlTests", "RxControl", "RxJSON"),
        .tests(
            "RxPipelinesTests", "RxPipelines", "RxJSON", "RxDiagnostics", "RxYAML", "RxJQ", "RxControl", "RxEngineTest",
            "ConfigTestSupport", "SeededRandom"),
        .tests(
            "rxwatchdTests", "rxwatchd", "RxJSON", "RxDiagnostics", "RxJQ", "RxControl", "RxPipelines", "RxStore",
            "RxCommandLine", "RxEngineTest", "DeliveryFuzzing", "ChildProcesses", "ConfigTestSupport"),
        .tests(
            "rxwatchctlTests", "rxwatchctl", "RxEngine", "RxEngineSections", "RxLinux", "RxJSON", "RxControl",
            "RxCommandLine", "RxConfigCommands", "ChildProcesses"),
    ],
    swiftLanguageModes: [.v6]
)

// For builds that run only some of the tests, such as those under a sanitizer.
if let names = Context.environment["RX_TESTS"] {
    let kept = Set(names.split(separator: " ").map { "\($0)Tests" })
    package.targets.removeAll { $0.type == .test && !kept.contains($0.name) }
}
