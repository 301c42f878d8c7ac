internal import FoundationEssentials

/// A part of a report as a line of JSON: a result, or a URL that continues at another host.
struct ReportLine: Codable {
    private struct Completed: Codable {
        let isFetched: Bool
        let line: String
    }

    private struct Moved: Codable {
        let target: String
        let url: String
        let details: String?
        let delay: Double
    }

    private let host: Int
    private let token: Int
    private let key: String
    private var completed: Completed?
    private var moved: Moved?

    private init(_ completion: FleetReport.Completion) {
        host = completion.lease.host
        token = completion.lease.token
        key = completion.key
        completed = Completed(isFetched: completion.isFetched, line: completion.line)
    }

    private init(_ move: FleetReport.Move) {
        host = move.lease.host
        token = move.lease.token
        key = move.key
        moved = Moved(
            target: move.target,
            url: move.url,
            details: move.details,
            delay: move.delay / .seconds(1)
        )
    }

    /// The results and moves of a report, each in a line.
    ///
    /// What the report says about hosts is left out: it is worthless later.
    static func encoded(_ report: FleetReport) -> [UInt8] {
        let encoder = JSONEncoder()
        var bytes: [UInt8] = []
        for line in report.completions.map({ Self($0) }) + report.moves.map({ Self($0) }) {
            // Only numbers that aren't finite can't be encoded.
            guard let data = try? encoder.encode(line) else { continue }
            bytes += data
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// Decodes lines, and counts those that are damaged.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> (report: FleetReport, damaged: Int) {
        let decoder = JSONDecoder()
        var report = FleetReport()
        var damaged = 0
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let part = try? decoder.decode(Self.self, from: Data(line)),
                part.add(to: &report)
            else {
                damaged += 1
                continue
            }
        }
        return (report, damaged)
    }

    private func add(to report: inout FleetReport) -> Bool {
        let lease = HostLease(host: host, token: token)
        if let completed {
            report.completions.append(
                FleetReport.Completion(
                    lease: lease,
                    key: key,
                    isFetched: completed.isFetched,
                    line: completed.line
                )
            )
        } else if let moved {
            report.moves.append(
                FleetReport.Move(
                    lease: lease,
                    key: key,
                    target: moved.target,
                    url: moved.url,
                    details: moved.details,
                    delay: .seconds(moved.delay)
                )
            )
        } else {
            return false
        }
        return true
    }
}
