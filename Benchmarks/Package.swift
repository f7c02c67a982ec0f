// swift-tools-version: 6.2
import PackageDescription

/// The traits of the engine, separated by commas, for builds that show what a trait costs: `TRAITS= Benchmarks/run`.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["TRAITS"].map { Set($0.split(separator: ",").map { .trait(name: String($0)) }) } ?? [.defaults]

let host: [Target.Dependency] = [
    .product(name: "RxEngine", package: "rxwatchd"), .product(name: "RxLinux", package: "rxwatchd"),
]

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "rxwatchd", path: "..", traits: traits)],
    targets: [
        .target(name: "CAllocations"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CAllocations", .product(name: "RxEngine", package: "rxwatchd"),
                .product(name: "RxEngineFoundation", package: "rxwatchd"),
                .product(name: "RxEngineSections", package: "rxwatchd"),
            ]),
        .executableTarget(name: "intervals", dependencies: host),
        .executableTarget(name: "files", dependencies: host),
        .executableTarget(name: "http", dependencies: host),
        .executableTarget(name: "journal", dependencies: [.product(name: "RxLinux", package: "rxwatchd")]),
    ],
    swiftLanguageModes: [.v6]
)
