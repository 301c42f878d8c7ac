internal import LoadSupport
internal import Synchronization

/// As many tasks as there are places in flight, each of which awaits one request after the other: the
/// same for every client with an asynchronous interface.
public final class AsyncLoad: Sendable {
    /// Performs the request of a number, on behalf of a place in flight.
    public typealias Perform = @Sendable (_ number: Int, _ place: Int) async throws -> Outcome

    private let options: LoadOptions
    private let perform: Perform
    private let issued: IssuedCount
    private let sum: Mutex<Tally>

    /// The load that `options` ask for, one request at a time by `perform`.
    public init(_ options: LoadOptions, perform: @escaping Perform) {
        self.options = options
        self.perform = perform
        issued = IssuedCount(limit: options.requests)
        sum = Mutex(Tally(reserving: options.requests))
    }

    /// Performs all requests.
    public func run() async -> Tally {
        let started = load_now()
        await withDiscardingTaskGroup { group in
            for place in 0..<options.concurrency {
                group.addTask { [self] in await work(place) }
            }
        }
        var tally = sum.withLock { exchange(&$0, with: Tally()) }
        tally.seconds = (load_now() - started) / 1e3
        return tally
    }

    // The variables of a function that waits take memory in each task that waits. So what is done
    // before and after is in functions of their own, and all tasks count in one place.

    private func work(_ place: Int) async {
        while let request = begin() {
            do {
                count(try await perform(request.number, place), request)
            } catch {
                count(error, request)
            }
        }
    }

    @inline(never)
    private func begin() -> Request? {
        issued.next().map { Request(number: $0, started: load_now()) }
    }

    @inline(never)
    private func count(_ outcome: Outcome, _ request: Request) {
        sum.withLock { $0.count(outcome, options: options, started: request.started) }
    }

    @inline(never)
    private func count(_ error: any Error, _ request: Request) {
        sum.withLock { $0.count(problem: "\(error)", bytes: 0, started: request.started) }
    }
}

/// A request that has begun.
private struct Request {
    let number: Int
    /// In milliseconds.
    let started: Double
}
