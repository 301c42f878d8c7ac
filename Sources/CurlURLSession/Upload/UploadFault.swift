internal import Foundation

/// Why an upload can't be gone on with.
struct UploadFault: Sendable {
    let code: URLError.Code
    /// What was wrong and what to do about it.
    let reason: String
    /// It can't be later, either.
    let isFinal: Bool

    init(_ code: URLError.Code, _ reason: String, isFinal: Bool) {
        self.code = code
        self.reason = reason
        self.isFinal = isFinal
    }

    func error(url: URL?) -> URLError {
        URLError(code, url: url, reason: reason)
    }
}
