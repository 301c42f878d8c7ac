// swift-tools-version: 6.2

import PackageDescription

let cSettings: [CSetting] = [
    .define("_GNU_SOURCE"),
    .unsafeFlags(["-Wall", "-Wextra", "-Werror"]),
]

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "Benchmarks",
    products: [
        .executable(name: "cfloor", targets: ["cfloor"]),
        .executable(name: "delayserver", targets: ["delayserver"]),
        .executable(name: "nameserver", targets: ["nameserver"]),
        .executable(name: "farproxy", targets: ["farproxy"]),
        .executable(name: "countingclient", targets: ["countingclient"]),
        .executable(name: "loadclient", targets: ["LoadClient"]),
        .executable(name: "loadclient-foundation", targets: ["FoundationLayers"]),
        .library(name: "alloccount", type: .dynamic, targets: ["alloccount"]),
        // For the clients in Peers.
        .library(name: "LoadKit", targets: ["LoadKit", "LoadSupport"]),
    ],
    dependencies: [
        .package(name: "CurlNetworking", path: "../"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    ],
    targets: [
        // What every load client shares: its arguments, its clock and its one line of JSON.
        .target(name: "LoadSupport", cSettings: cSettings),
        // The same for clients in Swift: options, tally and tasks in flight.
        .target(name: "LoadKit", dependencies: ["LoadSupport"], swiftSettings: swiftSettings),
        // The floors: the least that a client over the installed libcurl can cost.
        .executableTarget(
            name: "cfloor",
            dependencies: ["LoadSupport"],
            cSettings: cSettings,
            linkerSettings: [.linkedLibrary("curl")]
        ),
        // A server that answers after a fixed delay and holds many connections.
        .executableTarget(name: "delayserver", cSettings: cSettings),
        // A name server for hosts with names.
        .executableTarget(name: "nameserver", cSettings: cSettings),
        // A proxy that makes a server far: it delays, and drops connections.
        .executableTarget(name: "farproxy", cSettings: cSettings),
        // A client that says of each request what it came to, for the soak.
        .executableTarget(name: "countingclient", cSettings: cSettings),
        // Preloaded into a client, it counts what the client allocates.
        .target(name: "alloccount", publicHeadersPath: ".", cSettings: cSettings),
        // The library under load, layer by layer.
        .executableTarget(
            name: "LoadClient",
            dependencies: [
                "LoadKit", "LoadSupport",
                .product(name: "CurlTransport", package: "CurlNetworking"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: swiftSettings
        ),
        // The layers above, in a program of their own, which the former becomes.
        .executableTarget(
            name: "FoundationLayers",
            dependencies: [
                "LoadKit",
                .product(name: "CurlNetworking", package: "CurlNetworking"),
                .product(name: "CurlTransport", package: "CurlNetworking"),
                .product(name: "CurlURLSession", package: "CurlNetworking"),
            ],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
