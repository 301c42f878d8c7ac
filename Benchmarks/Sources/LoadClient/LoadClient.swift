internal import CurlTransport
internal import Glibc
internal import LoadKit

/// Puts a load on a server through one layer of the library, and prints what it cost.
///
///     loadclient --layer LAYER --url URL [--requests N] …
///
/// The layers are transport, async, async-pool, async-deadline, urlsession, urlsession-handler,
/// networking, networking-handler.
@main
struct LoadClient {
    static func main() throws {
        let names = LoadLayer.allCases.map(\.rawValue)
        let options = LoadOptions.read(variantOption: "--layer", variants: names)
        let layer = LoadLayer.allCases[options.variant]
        if let program = layer.program { Program.become(program) }
        var tally: Tally
        if layer == .transport {
            let load = try TransportLayer(options)
            tally = load.run()
            waitFor { await load.shutdown() }
        } else {
            let load = try AsyncLayer(
                options,
                usesPool: layer == .asyncPool,
                hasDeadlines: layer == .asyncDeadline
            )
            tally = waitFor { await load.run() }
            waitFor { await load.shutdown() }
        }
        exit(tally.report(client: "\(layer.rawValue)-\(options.loops)", options: options))
    }
}
