internal import Foundation

/// A body that is in memory, slice by slice.
struct DataSlices: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    private let data: Data
    private let size: Int

    init(_ data: Data, size: Int) {
        self.data = data
        self.size = size
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(rest: data[...], size: size)
    }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Data
        let size: Int

        mutating func next() async -> [UInt8]? {
            guard !rest.isEmpty else { return nil }
            let slice = rest.prefix(size)
            rest = rest.dropFirst(size)
            return [UInt8](slice)
        }
    }
}
