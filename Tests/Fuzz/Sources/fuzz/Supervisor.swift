internal import FuzzWire
internal import Glibc

/// Starts the server and the case processes, and prints their findings.
struct Supervisor {
    private static let patience = 120.0
    /// The same for a single case, which has several exchanges one after another.
    private static let patienceAlone = 60.0
    /// The number of findings that are printed; all are counted.
    private static let printedCount = 50

    private let options: FuzzOptions
    private let port: UInt16
    private let program: String
    private var findings = 0
    private var cases: UInt64 = 0
    private var exchanges: UInt64 = 0

    init?(_ options: FuzzOptions) {
        guard let port = UInt16(exactly: fuzz_server_start()), port > 0 else { return nil }
        self.options = options
        self.port = port
        program = "/proc/self/exe"
    }

    /// Runs the cases of all clients; returns whether there was no finding.
    mutating func run() -> Bool {
        var random = SystemRandomNumberGenerator()
        let seed = options.seed ?? random.next()
        print("seed \(seed)")
        let start = fuzz_now()
        let share = options.seconds.map { $0 / Double(options.clients.count) }
        for client in options.clients {
            let begun = fuzz_now()
            let (casesBefore, exchangesBefore) = (cases, exchanges)
            var done: UInt64 = 0
            while true {
                if let share, fuzz_now() - begun >= share - 0.1 { break }
                var count = options.casesPerProcess
                if let all = options.cases {
                    guard done < all else { break }
                    count = min(count, all - done)
                }
                let left = share.map { $0 - (fuzz_now() - begun) }
                done += runProcess(client, first: seed &+ done, count: count, seconds: left)
            }
            let seconds = fuzz_now() - begun
            let rate = Int(Double(exchanges - exchangesBefore) / seconds)
            print(
                "\(client.rawValue): \(cases - casesBefore) cases, \(exchanges - exchangesBefore) exchanges, "
                    + "\(Int(seconds)) s, \(rate) a second"
            )
            fflush(nil)
        }
        print(
            "\(findings) findings in \(cases) cases, \(exchanges) exchanges, \(fuzz_server_count()) answers, "
                + "\(Int(fuzz_now() - start)) s"
        )
        return findings == 0
    }

    /// Runs cases in a new process; returns how many.
    private mutating func runProcess(
        _ client: FuzzOptions.Client,
        first: UInt64,
        count: UInt64,
        seconds: Double?
    ) -> UInt64 {
        let shared = Places.make(count: options.concurrency)
        guard let places = Places(count: options.concurrency, descriptor: shared) else {
            exit(EXIT_FAILURE)
        }
        defer { close(shared) }
        let child = Child(
            program,
            arguments(client, first: first, count: count, concurrency: options.concurrency)
                + (seconds.map { ["--seconds", "\($0)"] } ?? []),
            shared: shared
        )
        let end = child.wait(patience: Self.patience, progress: { places.exchanges }) {
            self.note($0, client, first)
        }
        cases += places.finishedCases
        exchanges += places.exchanges
        guard case .failed(let text) = end else { return count }
        let suspects = places.seedsInFlight
        found(client, nil, "\(text), with \(suspects.count) cases in flight")
        let guilty = suspects.filter { isFatalAlone($0, client) }
        for seed in guilty { found(client, seed, "it ends the process (\(text))") }
        if guilty.isEmpty {
            let last = suspects.map { $0 &- first }.max() ?? count
            print(
                "  none of them alone; run --client \(client.rawValue) --seed \(first) --cases \(last + 1)"
            )
        }
        // Continues after the cases that were in flight.
        return (suspects.map { $0 &- first }.max() ?? count) + 1
    }

    private func arguments(
        _ client: FuzzOptions.Client,
        first: UInt64,
        count: UInt64,
        concurrency: Int
    ) -> [String] {
        [
            program, "--port", "\(port)", "--client", client.rawValue, "--seed", "\(first)",
            "--cases",
            "\(count)", "--concurrency", "\(concurrency)",
        ] + (options.isVerbose ? ["--verbose"] : [])
    }

    private func isFatalAlone(_ seed: UInt64, _ client: FuzzOptions.Client) -> Bool {
        let shared = Places.make(count: 1)
        defer { close(shared) }
        let child = Child(
            program,
            arguments(client, first: seed, count: 1, concurrency: 1),
            shared: shared
        )
        let end = child.wait(patience: Self.patienceAlone, progress: { 0 }) { _ in }
        if case .failed = end { return true }
        return false
    }

    private mutating func note(_ line: Substring, _ client: FuzzOptions.Client, _ first: UInt64) {
        let words = line.split(separator: " ", maxSplits: 2)
        if words.count == 3, words[0] == "FINDING" {
            found(client, UInt64(words[1]), String(words[2]))
        } else {
            print("  \(line)")
        }
    }

    private mutating func found(_ client: FuzzOptions.Client, _ seed: UInt64?, _ text: String) {
        findings += 1
        guard findings <= Self.printedCount else { return }
        let command =
            seed.map {
                " (Tests/Fuzz/run --client \(client.rawValue) --seed \($0) --cases 1)"
            } ?? ""
        print("finding: \(text)\(command)")
        fflush(nil)
    }
}
