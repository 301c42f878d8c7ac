internal import Dispatch
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
        switch layer {
        case .networking, .networkingHandler:
            let load = NetworkingLoad(options, usesHandlers: layer == .networkingHandler)
            Task { report(await load.run(), layer, options) }
            // Managers post their notifications on the main queue.
            dispatchMain()
        default:
            let load = URLSessionLoad(
                options,
                form: layer == .urlSessionHandler ? .handler : .async,
                configuration: .forLoad(options)
            )
            report(waitFor { await load.run() }, layer, options)
        }
    }

    private static func report(_ tally: Tally, _ layer: LoadLayer, _ options: LoadOptions) -> Never
    {
        var tally = tally
        exit(tally.report(client: "\(layer.rawValue)-\(options.loops)", options: options))
    }
}
