extension InvalidOption {
    /// The same as everybody else sees it.
    var transportError: TransportError {
        if let missingFeature {
            .unsupportedFeature("\(missingFeature), which the option \(option) asks for")
        } else {
            .configuration("the option \(description)", systemErrno: errno)
        }
    }
}
