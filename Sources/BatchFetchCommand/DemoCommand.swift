import ArgumentParser
import BatchFetch

/// `batchfetch demo`: fetches from a server inside the process.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batchfetch demo",
        abstract: "Fetches objects from a web server inside this process, and checks every byte.",
        discussion: """
            The server listens on the loopback interface only. Its objects have from 0 bytes to \
            1 MiB, all different, and each body is compared with what it should be.

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
            "File for the results, a line of JSON each; - for the standard output.",
            valueName: "file"
        )
    )
    var results: String?

    @Flag(name: [.short, .long], help: "Show neither progress nor the summary, only errors.")
    var quiet = false

    func validate() throws {
        try FetchCommand.check("--objects", objects, atLeast: 0)
        try FetchCommand.check("--concurrency", concurrency, atLeast: 1)
    }

    func execute(_ stopper: Stopper) async throws -> ExitStatus {
        let session = Session(isQuiet: quiet, resultsPath: results, stopper: stopper)
        // The server's ends of the connections are this process' too: as many again.
        let concurrency = session.concurrency(asked: concurrency, writesFiles: true)
        let server = try DemoServer()
        let configuration = BatchConfiguration(
            concurrency: concurrency,
            concurrencyPerHost: concurrency,
            output: .inspected { target in
                DemoVerifier(DemoObject(path: String(target.rest)))
            }
        )
        let status = try await session.run(
            Batch(configuration),
            server.urls(count: objects)
        )
        withExtendedLifetime(server) {}
        return status
    }
}
