internal import HTTPTypes

extension BatchRequest {
    /// Checks that the request may be sent to its mirrors.
    ///
    /// - Throws: ``BatchFailure/Code/invalidLine`` for a request that may change something, and for
    ///   too many mirrors; ``BatchFailure/Code/invalidURL`` for a mirror that isn't a URL.
    func checkMirrors() throws(BatchFailure) {
        guard !mirrors.isEmpty else { return }
        guard method == .get || method == .head, body == .none else {
            throw BatchFailure(
                .invalidLine,
                "the request has several URLs, which only GET and HEAD without content may have: "
                    + "use one URL"
            )
        }
        guard mirrors.count <= Self.maximumMirrorCount else {
            throw BatchFailure(
                .invalidLine,
                "the request has \(mirrors.count + 1) URLs: use at most "
                    + "\(Self.maximumMirrorCount + 1)"
            )
        }
        for mirror in mirrors { _ = try FetchTarget(mirror) }
    }
}
