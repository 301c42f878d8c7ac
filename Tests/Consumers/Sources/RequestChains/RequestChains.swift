import CurlURLSession
import Foundation

/// A small client that uses URLSession as Alamofire does: chained requests with validators,
/// interceptors and response handlers, over a session whose delegate has a serial root queue.
///
///     RequestChains run URL FOLDER
///     RequestChains trust URL CERTIFICATE
@main
struct RequestChains {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 3, let url = URL(string: arguments[1]) else { usage() }
        let file = URL(fileURLWithPath: arguments[2])
        switch arguments[0] {
        case "run": try await Chains(base: url, folder: file).run()
        case "trust": try await trust(url, certificate: Data(contentsOf: file))
        default: usage()
        }
    }

    /// Requests a URL from a server that must have this certificate, DER-encoded.
    private static func trust(_ url: URL, certificate: Data) async {
        let session = Session(pins: [url.host ?? "": certificate], monitor: EventCounter())
        print("trust:", await session.request(url).validate().completion.outcome)
    }

    private static func usage() -> Never {
        print("usage: RequestChains run URL FOLDER | trust URL CERTIFICATE")
        exit(2)
    }
}
