internal import Posix

/// How long results of name lookups are cached: shorter than configured if there are very many.
///
/// Pure: the caller passes the current time.
struct LookupLifetime {
    /// The number of names that a loop's caches should have at most.
    ///
    /// libcurl has no such limit, or a far higher one. Without it, a lifetime of an hour would fill
    /// the memory, and libcurl walks through its entries after each transfer.
    static let capacity = 4096

    /// The shortest lifetime in seconds, unless a shorter one is configured.
    ///
    /// libcurl before 8.16 counts whole seconds, so an entry of one second may expire at once.
    static let shortest = 2

    private static let second: Int64 = 1_000_000_000

    private let configuredNanoseconds: Int64
    private let configuredSeconds: Int

    /// The current lifetime in seconds, for libcurl. Zero if nothing is cached.
    private(set) var seconds: Int

    /// When counting began, for at least a second.
    private var countedSince: MonotonicTime?
    private var count = 0
    /// Lookups per second. It rises at once, and falls by half in a second.
    private var rate = 0

    init(_ configured: Duration) {
        configuredNanoseconds = configured.wholeNanoseconds
        configuredSeconds = configured.wholeSeconds
        seconds = configuredSeconds
    }

    /// The current lifetime in nanoseconds, for the scheduler.
    var nanoseconds: Int64 {
        guard seconds < configuredSeconds else { return configuredNanoseconds }
        return Int64(seconds) * Self.second
    }

    /// The lifetime in seconds of addresses in the options, for libcurl.
    ///
    /// There are few of them, and libcurl adds them only when a transfer starts, which may need
    /// them again for another connection. With a lifetime of zero it wouldn't use them at all.
    var secondsOfOverrides: Int { max(configuredSeconds, Self.shortest) }

    /// Counts a lookup.
    mutating func lookupStarted(at now: MonotonicTime) {
        count += 1
        guard let start = countedSince else {
            countedSince = now
            return
        }
        let elapsed = now.nanoseconds(since: start)
        guard elapsed >= Self.second else { return }
        let measured = Int(Double(count) * Double(Self.second) / Double(elapsed))
        rate = max(measured, rate >> min(62, elapsed / Self.second))
        count = 0
        countedSince = now
        seconds = rate == 0 ? configuredSeconds : min(configuredSeconds, Self.lifetime(at: rate))
    }

    private static func lifetime(at rate: Int) -> Int {
        max(shortest, capacity / rate)
    }
}
