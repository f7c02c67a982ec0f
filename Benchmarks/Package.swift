// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "rxwatchd", path: "..")],
    targets: [
        .target(name: "CAllocations"),
        .executableTarget(
            name: "bench", dependencies: ["CAllocations", .product(name: "RxEngine", package: "rxwatchd")]),
    ],
    swiftLanguageModes: [.v6]
)
