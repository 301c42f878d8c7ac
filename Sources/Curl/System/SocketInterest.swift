/// What a socket is watched for, or what it is ready for.
package struct SocketInterest: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let read = SocketInterest(rawValue: 1)
    package static let write = SocketInterest(rawValue: 2)
    /// Readiness only: an error or a hang-up.
    package static let error = SocketInterest(rawValue: 4)
}
