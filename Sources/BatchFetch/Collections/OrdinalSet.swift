/// A set of mostly consecutive numbers, one bit for each.
///
/// Allocates pages on demand and releases full ones. 10 million numbers take at most 1.3 MB.
struct OrdinalSet: Sendable, Equatable {
    private static let pageBits = 16
    private static let pageSize = 1 << pageBits

    private struct Page: Sendable, Equatable {
        /// Empty when the page is full.
        var words = [UInt64](repeating: 0, count: pageSize / 64)
        var count = 0

        mutating func insert(_ offset: Int) -> Bool {
            guard count < pageSize else { return false }
            let bit: UInt64 = 1 << UInt64(offset & 63)
            guard words[offset >> 6] & bit == 0 else { return false }
            words[offset >> 6] |= bit
            count += 1
            if count == pageSize { words = [] }
            return true
        }

        mutating func fill() {
            words = []
            count = pageSize
        }
    }

    private var pages: [Int: Page] = [:]
    /// The number of elements.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func contains(_ ordinal: Int) -> Bool {
        guard ordinal >= 0, let page = pages[ordinal >> Self.pageBits] else { return false }
        guard page.count < Self.pageSize else { return true }
        let offset = ordinal & (Self.pageSize - 1)
        return page.words[offset >> 6] & (1 << UInt64(offset & 63)) != 0
    }

    /// Adds a number. Returns false if the set has it already, or it is negative.
    @discardableResult
    mutating func insert(_ ordinal: Int) -> Bool {
        guard ordinal >= 0 else { return false }
        let isNew = pages[ordinal >> Self.pageBits, default: Page()]
            .insert(ordinal & (Self.pageSize - 1))
        if isNew { count += 1 }
        return isNew
    }

    /// Adds all numbers of a range, page by page.
    mutating func insert(_ range: Range<Int>) {
        var start = max(0, range.lowerBound)
        while start < range.upperBound {
            let number = start >> Self.pageBits
            let end = min(range.upperBound, (number + 1) << Self.pageBits)
            var page = pages.removeValue(forKey: number) ?? Page()
            let before = page.count
            if end - start == Self.pageSize {
                page.fill()
            } else {
                for ordinal in start..<end { _ = page.insert(ordinal & (Self.pageSize - 1)) }
            }
            count += page.count - before
            pages[number] = page
            start = end
        }
    }
}
