/// Why a transfer failed: the one error type of the transport.
///
/// ``code`` says what kind of failure it was, ``phase`` how far the transfer had come, ``message``
/// what was wrong, where, and what to do about it, in English. No part of it holds a password,
/// a URL's user info or its query.
///
/// ```swift
/// do {
///     let response = try await client.send(request)
/// } catch where error.isTimeout {
///     // try later
/// } catch where error.code == .certificateExpired {
///     // tell the owner of the server
/// }
/// ```
public struct TransportError: Error, Sendable, Hashable {
    /// The kind of failure.
    public package(set) var code: Code

    /// How far the transfer had come.
    public package(set) var phase: Phase

    /// Whether the same request may be sent again.
    public package(set) var retry: Retry

    /// What was wrong, where, and what to do about it, in English.
    public package(set) var message: String

    /// The URL without user info, query and fragment; nil where no URL was known.
    public package(set) var url: String?

    /// The address and port of the other end, such as `127.0.0.1:80`; nil where there was none.
    public package(set) var peer: String?

    /// libcurl's number for the failure; nil where libcurl had no part in it.
    /// See <https://curl.se/libcurl/c/libcurl-errors.html>.
    public package(set) var curlCode: Int32?

    /// The system's `errno`, where the failure was one of the system.
    public package(set) var systemErrno: Int32?

    /// OpenSSL's verdict on the server's certificate (an `X509_V_ERR_` number), where it was
    /// what failed.
    public package(set) var verifyResult: Int?

    /// The bytes of the request body that had been sent.
    public package(set) var bytesSent: Int64

    /// The bytes of the response body that had been received, as they were on the wire.
    public package(set) var bytesReceived: Int64

    /// Creates an error. What is secret in the texts is left out here, whatever the caller did.
    package init(
        _ code: Code,
        phase: Phase,
        message: String,
        url: String? = nil,
        peer: String? = nil,
        retry: Retry? = nil,
        curlCode: Int32? = nil,
        systemErrno: Int32? = nil,
        verifyResult: Int? = nil,
        bytesSent: Int64 = 0,
        bytesReceived: Int64 = 0
    ) {
        self.code = code
        self.phase = phase
        self.retry = retry ?? code.usualRetry
        self.message = Redaction.text(message)
        self.url = url.map(Redaction.url)
        self.peer = peer
        self.curlCode = curlCode
        self.systemErrno = systemErrno
        self.verifyResult = verifyResult
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
    }
}

extension TransportError: CustomStringConvertible {
    /// Code, phase, libcurl's number and the message, on one line.
    public var description: String {
        let number = curlCode.map { ", curl \($0)" } ?? ""
        return "\(code) (\(phase)\(number)): \(message)"
    }
}
