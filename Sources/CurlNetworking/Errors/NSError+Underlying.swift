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

    /// Returns an error that can be cast to `NSError`, as observers of notifications do.
    ///
    /// It is the given one, if it is an `NSError`, a `URLError` or a `CocoaError`. On Linux other
    /// types can't be cast: such an error is the cause of the result, which has its domain and code.
    static func castable(_ error: any Error) -> any Error {
        if (error as Any) is NSError { return error }
        let plain = error as NSError
        var info = plain.userInfo
        info[NSUnderlyingErrorKey] = error
        return NSError(domain: plain.domain, code: plain.code, userInfo: info)
    }

    /// The error that ``castable(_:)`` has wrapped in this one; otherwise `nil`.
    var wrapped: (any Error)? {
        guard let cause = userInfo[NSUnderlyingErrorKey] as? any Error else { return nil }
        let plain = cause as NSError
        return (plain.domain, plain.code) == (domain, code) ? cause : nil
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
