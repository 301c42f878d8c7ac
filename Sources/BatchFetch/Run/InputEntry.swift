import Curl

/// What a line of the input becomes: a job, or a failure at once.
enum InputEntry {
    case job(FetchJob)
    case failure(BatchResult)

    init(_ line: InputLine, at now: MonotonicTime) {
        switch line.content {
        case .text(let text):
            do {
                let target = try FetchTarget(text)
                self = .job(FetchJob(target: target, line: line.number, waitingSince: now))
            } catch {
                self = Self.failure(line, text, error)
            }
        case .tooLong(let beginning):
            let failure = BatchFailure(.lineTooLong, "line \(line.number) is too long for a URL")
            self = Self.failure(line, beginning + "…", failure)
        case .notUTF8(let repaired):
            let failure = BatchFailure(.invalidURL, "line \(line.number) is not UTF-8")
            self = Self.failure(line, repaired, failure)
        }
    }

    private static func failure(
        _ line: InputLine,
        _ url: String,
        _ failure: BatchFailure
    ) -> InputEntry {
        var result = BatchResult(url: url, line: line.number)
        result.failure = failure
        return .failure(result)
    }
}
