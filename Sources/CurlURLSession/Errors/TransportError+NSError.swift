public import CurlTransport
public import Foundation

// What an underlying error shows of itself where only Foundation's ways of asking are known.

extension TransportError: CustomNSError {
    /// `CurlTransport.TransportError`.
    public static var errorDomain: String { "CurlTransport.TransportError" }

    /// libcurl's number for the failure; 0 where libcurl had no part in it.
    public var errorCode: Int { Int(curlCode ?? 0) }

    /// What was wrong, in English.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}

extension TransportError: LocalizedError {
    /// What was wrong, where, and what to do about it, in English.
    public var errorDescription: String? { message }
}
