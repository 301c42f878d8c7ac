internal import FoundationEssentials
import Posix

/// A URL of a run, in a form that another process can continue.
///
/// It has the request, the failed attempts and the redirects so far. It doesn't have what is on the
/// disk of this machine.
package struct WorkItem: Sendable {
    private static let version: UInt8 = 1

    private(set) var job: FetchJob

    init(_ job: FetchJob) {
        self.job = job
    }

    /// The URL of the list.
    package var url: String { job.target.url }

    /// The host of the next request, as the limits per host distinguish hosts.
    package var host: String { job.place.hostKey }

    /// The URL of the next request.
    package var nextURL: String { job.place.url }

    /// The number that the result has as ``BatchResult/ticket``.
    package var ticket: UInt64? {
        get { job.key }
        set { job.key = newValue }
    }

    /// Whether further URLs of the same host come later. Not part of the encoded item.
    package var isFollowed: Bool {
        get { job.isFollowed }
        set { job.isFollowed = newValue }
    }

    /// The number of attempts that were started.
    package var attempts: Int { job.attempts }

    /// The result of the URL if it isn't fetched, for this reason.
    package func failed(_ failure: BatchFailure) -> BatchResult { job.failed(failure) }

    /// A UUID that is the same for each request with the URL, method, fields and content.
    ///
    /// - Parameter deduplication: Which URLs are the same; for `off`, as for `exact`.
    /// - Returns: `nil` if libcrypto doesn't offer SHA-256.
    package func uuid(_ deduplication: Deduplication) -> String? {
        RequestKey.uuid(of: job.target, deduplication)
    }

    /// Whether the URL may be fetched from mirrors, which are other hosts.
    package var hasMirrors: Bool {
        job.target.details.map { !$0.request.mirrors.isEmpty } ?? false
    }

    /// The item as bytes, without its ticket.
    package var encoded: [UInt8] {
        var plain = job
        plain.key = nil
        plain.waitingSince = MonotonicTime(nanoseconds: 0)
        var bytes = [Self.version]
        JobCodec.append(UInt64(job.attempts), to: &bytes)
        JobCodec.append(JobCodec.record(plain), to: &bytes)
        guard let redirects = job.redirects else { return bytes }
        JobCodec.append(UInt64(redirects.count), to: &bytes)
        JobCodec.append(UInt64(redirects.spent.wholeNanoseconds), to: &bytes)
        JobCodec.append(UInt64(redirects.queued.wholeNanoseconds), to: &bytes)
        JobCodec.append(UInt64(bitPattern: redirects.startedAt ?? -1), to: &bytes)
        let request = redirects.target.details?.request
        bytes.append(request?.isBeyondOrigin == true ? 1 : 0)
        let next = FetchJob(
            target: redirects.target,
            line: 0,
            waitingSince: MonotonicTime(nanoseconds: 0)
        )
        JobCodec.append(JobCodec.record(next), to: &bytes)
        return bytes
    }

    /// Decodes an item; `nil` if the bytes are damaged or those of another version.
    package init?(encoded bytes: [UInt8]) {
        var reader = JournalRecordReader(bytes[...])
        guard reader.byte() == Self.version,
            let attempts = reader.number().flatMap({ Int(exactly: $0) }),
            let record = reader.data(), var job = JobCodec.job(record)
        else { return nil }
        job.attempts = attempts
        job.waitingSince = .now
        if !reader.isAtEnd {
            guard let redirects = Self.redirects(&reader) else { return nil }
            job.redirects = redirects
            job.isContinuing = true
        }
        self.job = job
    }

    /// ``encoded`` as text, in Base64.
    package var text: String { Data(encoded).base64EncodedString() }

    /// Decodes ``text``; `nil` if it is damaged or that of another version.
    package init?(text: String) {
        guard let bytes = Data(base64Encoded: text) else { return nil }
        self.init(encoded: Array(bytes))
    }

    private static func redirects(_ reader: inout JournalRecordReader) -> RedirectChain? {
        guard let count = reader.number().flatMap({ Int(exactly: $0) }),
            let spent = reader.number().flatMap({ Int64(exactly: $0) }),
            let queued = reader.number().flatMap({ Int64(exactly: $0) }),
            let startedAt = reader.number(), let isBeyondOrigin = reader.byte(),
            let record = reader.data(), let next = JobCodec.job(record), reader.isAtEnd
        else { return nil }
        var target = next.target
        if isBeyondOrigin == 1 {
            var request = target.details?.request ?? BatchRequest(url: target.url)
            request.isBeyondOrigin = true
            guard let restored = try? FetchTarget(request) else { return nil }
            target = restored
        }
        let start = Int64(bitPattern: startedAt)
        return RedirectChain(
            target,
            count: count,
            spent: .nanoseconds(spent),
            queued: .nanoseconds(queued),
            startedAt: start < 0 ? nil : start
        )
    }
}

extension BatchResult {
    /// The number of the ``WorkItem`` whose result it is; `nil` for one without a number.
    package var ticket: UInt64? { requestKey }
}
