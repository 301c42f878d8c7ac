import Foundation

/// The content of the server's files, which reveals misplaced pieces.
enum Pattern {
    static func data(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) })
    }
}
