internal import Glibc
internal import LoadKit

/// Puts a load on a server through async-http-client, and prints what it cost.
///
///     ahcclient --url URL [--requests N] [--concurrency C] …
///
/// `--loops` is the number of its event loops' threads.
@main
struct AHCClient {
    static func main() throws {
        let options = LoadOptions.read()
        let load = try AHCLoad(options)
        var tally = waitFor { await load.run() }
        let problem = waitFor { await load.shutdown() }
        if let problem { tally.count(problem: problem, bytes: 0, started: 0) }
        exit(tally.report(client: "ahc-\(options.loops)", options: options))
    }
}
