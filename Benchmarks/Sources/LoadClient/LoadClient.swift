internal import CurlTransport
internal import Glibc
internal import LoadSupport

/// Puts a load on a server through one layer of the library, and prints what it cost.
///
///     loadclient --layer transport|async --url URL [--requests N] [--concurrency C] …
@main
struct LoadClient {
    static func main() async throws {
        let (options, raw) = LoadOptions.read()
        load_raise_file_limit()
        let start = load_now()
        var tally: Tally
        let seconds: Double
        switch options.layer {
        case .transport:
            let layer = try TransportLayer(options)
            tally = layer.run()
            seconds = (load_now() - start) / 1e3
            await layer.shutdown()
        case .async:
            let layer = try AsyncLayer(options)
            tally = await layer.run()
            seconds = (load_now() - start) / 1e3
            await layer.shutdown()
        }
        exit(
            tally.report(
                client: "\(options.layer)-\(options.loops)",
                seconds: seconds,
                options: raw
            )
        )
    }
}
