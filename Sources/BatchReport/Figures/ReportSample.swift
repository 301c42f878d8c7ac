package import BatchFetch

/// The data that a report uses from one result.
package struct ReportSample: Sendable {
    var line = 0
    var url = ""
    var status: Int?
    /// The failure's short name and message; `nil` if the URL was fetched.
    var failure: (name: String, message: String)?
    /// Whether the file existed already, so that nothing was fetched.
    var isExisting = false
    /// Whether it wasn't fetched because another line had the URL before.
    var isDuplicate = false
    /// Whether the body from an earlier run is unchanged.
    var isUnchanged = false
    var attempts = 0
    /// The number of transferred bytes.
    var bytes: Int64 = 0
    /// The start of the last attempt, in microseconds since 1970.
    var startedAt: Int64?
    var timings = BatchTimings()
    var isConnectionReused = false
    var httpVersion: String?
}

extension ReportSample {
    package init(_ result: BatchResult) {
        line = result.line
        url = result.url
        status = result.status
        failure = result.failure.map { ($0.kindName(status: result.status), $0.message) }
        isExisting = result.isExisting
        isDuplicate = result.duplicateOf != nil
        isUnchanged = result.isUnchanged
        attempts = result.attempts
        // For an unchanged URL the result repeats the bytes of an earlier run.
        bytes = isUnchanged ? 0 : max(0, result.transferredBytes)
        startedAt = result.startedAt
        timings = result.timings.inMicroseconds
        isConnectionReused = result.isConnectionReused
        httpVersion = result.httpVersion
    }

    /// The host, and the port if the URL has one; `nil` if there is none.
    ///
    /// User name and password are left out. A malformed URL has none: what looks like its host may
    /// be the beginning of a password.
    var host: String? {
        guard (try? FetchTarget(url)) != nil,
            let separator = FetchTarget.schemeSeparator(in: url)
        else { return nil }
        let authority = url[separator.upperBound...].prefix {
            !"/?#".utf8.contains($0.utf8.first ?? 0)
        }
        let server = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
        let host = (server ?? authority).lowercased()
        return host.isEmpty ? nil : host
    }

    /// The end of the last attempt, in microseconds since 1970.
    var endedAt: Int64? {
        guard let startedAt else { return nil }
        let total = (timings.total ?? .zero).wholeMicroseconds
        let (end, overflow) = startedAt.addingReportingOverflow(total)
        return overflow ? nil : end
    }
}

extension BatchFailure {
    /// The name under which failures of this kind are counted.
    func kindName(status: Int?) -> String {
        code == .status ? "status \(status ?? 0)" : code.name
    }
}

extension BatchTimings {
    /// The timings in whole microseconds, as results contain them.
    var inMicroseconds: BatchTimings {
        func whole(_ time: Duration?) -> Duration? {
            time.map { .microseconds($0.wholeMicroseconds) }
        }
        var timings = BatchTimings()
        timings.queue = whole(queue)
        timings.nameLookup = whole(nameLookup)
        timings.connect = whole(connect)
        timings.tls = whole(tls)
        timings.firstByte = whole(firstByte)
        timings.total = whole(total)
        return timings
    }
}

extension Duration {
    /// The duration in microseconds; saturates, and is 0 for a negative one.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        let (micros, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? .max : micros &+ attoseconds / 1_000_000_000_000
    }
}
