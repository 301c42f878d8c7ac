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
    private var storage: Storage

    /// The kind of failure.
    public package(set) var code: Code {
        get { storage.details.code }
        set { change { $0.code = newValue } }
    }

    /// How far the transfer had come.
    public package(set) var phase: Phase {
        get { storage.details.phase }
        set { change { $0.phase = newValue } }
    }

    /// Whether the same request may be sent again.
    public package(set) var retry: Retry {
        get { storage.details.retry }
        set { change { $0.retry = newValue } }
    }

    /// What was wrong, where, and what to do about it, in English.
    public package(set) var message: String {
        get { storage.details.message }
        set { change { $0.message = newValue } }
    }

    /// The URL without user info, query and fragment; nil where no URL was known.
    public package(set) var url: String? {
        get { storage.details.url }
        set { change { $0.url = newValue } }
    }

    /// The address and port of the other end, such as `127.0.0.1:80`; nil where there was none.
    public package(set) var peer: String? {
        get { storage.details.peer }
        set { change { $0.peer = newValue } }
    }

    /// libcurl's number for the failure; nil where libcurl had no part in it.
    /// See <https://curl.se/libcurl/c/libcurl-errors.html>.
    public package(set) var curlCode: Int32? {
        get { storage.details.curlCode }
        set { change { $0.curlCode = newValue } }
    }

    /// The system's `errno`, where the failure was one of the system.
    public package(set) var systemErrno: Int32? {
        get { storage.details.systemErrno }
        set { change { $0.systemErrno = newValue } }
    }

    /// OpenSSL's verdict on the server's certificate (an `X509_V_ERR_` number), where it was
    /// what failed.
    public package(set) var verifyResult: Int? {
        get { storage.details.verifyResult }
        set { change { $0.verifyResult = newValue } }
    }

    /// The bytes of the request body that had been sent.
    public package(set) var bytesSent: Int64 {
        get { storage.details.bytesSent }
        set { change { $0.bytesSent = newValue } }
    }

    /// The bytes of the response body that had been received, as they were on the wire.
    public package(set) var bytesReceived: Int64 {
        get { storage.details.bytesReceived }
        set { change { $0.bytesReceived = newValue } }
    }

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
        storage = Storage(
            Details(
                code: code,
                phase: phase,
                retry: retry ?? code.usualRetry,
                message: Redaction.text(message),
                url: url.map(Redaction.url),
                peer: peer,
                curlCode: curlCode,
                systemErrno: systemErrno,
                verifyResult: verifyResult,
                bytesSent: bytesSent,
                bytesReceived: bytesReceived
            )
        )
    }
}

extension TransportError {
    /// What an error says, kept apart: results that may be errors are handed around for each
    /// transfer, and hardly any of them is one.
    private final class Storage: Sendable {
        let details: Details

        init(_ details: Details) {
            self.details = details
        }
    }

    private struct Details: Sendable, Hashable {
        var code: Code
        var phase: Phase
        var retry: Retry
        var message: String
        var url: String?
        var peer: String?
        var curlCode: Int32?
        var systemErrno: Int32?
        var verifyResult: Int?
        var bytesSent: Int64
        var bytesReceived: Int64
    }

    private mutating func change(_ change: (inout Details) -> Void) {
        var details = storage.details
        change(&details)
        storage = Storage(details)
    }

    /// Whether both say the same.
    public static func == (lhs: TransportError, rhs: TransportError) -> Bool {
        lhs.storage === rhs.storage || lhs.storage.details == rhs.storage.details
    }

    /// Hashes all that the error says.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.details)
    }
}

extension TransportError: CustomStringConvertible {
    /// Code, phase, libcurl's number and the message, on one line.
    public var description: String {
        let number = curlCode.map { ", curl \($0)" } ?? ""
        return "\(code) (\(phase)\(number)): \(message)"
    }
}
