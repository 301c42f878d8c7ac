/// The library's layers that can be put under load, by their names on the command line.
public enum LoadLayer: String, CaseIterable, Sendable {
    /// The delegate API of the transport.
    case transport
    /// The lean asynchronous client, used by tasks on its own thread.
    case async
    /// The same, used by tasks in Swift's pool.
    case asyncPool = "async-pool"
    /// As `async`, with a deadline for each request.
    case asyncDeadline = "async-deadline"
    /// URLSession's asynchronous methods.
    case urlSession = "urlsession"
    /// URLSession's tasks with completion handlers.
    case urlSessionHandler = "urlsession-handler"
    /// The asynchronous methods of AFNetworking's manager.
    case networking
    /// The manager's tasks with handlers of success and failure.
    case networkingHandler = "networking-handler"

    /// The program that has the layer, beside the others; nil: `loadclient` itself.
    public var program: String? {
        switch self {
        case .transport, .async, .asyncPool, .asyncDeadline: nil
        case .urlSession, .urlSessionHandler, .networking, .networkingHandler:
            "loadclient-foundation"
        }
    }
}
