import CurlTransport
import Synchronization

/// Collects the options that several threads get.
final class Collected: Sendable {
    private let state = Mutex<[PreparedOptions]>([])

    func add(_ options: PreparedOptions?) {
        guard let options else { return }
        state.withLock { $0.append(options) }
    }

    var count: Int { state.withLock { $0.count } }

    var distinct: Int { state.withLock { Set($0.map { ObjectIdentifier($0) }).count } }
}
