// swift-tools-version: 6.2

import PackageDescription

// Sample programs of library users: each depends on one product and on nothing else.
// `.ci/consumers` builds them, and tests run them.

let package = Package(
    name: "Consumers",
    dependencies: [.package(name: "CurlNetworking", path: "../../")],
    targets: [
        .executableTarget(
            name: "Courier",
            dependencies: [.product(name: "CurlNetworking", package: "CurlNetworking")]
        ),
        .executableTarget(
            name: "FeedReader",
            dependencies: [.product(name: "CurlNetworkingXML", package: "CurlNetworking")]
        ),
        .executableTarget(
            name: "RequestChains",
            dependencies: [.product(name: "CurlURLSession", package: "CurlNetworking")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
