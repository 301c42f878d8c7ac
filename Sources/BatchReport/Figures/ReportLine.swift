import BatchFetch
internal import FoundationEssentials

/// A line of results with the fields that a report needs; see ``ResultLog``.
struct ReportLine: Decodable {
    struct Failure: Decodable {
        let code: String
        let message: String
    }

    struct Times: Decodable {
        let queue: Double?
        let dns: Double?
        let connect: Double?
        let tls: Double?
        let ttfb: Double?
        let total: Double?
    }

    private enum CodingKeys: String, CodingKey {
        case line, url, status, error, attempts, bytes, reused, existing, unchanged
        case isFetched = "ok"
        case duplicateOf = "duplicate_of"
        case startedAt = "started_at"
        case httpVersion = "http_version"
        case times = "t"
    }

    let line: Int
    let url: String
    let status: Int?
    /// `nil` for a duplicate.
    let isFetched: Bool?
    let error: Failure?
    let attempts: Int
    let bytes: Int64
    let reused: Bool?
    let existing: Bool?
    let unchanged: Bool?
    let duplicateOf: Int?
    let startedAt: String?
    let httpVersion: String?
    let times: Times?

    /// Decodes a line.
    ///
    /// - Throws: ``JSONProblem`` with the reason.
    static func sample(of text: String, using decoder: JSONDecoder) throws(JSONProblem)
        -> ReportSample
    {
        do {
            let line = try decoder.decode(ReportLine.self, from: Data(text.utf8))
            if line.isFetched != nil || line.duplicateOf != nil { return line.sample }
        } catch let error as DecodingError {
            throw JSONProblem(error)
        } catch {
            throw JSONProblem("it is not a JSON object")
        }
        throw JSONProblem("“ok” is missing")
    }

    private var sample: ReportSample {
        var sample = ReportSample()
        sample.line = line
        sample.url = url
        sample.status = status
        if isFetched == false {
            let failure = BatchFailure(BatchFailure.Code(error?.code ?? "unknown"), "")
            sample.failure = (failure.kindName(status: status), error?.message ?? "")
        }
        sample.isExisting = existing ?? false
        sample.isDuplicate = duplicateOf != nil
        sample.isUnchanged = unchanged ?? false
        sample.attempts = max(0, min(attempts, 1_000_000))
        // For an unchanged URL the result repeats the bytes of an earlier run.
        sample.bytes = sample.isUnchanged ? 0 : max(0, bytes)
        sample.startedAt = startedAt.flatMap { Timestamp.microseconds(of: $0) }
        sample.isConnectionReused = reused ?? false
        sample.httpVersion = httpVersion
        sample.timings.queue = Self.duration(times?.queue)
        sample.timings.nameLookup = Self.duration(times?.dns)
        sample.timings.connect = Self.duration(times?.connect)
        sample.timings.tls = Self.duration(times?.tls)
        sample.timings.firstByte = Self.duration(times?.ttfb)
        sample.timings.total = Self.duration(times?.total)
        return sample
    }

    /// Converts seconds; implausible values count as not measured.
    private static func duration(_ seconds: Double?) -> Duration? {
        guard let seconds, seconds >= 0, seconds < 1e9 else { return nil }
        return .microseconds(Int64((seconds * 1e6).rounded()))
    }
}
