internal import Foundation

extension NSError {
    /// Adds a cause to this error, unless it already has one.
    func withUnderlying(_ cause: (any Error)?) -> NSError {
        guard let cause, userInfo[NSUnderlyingErrorKey] == nil else { return self }
        var info = userInfo
        info[NSUnderlyingErrorKey] = cause as NSError
        return NSError(domain: domain, code: code, userInfo: info)
    }

    /// This error, its cause, the cause's cause and so on.
    ///
    /// At most 16 errors.
    var chain: [NSError] {
        var chain = [self]
        // A chain is short; the limit ends a cycle.
        while chain.count < 16,
            let cause = chain.last?.userInfo[NSUnderlyingErrorKey] as? any Error
        {
            chain.append(cause as NSError)
        }
        return chain
    }

    /// Whether this error or one of its causes has a code.
    ///
    /// The domain must match, too.
    func isOrIsCausedBy(_ code: URLError.Code, in domain: String) -> Bool {
        chain.contains { $0.domain == domain && $0.code == code.rawValue }
    }
}

extension Optional where Wrapped == any Error {
    /// Returns the given error with this one as its cause.
    ///
    /// The result is this error if the given one is `nil`.
    package func caused(_ error: (any Error)?) -> (any Error)? {
        guard let error else { return self }
        guard let self else { return error }
        return (error as NSError).withUnderlying(self)
    }
}
