internal import LoadSupport

/// As many tasks as there are places in flight, each of which awaits one request after the other: the
/// same for every client with an asynchronous interface.
public final class AsyncLoad: Sendable {
    /// Performs the request of a number, on behalf of a place in flight.
    public typealias Perform = @Sendable (_ number: Int, _ place: Int) async throws -> Outcome

    private let options: LoadOptions
    private let perform: Perform
    private let issued: IssuedCount

    /// The load that `options` ask for, one request at a time by `perform`.
    public init(_ options: LoadOptions, perform: @escaping Perform) {
        self.options = options
        self.perform = perform
        issued = IssuedCount(limit: options.requests)
    }

    /// Performs all requests.
    public func run() async -> Tally {
        let started = load_now()
        return await withTaskGroup(of: Tally.self) { group in
            for place in 0..<options.concurrency {
                group.addTask { [self] in await work(place: place) }
            }
            var sum = Tally(reserving: options.requests)
            for await tally in group { sum.add(tally) }
            sum.seconds = (load_now() - started) / 1e3
            return sum
        }
    }

    private func work(place: Int) async -> Tally {
        var tally = Tally()
        while let number = issued.next() {
            let started = load_now()
            do {
                let outcome = try await perform(number, place)
                tally.count(outcome, options: options, started: started)
            } catch {
                tally.count(problem: "\(error)", bytes: 0, started: started)
            }
        }
        return tally
    }
}
