/// The command line's options.
struct FuzzOptions: Sendable {
    enum Client: String, CaseIterable, Sendable {
        case transport
        case session
        case manager
        case batch
        case http2
        case websocket
    }

    var seed: UInt64?
    var cases: UInt64?
    var seconds: Double?
    var clients: [Client] = Client.allCases
    var concurrency = 32
    /// The number of cases that one process runs before the next process starts.
    var casesPerProcess: UInt64 = 20_000
    var isVerbose = false
    /// The server's port, in a case process.
    var port: UInt16?

    static let usage = """
        usage: fuzz [--seed S] [--cases N | --seconds T] [--client C] [--concurrency N]
                    [--per-process N] [--verbose]

        Runs hostile exchanges against clients of the library, in processes that may crash. Without a
        seed a fresh one is taken. Case i of a run has the seed S + i.

          --seed S         of the first case, decimal or 0x…
          --cases N        how many cases for each client
          --seconds T      how long, all clients together (default: 60)
          --client C       \(Client.allCases.map(\.rawValue).joined(separator: ", ")); several times
                           for several; default: all
          --concurrency N  cases at once (default: 32)
          --per-process N  cases before a fresh process takes over (default: 20000)
          --verbose        prints what the server sends, for --cases 1

        Ends with 0 without a finding, 1 with findings, 2 for wrong arguments.
        """

    /// Nil if an argument is invalid.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        var named: [Client] = []
        while let name = rest.popFirst() {
            if name == "--verbose" {
                isVerbose = true
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--seed":
                let isHex = value.hasPrefix("0x")
                guard
                    let seed = UInt64(
                        isHex ? String(value.dropFirst(2)) : value,
                        radix: isHex ? 16 : 10
                    )
                else { return nil }
                self.seed = seed
            case "--cases":
                guard let count = UInt64(value), count > 0 else { return nil }
                cases = count
            case "--seconds":
                guard let count = Double(value), count > 0 else { return nil }
                seconds = count
            case "--client":
                guard let client = Client(rawValue: value) else { return nil }
                named.append(client)
            case "--concurrency":
                guard let count = Int(value), (1...1000).contains(count) else { return nil }
                concurrency = count
            case "--per-process":
                guard let count = UInt64(value), count > 0 else { return nil }
                casesPerProcess = count
            case "--port":
                guard let number = UInt16(value) else { return nil }
                port = number
            default:
                return nil
            }
        }
        if !named.isEmpty { clients = named }
        if cases == nil, seconds == nil { seconds = 60 }
    }
}
