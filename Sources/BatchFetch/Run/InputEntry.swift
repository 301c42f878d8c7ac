import Curl

/// What a line of the input becomes: a job, or a result at once.
enum InputEntry {
    case job(FetchJob)
    case done(BatchResult)

    /// Which one of the whole input it is, from 1.
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
                        "line \(line.number) is longer than a line may be: a URL has less than 16 KiB, and "
                            + "a line of JSONL less than a MiB (body_file names the content's file)"
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
