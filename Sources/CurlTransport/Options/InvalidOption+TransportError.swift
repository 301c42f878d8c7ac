extension InvalidOption {
    /// The same as everybody else sees it.
    var transportError: TransportError {
        missingFeature == nil ? .configuration(description) : .unsupportedFeature(description)
    }
}
