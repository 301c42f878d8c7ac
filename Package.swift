// swift-tools-version: 6.2

import PackageDescription

// Read from top to bottom, the targets are the architecture: each one imports those above it.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
let librarySettings = settings + [.strictMemorySafety()]
// Optimising the tests would take longer than to compile everything else, and show nothing: what they test is
// optimised.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// A library of a package that only `CurlServices` and what tests or shows it need.
func serviceProduct(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["CurlServices"]))
}

let package = Package(
    name: "CurlNetworking",
    products: [
        .library(name: "CurlTransport", targets: ["CurlTransport"]),
        .library(name: "CurlTransportFoundation", targets: ["CurlTransportFoundation"]),
        .library(name: "CurlTransportTesting", targets: ["CurlTransportTesting"]),
        .library(name: "CurlResilience", targets: ["CurlResilience"]),
        .library(name: "CurlServices", targets: ["CurlServices"]),
        .library(name: "CurlURLSession", targets: ["CurlURLSession"]),
        .library(name: "CurlURLSessionTesting", targets: ["CurlURLSessionTesting"]),
        .library(name: "CurlNetworking", targets: ["CurlNetworking"]),
        .library(name: "CurlNetworkingXML", targets: ["CurlNetworkingXML"]),
        .library(name: "BatchFetch", targets: ["BatchFetch"]),
        .library(name: "BatchReport", targets: ["BatchReport"]),
        .executable(name: "batchfetch", targets: ["BatchFetchCommand"]),
    ],
    // A package that needs no lists of URLs and no services turns these off, and resolves none of
    // their dependencies: `.package(url: …, from: …, traits: [])`.
    traits: [
        .trait(name: "BatchFetch", description: "The library BatchFetch, which uses swift-log"),
        .trait(
            name: "BatchFetchCommand",
            description: "The command batchfetch",
            enabledTraits: ["BatchFetch"]
        ),
        .trait(
            name: "CurlServices",
            description: "The library CurlServices, which uses packages of server programs"
        ),
        .trait(
            name: "Fleet",
            description: "Runs on several machines over PostgreSQL, which need libpq",
            enabledTraits: ["BatchFetch"]
        ),
        .default(enabledTraits: ["BatchFetchCommand", "CurlServices", "Fleet"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
    ],
    targets: [
        // The operating system: files, sockets, threads, clocks.
        .systemLibrary(name: "CPosix"),
        .target(name: "Posix", dependencies: ["CPosix"], swiftSettings: librarySettings),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // HTTP's own rules: dates, field grammar, validators, digests.
        .target(
            name: "HTTPSemantics",
            dependencies: ["COpenSSL"],
            swiftSettings: librarySettings
        ),
        .systemLibrary(
            name: "CCurl",
            path: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .target(name: "Curl", dependencies: ["CCurl", "Posix"], swiftSettings: librarySettings),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // Decoders that libcurl brings along, found when the program runs.
        .systemLibrary(name: "CCodings"),
        .target(
            name: "ContentCoding",
            dependencies: ["CCodings", "CZlib"],
            swiftSettings: librarySettings
        ),
        .target(
            name: "CurlTransport",
            dependencies: [
                "ContentCoding", "Curl", "HTTPSemantics", "Posix",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: librarySettings
        ),
        // A target of its own, so that the transport links no Foundation.
        .target(
            name: "CurlTransportFoundation",
            dependencies: ["CurlTransport"],
            swiftSettings: librarySettings
        ),
        // For tests: stubs of the client, recordings, and a scripted server.
        .target(
            name: "CurlTransportTesting",
            dependencies: [
                "CurlTransport", "HTTPSemantics", "Posix",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: librarySettings
        ),
        // Middlewares that retry, limit and hedge requests, and the values behind them.
        .target(
            name: "CurlResilience",
            dependencies: [
                "CurlTransport", "HTTPSemantics", "Posix",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: librarySettings
        ),
        // Logs, metrics, traces, lifecycle and configuration with the packages of server programs.
        .target(
            name: "CurlServices",
            dependencies: [
                "CurlTransport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                serviceProduct("Configuration", "swift-configuration"),
                serviceProduct("CoreMetrics", "swift-metrics"),
                serviceProduct("Logging", "swift-log"),
                serviceProduct("ServiceLifecycle", "swift-service-lifecycle"),
                serviceProduct("Tracing", "swift-distributed-tracing"),
            ],
            swiftSettings: librarySettings
        ),
        // Which part of a host name belongs to one owner.
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .target(
            name: "PublicSuffix",
            dependencies: ["CPSL", "HTTPSemantics"],
            swiftSettings: librarySettings
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .target(
            name: "CurlURLSession",
            dependencies: [
                "CSQLite", "CurlTransport", "HTTPSemantics", "Posix", "PublicSuffix",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: librarySettings
        ),
        // For tests: sessions and managers whose requests a stub answers.
        .target(
            name: "CurlURLSessionTesting",
            dependencies: [
                "CurlTransport", "CurlURLSession",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: librarySettings
        ),
        .target(
            name: "CurlNetworking",
            dependencies: [
                "COpenSSL", "CurlURLSession", "HTTPSemantics", "Posix",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: librarySettings
        ),
        // A target of its own, so that libxml2 is linked by those alone who want it.
        .target(
            name: "CurlNetworkingXML",
            dependencies: ["CurlNetworking"],
            swiftSettings: librarySettings
        ),
        .target(
            name: "BatchFetch",
            dependencies: [
                "CZlib", "CurlResilience", "CurlTransport", "HTTPSemantics", "Posix",
                "PublicSuffix",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(
                    name: "Logging",
                    package: "swift-log",
                    condition: .when(traits: ["BatchFetch"])
                ),
            ],
            swiftSettings: librarySettings
        ),
        .target(
            name: "BatchReport",
            dependencies: ["BatchFetch", "Posix"],
            swiftSettings: librarySettings
        ),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        // A target of its own, so that only fleets need libpq.
        .target(
            name: "BatchFleet",
            dependencies: [
                "BatchFetch", .target(name: "CPostgres", condition: .when(traits: ["Fleet"])),
                "Posix",
            ],
            swiftSettings: librarySettings
        ),
        .executableTarget(
            name: "BatchFetchCommand",
            dependencies: [
                "BatchFetch", .target(name: "BatchFleet", condition: .when(traits: ["Fleet"])),
                "BatchReport", "Posix",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["BatchFetchCommand"])
                ),
                .product(
                    name: "Logging",
                    package: "swift-log",
                    condition: .when(traits: ["BatchFetch"])
                ),
            ],
            swiftSettings: librarySettings
        ),
        .testTarget(
            name: "PosixTests",
            dependencies: ["CPosix", "Posix", "TestSupport"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "HTTPSemanticsTests",
            dependencies: ["HTTPSemantics"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "PublicSuffixTests",
            dependencies: ["PublicSuffix"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CurlTests",
            dependencies: ["CCurl", "Curl", "HTTPSemantics", "Posix", "TestSupport"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "ContentCodingTests",
            dependencies: ["ContentCoding", "TestSupport"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CurlTransportTests",
            dependencies: [
                "ContentCoding", "CurlTransport", "Curl", "Posix", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CurlTransportFoundationTests",
            dependencies: [
                "CurlTransport", "CurlTransportFoundation", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CurlTransportTestingTests",
            dependencies: [
                "CurlTransport", "CurlTransportTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CurlResilienceTests",
            dependencies: [
                "CurlResilience", "CurlTransport", "Posix", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CurlServicesTests",
            dependencies: [
                "CurlResilience", "CurlServices", "CurlTransport", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                serviceProduct("Configuration", "swift-configuration"),
                serviceProduct("InMemoryLogging", "swift-log"),
                serviceProduct("InMemoryTracing", "swift-distributed-tracing"),
                serviceProduct("Logging", "swift-log"),
                serviceProduct("MetricsTestKit", "swift-metrics"),
                serviceProduct("ServiceLifecycle", "swift-service-lifecycle"),
                serviceProduct("Tracing", "swift-distributed-tracing"),
            ],
            swiftSettings: testSettings
        ),
        // What the tests share: certificates, real servers as peers, and functions of Linux.
        .target(name: "CTestSupport", path: "Tests/CSupport"),
        .target(
            name: "TestSupport",
            dependencies: ["CTestSupport", "CurlTransportTesting"],
            path: "Tests/Support",
            resources: [.copy("Resources")],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "TestSupportTests",
            dependencies: ["Posix", "TestSupport"],
            swiftSettings: testSettings
        ),
        .executableTarget(
            name: "LinkageProbe",
            dependencies: [
                "CurlTransport", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/LinkageProbe",
            swiftSettings: settings
        ),
        // A process of its own for tests that count threads and descriptors, or end it.
        .executableTarget(
            name: "TransportProbe",
            dependencies: [
                "CurlTransport", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/TransportProbe",
            swiftSettings: settings
        ),
        // A process of its own for tests of files that processes share.
        .executableTarget(
            name: "CookieProbe",
            dependencies: ["CurlURLSession"],
            path: "Tests/CookieProbe",
            swiftSettings: settings
        ),
        // A process of its own for tests that end it in the middle of transfers.
        .executableTarget(
            name: "JournalProbe",
            dependencies: ["CurlNetworking"],
            path: "Tests/JournalProbe",
            swiftSettings: settings
        ),
        // A process of its own for tests that count what sessions cost, or end it.
        .executableTarget(
            name: "SessionProbe",
            dependencies: ["CurlURLSession", "CurlTransport", "TestSupport"],
            path: "Tests/SessionProbe",
            swiftSettings: settings
        ),
        // A process of its own for tests that count what managers leave behind.
        .executableTarget(
            name: "NetworkingProbe",
            dependencies: ["CurlNetworking", "TestSupport"],
            path: "Tests/NetworkingProbe",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CurlURLSessionTests",
            dependencies: [
                "CurlURLSession", "CurlTransport", "Curl", "HTTPSemantics", "Posix",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Cache/Corpus/Results.md", "WhySwitch.md"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CurlURLSessionTestingTests",
            dependencies: [
                "CurlNetworking", "CurlTransport", "CurlTransportTesting", "CurlURLSession",
                "CurlURLSessionTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "CurlNetworkingTests",
            dependencies: [
                "BatchFetch", "ContentCoding", "CurlNetworking", "CurlNetworkingXML",
                "CurlTransport", "CurlURLSession", "HTTPSemantics", "Posix", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Contract.md"],
            swiftSettings: testSettings
        ),
        // One source compiled against FoundationNetworking and against CurlURLSession, as a process
        // of its own: `Shared` in both folders is a link to the same files.
        .executableTarget(
            name: "SameSourceFoundationNetworking",
            path: "Tests/SameSource/FoundationNetworking",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SameSourceCurlURLSession",
            dependencies: ["CurlURLSession"],
            path: "Tests/SameSource/CurlURLSession",
            swiftSettings: settings
        ),
        .testTarget(
            name: "SameSourceTests",
            dependencies: ["CurlTransport", "TestSupport"],
            swiftSettings: testSettings
        ),
        // A process of its own for tests of how much memory a run takes.
        .executableTarget(
            name: "BatchProbe",
            dependencies: ["BatchFetch"],
            path: "Tests/BatchProbe",
            swiftSettings: settings
        ),
        .testTarget(
            name: "BatchFetchTests",
            dependencies: [
                "BatchFetch", "CurlResilience", "HTTPSemantics", "Posix", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(
                    name: "Logging",
                    package: "swift-log",
                    condition: .when(traits: ["BatchFetch"])
                ),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "BatchReportTests",
            dependencies: ["BatchFetch", "BatchReport", "Posix", "TestSupport"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "BatchFleetTests",
            dependencies: ["BatchFetch", "BatchFleet", "Posix", "TestSupport"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "BatchFetchCommandTests",
            dependencies: [
                "BatchFetch", "BatchFetchCommand",
                .target(name: "BatchFleet", condition: .when(traits: ["Fleet"])), "BatchReport",
                "Curl", "Posix", "TestSupport",
            ],
            swiftSettings: testSettings
        ),
        // Compiles what the pages and documentation comments show, compares it with them, letter by
        // letter, and runs it.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "BatchFetch", "BatchReport", "CurlNetworking", "CurlNetworkingXML",
                "CurlResilience", "CurlServices", "CurlTransport", "CurlTransportFoundation",
                "CurlTransportTesting", "CurlURLSessionTesting",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                serviceProduct("Configuration", "swift-configuration"),
                serviceProduct("CoreMetrics", "swift-metrics"),
                serviceProduct("Logging", "swift-log"),
                serviceProduct("ServiceLifecycle", "swift-service-lifecycle"),
                serviceProduct("UnixSignals", "swift-service-lifecycle"),
            ],
            swiftSettings: testSettings
        ),
        // Reads the sources and the built products: rules that the compiler doesn't know.
        .testTarget(
            name: "ArchitectureTests",
            dependencies: ["TestSupport"],
            exclude: ["MustNotCompile"],
            swiftSettings: testSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)
