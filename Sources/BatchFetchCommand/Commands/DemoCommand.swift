import ArgumentParser
import BatchFetch

/// `batchfetch demo`: fetches from a server inside the process.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batchfetch demo",
        abstract: "Fetches objects from a web server inside this process and verifies every byte.",
        discussion: """
            The server listens on the loopback interface only. Its objects are all different, from \
            0 bytes to 1 MiB, and each body is compared with the object.

            EXAMPLES
              batchfetch demo
              batchfetch demo --objects 200000 --concurrency 1000
            """
    )

    @Option(parsing: .unconditional, help: ArgumentHelp("Objects to fetch.", valueName: "n"))
    var objects = 20_000

    @Option(
        name: [.short, .long],
        parsing: .unconditional,
        help: ArgumentHelp("Objects in flight at once (default: 256).", valueName: "n")
    )
    var concurrency: Int?

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write one line of JSON per object to this file; - for standard output.",
            valueName: "file"
        )
    )
    var results: String?

    @Flag(name: [.short, .long], help: "Print only errors: no progress, no summary.")
    var quiet = false

    func validate() throws {
        try OptionValue.check("--objects", objects, atLeast: 0)
        try OptionValue.check("--concurrency", concurrency, atLeast: 1)
    }

    func execute(_ signalHandler: SignalHandler) async throws -> ExitStatus {
        let run = ConsoleRun(isQuiet: quiet, resultsPath: results, signalHandler: signalHandler)
        // The server's sockets belong to this process too, so each URL needs twice as many
        // descriptors.
        let concurrency = run.concurrency(requested: concurrency, writesFiles: true)
        let server = try DemoServer()
        let configuration = BatchConfiguration(
            concurrency: concurrency,
            concurrencyPerHost: concurrency,
            output: .inspected { DemoVerifier(DemoObject(path: $0)) }
        )
        let status = try await run.run(
            Batch(configuration),
            server.urls(count: objects)
        )
        withExtendedLifetime(server) {}
        return status
    }
}
