internal import DequeModule
import Posix

/// A first-in, first-out queue of records.
///
/// Both ends are in memory, at most one block each; the blocks between them are in a file.
struct RecordChain: Sendable {
    private enum Block: Sendable {
        case inFile(UInt32)
        /// A block that the file couldn't store.
        case inMemory([UInt8])
    }

    /// The bytes to read next, from `start` on.
    private var head: [UInt8] = []
    private var start = 0
    private var blocks = Deque<Block>()
    private var tail: [UInt8] = []
    /// The number of records.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a record. Keeps it in memory if writing throws.
    mutating func append(
        _ record: [UInt8],
        to file: inout BlockFile
    ) throws(FileError) {
        let length = UInt32(record.count)
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            tail.append(UInt8(truncatingIfNeeded: length >> shift))
        }
        tail += record
        count += 1
        var failure: FileError?
        var written = 0
        while tail.count - written >= BlockFile.blockSize {
            let block = Array(tail[written..<written + BlockFile.blockSize])
            written += BlockFile.blockSize
            do throws(FileError) {
                blocks.append(.inFile(try file.write(block)))
            } catch {
                blocks.append(.inMemory(block))
                failure = failure ?? error
            }
        }
        if written > 0 { tail.removeFirst(written) }
        if let failure { throw failure }
    }

    /// Removes and returns the oldest record.
    mutating func popFirst(from file: inout BlockFile) throws(FrontierDamage) -> [UInt8]? {
        guard count > 0 else { return nil }
        try fill(4, from: &file)
        let length = head[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        try fill(4 + length, from: &file)
        let record = Array(head[start + 4..<start + 4 + length])
        start += 4 + length
        count -= 1
        if count == 0 {
            head = []
            start = 0
        }
        return record
    }

    /// Makes at least `wanted` bytes available in `head`.
    private mutating func fill(
        _ wanted: Int,
        from file: inout BlockFile
    ) throws(FrontierDamage) {
        while head.count - start < wanted {
            if start > 0 {
                head.removeFirst(start)
                start = 0
            }
            switch blocks.popFirst() {
            case .inFile(let place):
                do throws(FileError) {
                    head += try file.take(place)
                } catch {
                    throw FrontierDamage(reason: error)
                }
            case .inMemory(let bytes):
                head += bytes
            case nil:
                guard !tail.isEmpty else { throw FrontierDamage(reason: nil) }
                head += tail
                tail = []
            }
        }
    }
}

/// The error of reading a frontier's file back.
struct FrontierDamage: Error, Sendable {
    /// The system error; `nil` if the data is damaged.
    let reason: FileError?
}
