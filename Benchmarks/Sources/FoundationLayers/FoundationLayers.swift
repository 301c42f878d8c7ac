internal import Foundation
internal import Glibc
internal import LoadKit

/// The layers of `loadclient` that bring Foundation with them.
///
/// They are a program of their own, which `loadclient` becomes: one that is linked with Foundation
/// starts later and takes more memory, and would say so of the layers below, too.
@main
struct FoundationLayers {
    static func main() {
        let names = LoadLayer.allCases.map(\.rawValue)
        let options = LoadOptions.read(variantOption: "--layer", variants: names)
        let layer = LoadLayer.allCases[options.variant]
        var tally =
            switch layer {
            case .networking, .networkingHandler:
                waitFor {
                    await NetworkingLoad(options, usesHandlers: layer == .networkingHandler).run()
                }
            default:
                waitFor {
                    await URLSessionLoad(
                        options,
                        form: layer == .urlSessionHandler ? .handler : .async,
                        configuration: .forLoad(options)
                    ).run()
                }
            }
        exit(tally.report(client: "\(layer.rawValue)-\(options.loops)", options: options))
    }
}
