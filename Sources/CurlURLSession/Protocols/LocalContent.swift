internal import Foundation

/// What a loader that needs no network has, open to be read from its beginning to its end.
protocol LocalContent: Sendable {
    /// What is known before the content.
    var response: URLResponse { get }

    /// The next piece, of at most ``LocalLoader/pieceSize`` bytes; `nil` at the end. It may take as
    /// long as a disk does.
    mutating func next() throws -> Data?
}
