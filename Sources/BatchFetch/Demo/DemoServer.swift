import Curl

/// A web server for the demo: on the loopback interface, on a thread of its own, with objects that
/// are made up as they are sent.
package final class DemoServer: Sendable {
    private let server: LocalServer

    /// Listens, and starts serving.
    package init() throws(BatchFailure) {
        do throws(SystemFailure) {
            server = try LocalServer(name: "demo-server") { DemoConnection($0) }
        } catch {
            throw BatchFailure(.resources, "the demo's server can't start: \(error)")
        }
    }

    /// `http://127.0.0.1:port`
    package var url: String { "http://127.0.0.1:\(server.port)" }

    /// The URLs of so many objects, made as they are asked for.
    package func urls(count: Int) -> BatchInput {
        let url = self.url
        return .generated { $0 < count ? url + DemoObject(number: $0).path : nil }
    }
}
