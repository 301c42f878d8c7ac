internal import Foundation
internal import Glibc
internal import LoadKit

/// Puts a load on a server through FoundationNetworking's URLSession, and prints what it cost.
///
///     urlsessionclient [--form async|handler] --url URL [--requests N] [--concurrency C] …
///
/// It takes no `--cacert`: on Linux, URLSession trusts the system's roots only. `--http2` changes
/// nothing, either: it speaks what a server offers. `--loops` is of no meaning to it.
@main
struct URLSessionClient {
    static func main() {
        let forms = URLSessionForm.allCases.map { "\($0)" }
        let options = LoadOptions.read(variantOption: "--form", variants: forms)
        let form = URLSessionForm(rawValue: options.variant) ?? .async
        let load = URLSessionLoad(options, form: form, configuration: .default)
        var tally = waitFor { await load.run() }
        exit(tally.report(client: "urlsession-\(form)", options: options))
    }
}
