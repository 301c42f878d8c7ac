// swift-tools-version: 6.2

import PackageDescription

// The clients that the library is measured against. They are a package of their own, so that CI, which
// builds only the library's benchmarks, needn't build these clients' dependencies.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
let loadKit = Target.Dependency.product(name: "LoadKit", package: "Benchmarks")

let package = Package(
    name: "Peers",
    products: [
        .executable(name: "urlsessionclient", targets: ["URLSessionClient"]),
        .executable(name: "ahcclient", targets: ["AHCClient"]),
    ],
    dependencies: [
        .package(name: "Benchmarks", path: "../"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "URLSessionClient",
            dependencies: [loadKit],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "AHCClient",
            dependencies: [
                loadKit,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
