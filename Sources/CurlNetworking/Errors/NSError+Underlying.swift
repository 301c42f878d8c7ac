internal import Foundation

extension NSError {
    /// This error with another one as its cause, unless it has one already.
    func withUnderlying(_ cause: (any Error)?) -> NSError {
        guard let cause, userInfo[NSUnderlyingErrorKey] == nil else { return self }
        var info = userInfo
        info[NSUnderlyingErrorKey] = cause as NSError
        return NSError(domain: domain, code: code, userInfo: info)
    }

    /// This error, the one that caused it, and so on.
    var chain: [NSError] {
        var chain = [self]
        // A chain is short. One that goes round in a circle isn't followed for ever.
        while chain.count < 16,
            let cause = chain.last?.userInfo[NSUnderlyingErrorKey] as? any Error
        {
            chain.append(cause as NSError)
        }
        return chain
    }

    /// Whether this error or one of its causes has a code in a domain.
    func isOrIsCausedBy(_ code: URLError.Code, in domain: String) -> Bool {
        chain.contains { $0.domain == domain && $0.code == code.rawValue }
    }
}

extension Optional where Wrapped == any Error {
    /// An error with the one that stood here before as its cause. No error leaves that one alone.
    package func caused(_ error: (any Error)?) -> (any Error)? {
        guard let error else { return self }
        guard let self else { return error }
        return (error as NSError).withUnderlying(self)
    }
}
