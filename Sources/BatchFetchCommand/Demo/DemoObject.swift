import BatchFetch
import Posix
import Synchronization

/// An object of the demo. Its path determines its size and all its bytes.
///
/// The bytes are words of a mixed counter, little-endian. So any part of a body can be computed
/// without the parts before it, and no two bodies or parts of a body are alike.
struct DemoObject: Sendable, Hashable {
    /// The path of the object's URL.
    let path: String
    /// The size of the body in bytes.
    let size: Int
    private let seed: UInt64

    /// Creates the object with this number.
    ///
    /// One in twenty is empty, most have a few kilobytes, and one in two hundred has 1 MiB.
    init(number: Int) {
        self.init(path: "/objects/\(number)")
    }

    /// Creates the object of a path.
    init(path: String) {
        self.path = path
        seed = StableHash.hash(path.utf8)
        size = Self.size(StableHash.mixed(seed ^ 0x5153))
    }

    private static func size(_ random: UInt64) -> Int {
        let within = Int(random >> 32)
        return switch random % 200 {
        case 0..<10: 0
        case 10: 1 << 20
        case 11..<130: within % (4 << 10)
        case 130..<180: within % (32 << 10)
        default: within % (128 << 10)
        }
    }

    /// Appends at most `count` bytes of the body, starting at `offset`.
    func append(to bytes: inout [UInt8], from offset: Int, count: Int) {
        let end = min(size, offset + count)
        guard offset < end else { return }
        bytes.append(addingCapacity: end - offset) { output in
            var position = offset
            while position < end {
                var word = self.word(position >> 3) >> UInt64((position & 7) * 8)
                let stop = min(end, (position | 7) + 1)
                while position < stop {
                    output.append(UInt8(truncatingIfNeeded: word))
                    word >>= 8
                    position += 1
                }
            }
        }
    }

    /// Whether `bytes` equal the bytes of the body at `offset`.
    func matches(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
        guard offset + bytes.count <= size else { return false }
        var index = 0
        while index < bytes.count {
            let position = offset + index
            var word = self.word(position >> 3) >> UInt64((position & 7) * 8)
            let stop = min(bytes.count, index + 8 - (position & 7))
            while index < stop {
                guard bytes[index] == UInt8(truncatingIfNeeded: word) else { return false }
                word >>= 8
                index += 1
            }
        }
        return true
    }

    private func word(_ index: Int) -> UInt64 {
        StableHash.mixed(seed &+ UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15)
    }
}

/// Compares a body with the demo object that it should be.
final class DemoVerifier: BodyInspector {
    private struct State {
        var received = 0
        var wrongPiece: Int?
    }

    private let object: DemoObject
    private let state = Mutex(State())

    init(_ object: DemoObject) {
        self.object = object
    }

    func inspect(_ bytes: Span<UInt8>) {
        state.withLock { state in
            if state.wrongPiece == nil, !object.matches(bytes, at: state.received) {
                state.wrongPiece = state.received
            }
            state.received += bytes.count
        }
    }

    func finish() -> String? {
        let (received, wrongPiece) = state.withLock { ($0.received, $0.wrongPiece) }
        if received != object.size {
            return "\(object.path) has \(received) bytes instead of \(object.size)"
        }
        return wrongPiece.map { "\(object.path) differs after byte \($0)" }
    }
}
