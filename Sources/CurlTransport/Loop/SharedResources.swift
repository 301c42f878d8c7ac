/// What all loops of a transport share.
final class SharedResources: Sendable {
    let configuration: TransportConfiguration

    /// Transfers that may run at once, over all loops; nil: as many as there are.
    let places: Budget?

    /// Name look-ups that may be under way at once.
    let lookups: Budget

    init(configuration: TransportConfiguration) {
        self.configuration = configuration
        places = configuration.maximumConnections.map { Budget($0) }
        lookups = Budget(configuration.maximumNameLookups)
    }
}
