/// How long the phases of one attempt may take. Time in which a URL waits for its turn doesn't count.
/// A limit that passes is a failure with the code `timeout`; `nil` is no limit.
public struct BatchTimeouts: Sendable, Hashable {
    /// Until there is a connection: looking up, connecting, TLS. 10 seconds unless told otherwise.
    public var connect: Duration? = .seconds(10)
    /// From the request until the head of the response has come. None unless told otherwise.
    public var firstByte: Duration?
    /// Without a byte in either direction. 60 seconds unless told otherwise.
    public var stall: Duration? = .seconds(60)

    /// Creates the usual limits.
    public init() {}

    func validate() throws(BatchFailure) {
        for (name, value) in [("connect", connect), ("firstByte", firstByte), ("stall", stall)] {
            guard let value, value <= .zero else { continue }
            throw BatchFailure(
                .configuration,
                "timeouts.\(name) is \(value): use more than zero, or nil"
            )
        }
    }
}
