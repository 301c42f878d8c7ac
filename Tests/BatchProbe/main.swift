// Runs a batch, and prints the time and memory of the run itself. URLs are answered at once, except
// with "body".
//
// BatchProbe COUNT HOSTS DEDUPLICATION [RESULTS]
//     Runs COUNT generated URLs on HOSTS hosts, with deduplication "off", "exact" or "normalised".
//     The results are written to the file RESULTS, or discarded.
// BatchProbe sorted COUNT HOSTS DEDUPLICATION
//     The same sorted by host; the first half of the URLs are of a host that doesn't answer. The
//     run ends when the results of all other hosts have been delivered.
// BatchProbe journal FOLDER COUNT [DEDUPLICATION]
//     Uses a list of twice COUNT URLs and a journal, which are created in FOLDER if they don't
//     exist. The run ends after COUNT results. A second call resumes the run and prints the time to
//     the first result.
// BatchProbe body URL FOLDER LIMIT
//     Fetches URL into FOLDER. A body may have LIMIT bytes. Prints the failure and the body's size.

internal import BatchFetch
internal import Foundation

func status(_ field: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
    return line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first
        .flatMap { Int($0) } ?? 0
}

func milliseconds(since start: ContinuousClock.Instant) -> Int {
    Int((ContinuousClock.now - start) / .milliseconds(1))
}

func report(_ run: BatchRun, since start: ContinuousClock.Instant) {
    print("done=\(run.progress.done)")
    print("skipped=\(run.progress.skipped)")
    print("duplicates=\(run.progress.duplicates)")
    print("milliseconds=\(milliseconds(since: start))")
    print("peak=\(status("VmHWM:"))")
}

func generate(_ count: Int, _ hosts: Int, _ mode: Deduplication, _ path: String?) async throws {
    let start = ContinuousClock.now
    var input = BatchInput.generated { number in
        number < count ? "http://host\(number % hosts).example/path/to/a/page/\(number)" : nil
    }
    input.options.deduplication = mode
    let log = try path.map { try ResultLog(path: $0) }
    let run = try Batch().dryRun(input)
    for await result in run { log?.append(result) }
    try log?.close()
    report(run, since: start)
}

func sorted(_ count: Int, _ hosts: Int, _ mode: Deduplication) async throws {
    let start = ContinuousClock.now
    let share = max(1, count / 2 / hosts)
    var input = BatchInput.generated { number in
        guard number < count else { return nil }
        let host = number < count / 2 ? "silent" : "host\((number - count / 2) / share)"
        return "http://\(host).example/path/to/a/page/\(number)"
    }
    input.options.deduplication = mode
    let run = try Batch().dryRun(input, silentHost: "silent.example")
    var taken = 0
    for await result in run where result.isFetched {
        taken += 1
        if taken == count - count / 2 {
            print("waiting=\(run.progress.waiting)")
            run.cancel()
        }
    }
    report(run, since: start)
}

func makeList(_ path: String, count: Int) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    for start in stride(from: 0, to: 2 * count, by: 1000) {
        let lines = (start..<min(start + 1000, 2 * count)).map {
            "http://host\($0 % 1000).example/path/to/a/page/\($0)\n"
        }
        try file.write(contentsOf: Data(lines.joined().utf8))
    }
    try file.close()
}

func resume(_ folder: String, _ count: Int, _ mode: Deduplication) async throws {
    try makeList("\(folder)/list", count: count)
    let start = ContinuousClock.now
    let journal = try BatchJournal(
        path: "\(folder)/journal",
        lists: ["\(folder)/list"],
        results: "\(folder)/results"
    )
    print("opened=\(milliseconds(since: start))")
    let log = try ResultLog(journal: journal)
    var input = BatchInput.file("\(folder)/list")
    input.options.deduplication = mode
    let run = try Batch().dryRun(input, journal: journal)
    var taken = 0
    for await result in run {
        if taken == 0 { print("first=\(milliseconds(since: start))") }
        log.append(result)
        taken += 1
        // A resumed run ends after its first result, whose time is all that it measures.
        if taken == (journal.doneCount == 0 ? count : 1) { run.stop() }
    }
    try log.close()
    report(run, since: start)
}

func fetch(_ url: String, into folder: String, atMost limit: Int64) async throws {
    let start = ContinuousClock.now
    var configuration = BatchConfiguration(retry: .never, output: .directory(folder))
    configuration.limits.maximumBodyBytes = limit
    // Other processes' tests run at the same time: no request may fail by a timeout.
    configuration.timeouts.connect = nil
    configuration.timeouts.stall = nil
    let run = try Batch(configuration).start(.urls([url]))
    for await result in run {
        print("failure=\(result.failure?.code.name ?? "none")")
        print("bytes=\(result.bytes)")
    }
    report(run, since: start)
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count >= 3, arguments[0] == "journal", let count = Int(arguments[2]) {
    let mode = arguments.count > 3 ? Deduplication(rawValue: arguments[3]) : .off
    try await resume(arguments[1], count, mode ?? .off)
} else if arguments.count >= 4, arguments[0] == "body", let limit = Int64(arguments[3]) {
    try await fetch(arguments[1], into: arguments[2], atMost: limit)
} else if arguments.count >= 4, arguments[0] == "sorted", let count = Int(arguments[1]),
    let hosts = Int(arguments[2]), let mode = Deduplication(rawValue: arguments[3])
{
    try await sorted(count, max(1, hosts), mode)
} else if arguments.count >= 3, let count = Int(arguments[0]), let hosts = Int(arguments[1]),
    let mode = Deduplication(rawValue: arguments[2])
{
    try await generate(count, max(1, hosts), mode, arguments.count > 3 ? arguments[3] : nil)
} else {
    print("usage: BatchProbe COUNT HOSTS DEDUPLICATION [RESULTS]")
    print("       BatchProbe sorted COUNT HOSTS DEDUPLICATION")
    print("       BatchProbe journal FOLDER COUNT [DEDUPLICATION]")
    print("       BatchProbe body URL FOLDER LIMIT")
    exit(2)
}
