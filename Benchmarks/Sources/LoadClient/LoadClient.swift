internal import CurlTransport
internal import Glibc
internal import LoadSupport
internal import Synchronization

/// Puts a load on a server through one layer of the library, and prints what it cost.
///
///     loadclient --layer transport|async --url URL [--requests N] [--concurrency C] …
@main
struct LoadClient {
    static func main() throws {
        let (options, raw) = LoadOptions.read()
        load_raise_file_limit()
        let start = load_now()
        var (tally, ended): (Tally, Double)
        switch options.layer {
        case .transport:
            let layer = try TransportLayer(options)
            (tally, ended) = (layer.run(), load_now())
            waitFor { await layer.shutdown() }
        case .async:
            let layer = try AsyncLayer(options)
            (tally, ended) = waitFor { (await layer.run(), load_now()) }
            waitFor { await layer.shutdown() }
        }
        let name = "\(options.layer)-\(options.loops)"
        exit(tally.report(client: name, seconds: (ended - start) / 1e3, options: raw))
    }

    /// Runs `work` in a task, with the main thread blocked. With an asynchronous `main` instead, the
    /// main thread ends, which profilers that follow threads get into trouble with.
    @discardableResult
    private static func waitFor<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value
    ) -> Value {
        let box = Box<Value>()
        let wakeup = load_wakeup_make()
        Task.detached {
            let value = await work()
            box.value.withLock { $0 = value }
            load_wakeup_signal(wakeup)
        }
        while true {
            load_wakeup_wait(wakeup)
            if let value = box.value.withLock({ $0 }) {
                close(wakeup)
                return value
            }
        }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
