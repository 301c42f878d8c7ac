/// What is to be told outside of a lock, in the order in which it came about: by one thread at a time,
/// which tells what others have added meanwhile, too.
///
/// A pure value, to be kept under that lock. Who has changed something asks ``begin()`` then, tells what
/// that answers without the lock, and goes on with ``next()`` until there is nothing more.
package struct NewsQueue<News> {
    private var waiting: [News] = []
    private var isBeingTold = false

    package init() {}

    package mutating func append(_ news: News) {
        waiting.append(news)
    }

    /// What the caller is to tell; `nil` where there is nothing, or another thread is telling.
    package mutating func begin() -> [News]? {
        guard !isBeingTold, !waiting.isEmpty else { return nil }
        isBeingTold = true
        return takeAll()
    }

    /// What has come since, for the thread that is telling; `nil` where that was all.
    package mutating func next() -> [News]? {
        guard waiting.isEmpty else { return takeAll() }
        isBeingTold = false
        return nil
    }

    private mutating func takeAll() -> [News] {
        defer { waiting = [] }
        return waiting
    }
}

extension NewsQueue: Sendable where News: Sendable {}
