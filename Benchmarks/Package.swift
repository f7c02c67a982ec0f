// swift-tools-version: 6.2
import PackageDescription

/// A build without `TRACE_RESOURCES` shows the cost of the trait: `UNTRACED=1 Benchmarks/run`.
let traits: Set<Package.Dependency.Trait> = Context.environment["UNTRACED"] == nil ? [.defaults] : []

let host: [Target.Dependency] = [
    .product(name: "RxEngine", package: "rxwatchd"), .product(name: "RxLinux", package: "rxwatchd"),
]

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "rxwatchd", path: "..", traits: traits)],
    targets: [
        .target(name: "CAllocations"),
        .executableTarget(
            name: "bench", dependencies: ["CAllocations", .product(name: "RxEngine", package: "rxwatchd")]),
        .executableTarget(name: "intervals", dependencies: host),
        .executableTarget(name: "files", dependencies: host),
        .executableTarget(name: "http", dependencies: host),
        .executableTarget(name: "journal", dependencies: [.product(name: "RxLinux", package: "rxwatchd")]),
    ],
    swiftLanguageModes: [.v6]
)
