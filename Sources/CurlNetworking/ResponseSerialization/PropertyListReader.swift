internal import Foundation

/// Parses property lists.
///
/// Foundation's only function for that takes a pointer, which is `nil` here.
enum PropertyListReader {
    static func read(_ data: Data) throws -> (any Sendable)? {
        SendableTree.propertyList(
            try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        )
    }
}
