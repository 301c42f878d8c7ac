// swift-tools-version: 6.2

import PackageDescription

// Fuzzers of the package in the parent folder, which doesn't depend on them. See README.md.

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

// Parsers are internal to their modules, and libFuzzer must be linked: `parsers` sets the variable
// and the flags for both (`-enable-testing`, `-sanitize=fuzzer`).
let hasParsers = Context.environment["FUZZ_PARSERS"] != nil

let parsers: [Target] = [
    .target(name: "FuzzDriver", cSettings: cSettings),
    .executableTarget(
        name: "parsers",
        dependencies: [
            "FuzzDriver",
            .product(name: "BatchFetch", package: "CurlNetworking"),
            .product(name: "CurlNetworking", package: "CurlNetworking"),
            .product(name: "CurlTransport", package: "CurlNetworking"),
            .product(name: "CurlURLSession", package: "CurlNetworking"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ],
        swiftSettings: swiftSettings
    ),
]

let package = Package(
    name: "Fuzz",
    products: [
        .executable(name: "fuzz", targets: ["fuzz"])
    ],
    dependencies: [
        .package(name: "CurlNetworking", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    ],
    targets: [
        // The hostile server, and an independent reader of the server's responses.
        .target(
            name: "FuzzWire",
            cSettings: cSettings,
            linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("z")]
        ),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "FuzzWire",
                .product(name: "BatchFetch", package: "CurlNetworking"),
                .product(name: "CurlNetworking", package: "CurlNetworking"),
                .product(name: "CurlTransport", package: "CurlNetworking"),
                .product(name: "CurlURLSession", package: "CurlNetworking"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: swiftSettings
        ),
    ] + (hasParsers ? parsers : []),
    swiftLanguageModes: [.v6]
)
