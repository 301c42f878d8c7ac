/// The one error type of the transport: why a transfer failed.
///
/// ``code-swift.property`` is the kind of failure and ``phase-swift.property`` the phase that the
/// transfer had reached. ``message`` says in English what was wrong, where, and what to do about
/// it. No property contains a password, a URL's user info or its query.
///
/// ```swift
/// do {
///     let response = try await client.send(request)
///     print(response.statusCode)
/// } catch let error where error.isTimeout {
///     print("try later")
/// } catch let error where error.code == .certificateExpired {
///     print("tell the owner of the server")
/// }
/// ```
public struct TransportError: Error, Sendable, Hashable {
    private var storage: Storage

    /// The kind of failure.
    public package(set) var code: Code {
        get { storage.details.code }
        set { change { $0.code = newValue } }
    }

    /// The phase that the transfer had reached.
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

    /// The URL without user info, query and fragment; nil if no URL was known.
    public package(set) var url: String? {
        get { storage.details.url }
        set { change { $0.url = newValue } }
    }

    /// The peer's address and port, such as `127.0.0.1:80`; nil if there was none.
    public package(set) var peer: String? {
        get { storage.details.peer }
        set { change { $0.peer = newValue } }
    }

    /// libcurl's code for the failure; nil if libcurl wasn't involved.
    ///
    /// See <https://curl.se/libcurl/c/libcurl-errors.html>.
    public package(set) var curlCode: Int32? {
        get { storage.details.curlCode }
        set { change { $0.curlCode = newValue } }
    }

    /// The system's `errno`; nil if no system call failed.
    public package(set) var systemErrno: Int32? {
        get { storage.details.systemErrno }
        set { change { $0.systemErrno = newValue } }
    }

    /// OpenSSL's result of the certificate verification, an `X509_V_ERR_` number.
    ///
    /// Nil if the verification didn't fail.
    public package(set) var verifyResult: Int? {
        get { storage.details.verifyResult }
        set { change { $0.verifyResult = newValue } }
    }

    /// The error that the program's own code threw, unchanged.
    ///
    /// It is the error that ended the sequence of a ``RequestBody/stream(length:_:)`` or of a
    /// response body that isn't the client's own. Nil for every failure of the transport, the
    /// network or the server. `==` ignores this property, because errors of other types can't be
    /// compared.
    public var underlying: (any Error)? { storage.underlying }

    /// The durations, sizes and the connection of the failed transfer.
    ///
    /// Nil if no transfer ended with this error: none was started, or it still ran when the error
    /// was thrown. `==` ignores this property.
    public package(set) var metrics: TransferMetrics? {
        get { storage.metrics }
        set { storage = Storage(storage, metrics: newValue, transferID: transferID) }
    }

    /// The failed transfer, as in ``HTTPClientResponse/id`` and in the lines of a log.
    ///
    /// Nil if no transfer was started. `==` ignores this property.
    public package(set) var transferID: TransferID? {
        get { storage.transferID }
        set { storage = Storage(storage, metrics: metrics, transferID: newValue) }
    }

    /// The number of sent bytes of the request body.
    public package(set) var bytesSent: Int64 {
        get { storage.details.bytesSent }
        set { change { $0.bytesSent = newValue } }
    }

    /// The number of received bytes of the response body, as encoded on the wire.
    public package(set) var bytesReceived: Int64 {
        get { storage.details.bytesReceived }
        set { change { $0.bytesReceived = newValue } }
    }

    /// Creates an error, and removes secrets from `message` and `url`.
    ///
    /// Use it in your own middleware and stubs. The client makes its errors itself.
    ///
    /// - Parameters:
    ///   - phase: the phase that the transfer had reached; by default the usual one for the code.
    ///   - message: what was wrong, where, and what to do about it; by default the code's name.
    ///   - retry: whether the request may be sent again; by default as usual for the code.
    ///   - underlying: an error of another type that caused this one.
    public init(
        _ code: Code,
        phase: Phase? = nil,
        message: String? = nil,
        url: String? = nil,
        peer: String? = nil,
        retry: Retry? = nil,
        curlCode: Int32? = nil,
        systemErrno: Int32? = nil,
        verifyResult: Int? = nil,
        bytesSent: Int64 = 0,
        bytesReceived: Int64 = 0,
        underlying: (any Error)? = nil,
        metrics: TransferMetrics? = nil,
        transferID: TransferID? = nil
    ) {
        storage = Storage(
            Details(
                code: code,
                phase: phase ?? code.usualPhase,
                retry: retry ?? code.usualRetry,
                message: Redaction.text(message ?? "the transfer failed: \(code)."),
                url: url.map(Redaction.url),
                peer: peer,
                curlCode: curlCode,
                systemErrno: systemErrno,
                verifyResult: verifyResult,
                bytesSent: bytesSent,
                bytesReceived: bytesReceived
            ),
            underlying,
            metrics,
            transferID
        )
    }

    /// This error as the end of a transfer.
    func ending(_ transferID: TransferID, _ metrics: TransferMetrics?) -> Self {
        var error = self
        error.storage = Storage(storage, metrics: metrics, transferID: transferID)
        return error
    }
}

extension TransportError {
    /// The details of an error, stored outside of it.
    ///
    /// Each transfer passes results that may be errors, but few are. A reference keeps them small.
    private final class Storage: Sendable {
        let details: Details
        let underlying: (any Error)?
        let metrics: TransferMetrics?
        let transferID: TransferID?

        init(
            _ details: Details,
            _ underlying: (any Error)?,
            _ metrics: TransferMetrics?,
            _ transferID: TransferID?
        ) {
            self.details = details
            self.underlying = underlying
            self.metrics = metrics
            self.transferID = transferID
        }

        convenience init(
            _ other: Storage,
            metrics: TransferMetrics?,
            transferID: TransferID?
        ) {
            self.init(other.details, other.underlying, metrics, transferID)
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
        storage = Storage(details, storage.underlying, storage.metrics, storage.transferID)
    }

    /// Whether the failures are equal.
    ///
    /// All properties are compared except ``underlying``, ``metrics`` and ``transferID``.
    public static func == (lhs: TransportError, rhs: TransportError) -> Bool {
        lhs.storage === rhs.storage || lhs.storage.details == rhs.storage.details
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.details)
    }
}

extension TransportError: CustomStringConvertible {
    /// The code, the phase, libcurl's code and the message, on one line.
    public var description: String {
        let number = curlCode.map { ", curl \($0)" } ?? ""
        return "\(code) (\(phase)\(number)): \(message)"
    }
}
