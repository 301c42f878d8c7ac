import Foundation

/// What the files of the server hold, so that a piece in the wrong place is noticed.
enum Pattern {
    static func data(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) })
    }
}
