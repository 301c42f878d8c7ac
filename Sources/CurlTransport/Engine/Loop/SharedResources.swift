/// The resources that all loops of a transport share.
final class SharedResources: Sendable {
    let configuration: TransportConfiguration

    /// The limit of transfers that run at once, over all loops; nil for no limit.
    let places: Budget?

    /// The limit of name lookups in progress at once.
    let lookups: Budget

    /// The limit of queued transfers, over all loops; nil for no limit.
    let queue: QueueLimit?

    /// The limit of decoders' memory, over all loops; nil for no limit.
    let decoderMemory: DecoderMemory?

    /// The origins that use several loops; nil if there is one loop.
    let spread: SpreadOrigins?

    /// Whether loops measure how busy they are. Tests report it instead.
    let measuresLoad: Bool

    init(configuration: TransportConfiguration, measuresLoad: Bool = true) {
        self.configuration = configuration
        self.measuresLoad = measuresLoad
        places = configuration.maximumConnections.map { Budget($0) }
        queue = configuration.maximumQueued.map { QueueLimit($0) }
        lookups = Budget(configuration.maximumNameLookups)
        decoderMemory = configuration.maximumDecoderMemory.map { DecoderMemory(limit: $0) }
        let loopCount = configuration.eventLoopCount ?? 1
        spread = loopCount > 1 ? SpreadOrigins(loopCount: loopCount) : nil
    }
}
