import Posix

/// A line of the input: a job, or an immediate result.
enum InputEntry {
    case job(FetchJob)
    case done(BatchResult)

    /// The position in the whole input, from 1.
    var ordinal: Int {
        switch self {
        case .job(let job): job.ordinal
        case .done(let result): result.ordinal
        }
    }

    init(_ line: InputLine, ordinal: Int? = nil, at now: MonotonicTime) {
        let ordinal = ordinal ?? line.number
        let place = line.source.map { "\($0): " } ?? ""
        func failure(_ url: String, _ reason: BatchFailure) -> InputEntry {
            var result = BatchResult(url: url, line: line.number, ordinal: ordinal)
            result.failure = BatchFailure(reason.code, place + reason.message)
            return .done(result)
        }
        func job(_ url: String, _ target: () throws(BatchFailure) -> FetchTarget) -> InputEntry {
            do throws(BatchFailure) {
                return .job(
                    FetchJob(
                        target: try target(),
                        line: line.number,
                        ordinal: ordinal,
                        waitingSince: now
                    )
                )
            } catch {
                return failure(url, error)
            }
        }
        self =
            switch line.content {
            case .text(let text):
                job(text) { () throws(BatchFailure) in try FetchTarget(text) }
            case .request(let request):
                job(request.url) { () throws(BatchFailure) in try FetchTarget(request) }
            case .malformed(let beginning, let reason):
                failure(beginning, reason)
            case .tooLong(let beginning):
                failure(
                    beginning + "…",
                    BatchFailure(
                        .lineTooLong,
                        "line \(line.number) is too long: the limit is 16 KiB for a URL, and "
                            + "1 MiB for a line of JSONL (use body_file for a large body)"
                    )
                )
            case .notUTF8(let repaired):
                failure(
                    repaired,
                    BatchFailure(.invalidURL, "line \(line.number) is not UTF-8")
                )
            }
    }
}

extension InputShard {
    /// Whether an entry belongs to this part.
    ///
    /// A malformed entry, which has no host, is assigned by its ordinal.
    func contains(_ entry: InputEntry) -> Bool {
        let number =
            switch entry {
            case .job(let job): StableHash.hash(job.target.host.utf8)
            case .done(let result): StableHash.mixed(UInt64(result.ordinal))
            }
        return Int(number % UInt64(count)) == index
    }
}
