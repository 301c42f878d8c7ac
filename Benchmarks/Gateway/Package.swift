// swift-tools-version: 6.2

import PackageDescription

// A gateway as a service would be: hummingbird in front, this library's client behind. And the same one
// over async-http-client, for comparison. They are a package of their own, because the library mustn't
// depend on hummingbird, and because CI needn't build it: `check` does, each night.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
let http = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle"
)
// Their names are members of this module.
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let arguments = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)

let package = Package(
    name: "Gateway",
    products: [
        .executable(name: "gateway", targets: ["Gateway"]),
        .executable(name: "ahcgateway", targets: ["AHCGateway"]),
    ],
    dependencies: [
        .package(name: "CurlNetworking", path: "../../", traits: ["CurlServices"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    ],
    targets: [
        // What both gateways share: arguments, routes, header fields of a proxy, errors, counts.
        .target(
            name: "GatewayKit",
            dependencies: [
                arguments, http, lifecycle, logging, nio,
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Gateway",
            dependencies: [
                "GatewayKit", arguments, http, lifecycle, logging, nio, signals,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CurlResilience", package: "CurlNetworking"),
                .product(name: "CurlServices", package: "CurlNetworking"),
                .product(name: "CurlTransport", package: "CurlNetworking"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "AHCGateway",
            dependencies: [
                "GatewayKit", arguments, http, lifecycle, nio, signals,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
