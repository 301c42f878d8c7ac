internal import CurlTransport
internal import Glibc
internal import LoadKit

/// Puts a load on a server through one layer of the library, and prints what it cost.
///
///     loadclient --layer transport|async --url URL [--requests N] [--concurrency C] …
@main
struct LoadClient {
    static func main() throws {
        let names = Layer.allCases.map { "\($0)" }
        let options = LoadOptions.read(variantOption: "--layer", variants: names)
        let layer = Layer(rawValue: options.variant) ?? .transport
        var tally: Tally
        switch layer {
        case .transport:
            let load = try TransportLayer(options)
            tally = load.run()
            waitFor { await load.shutdown() }
        case .async:
            let load = try AsyncLayer(options)
            tally = waitFor { await load.run() }
            waitFor { await load.shutdown() }
        }
        exit(tally.report(client: "\(layer)-\(options.loops)", options: options))
    }
}
