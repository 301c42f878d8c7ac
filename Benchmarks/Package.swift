// swift-tools-version: 6.2

import PackageDescription

let cSettings: [CSetting] = [
    .define("_GNU_SOURCE"),
    .unsafeFlags(["-Wall", "-Wextra", "-Werror"]),
]

let package = Package(
    name: "Benchmarks",
    targets: [
        // What every load client shares: its arguments, its clock and its one line of JSON.
        .target(name: "LoadSupport", cSettings: cSettings),
        // The floors: the least that a client over the installed libcurl can cost.
        .executableTarget(
            name: "cfloor",
            dependencies: ["LoadSupport"],
            cSettings: cSettings,
            linkerSettings: [.linkedLibrary("curl")]
        ),
        // A server that answers after a fixed delay and holds many connections.
        .executableTarget(name: "delayserver", cSettings: cSettings),
    ]
)
