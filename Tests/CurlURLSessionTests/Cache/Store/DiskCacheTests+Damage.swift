import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

/// Tests damaged, missing and unusable files.
extension DiskCacheTests {
    private func write(_ bytes: Data) throws {
        let url = URL(fileURLWithPath: folder)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try bytes.write(to: URL(fileURLWithPath: file))
    }

    @Test func fileThatIsNoDatabaseIsSetAside() throws {
        let garbage = Data("this is no database, however long one looks at it".utf8)
        try write(garbage)
        let cache = cache()
        #expect(try !has(cache, "a"))
        try store(cache, "a")
        #expect(try has(cache, "a"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file + ".damaged")) == garbage)
        cache.flush()
        #expect(try has(self.cache(), "a"))
    }

    @Test func damagedDatabaseIsSetAsideWhenDetected() throws {
        do {
            let cache = cache(disk: 20 << 20)
            for index in 0..<50 { try store(cache, "\(index)", size: 3000) }
            cache.removeCachedResponse(for: try CacheSamples.request("http://example.com/49"))
            drain(cache)
        }
        // The first page, which has the schema, stays intact.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(bytes.count > 100_000)
        bytes.replaceSubrange(4096..., with: Data(repeating: 0xff, count: bytes.count - 4096))
        try bytes.write(to: URL(fileURLWithPath: file))
        let cache = cache(disk: 20 << 20)
        #expect(try !has(cache, "1"))
        try store(cache, "new")
        #expect(try has(cache, "new"))
        #expect(exists(file + ".damaged"))
        #expect(cache.currentDiskUsage > 0)
    }

    @Test func databaseDamagedWhileOpenIsSetAside() throws {
        let cache = cache(disk: 20 << 20)
        for index in 0..<50 { try store(cache, "\(index)", size: 3000) }
        cache.flush()
        // Another process overwrites the file and removes the journal.
        try FileManager.default.removeItem(atPath: file + "-wal")
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.truncate(atOffset: 0)
        handle.write(Data(repeating: 0xff, count: 300_000))
        try handle.close()
        for index in 0..<10 {
            try store(cache, "new\(index)")
            cache.flush()
        }
        drain(cache)
        let other = self.cache(disk: 20 << 20)
        try store(other, "other")
        drain(other)
        let next = self.cache(disk: 20 << 20)
        try store(next, "next")
        #expect(try has(next, "next"))
    }

    @Test func foreignDatabaseIsNotModified() throws {
        try write(Data())
        do {
            let foreign = try SQLiteConnection(path: file, patience: 100)
            try foreign.execute("CREATE TABLE treasure (x); INSERT INTO treasure VALUES (42)")
        }
        let cache = cache()
        try store(cache, "a")
        #expect(try has(cache, "a"))
        let foreign = try SQLiteConnection(path: file + ".damaged", patience: 100)
        let value = try foreign.prepare("SELECT x FROM treasure").first { $0.integer(0) }
        #expect(value == 42)
    }

    @Test func databaseOfAnotherVersionIsReplaced() throws {
        do {
            let cache = cache()
            try store(cache, "a")
            drain(cache)
        }
        do {
            let later = try SQLiteConnection(path: file, patience: 100)
            try later.execute("PRAGMA user_version = 99")
        }
        let cache = cache()
        #expect(try !has(cache, "a"))
        try store(cache, "b")
        #expect(try has(cache, "b"))
        #expect(exists(file + ".damaged"))
    }

    @Test func unreadableResponseIsRemoved() throws {
        let cache = cache()
        try store(cache, "a")
        cache.flush()
        do {
            let other = try SQLiteConnection(path: file, patience: 1000)
            try other.execute("UPDATE responses SET head = x'00ff'")
        }
        #expect(try !has(cache, "a"))
        #expect(cache.currentDiskUsage == 0)
    }

    @Test func databaseFileCanBeRemovedAtAnyTime() throws {
        let cache = cache()
        try store(cache, "a")
        cache.flush()
        try FileManager.default.removeItem(atPath: directory.path("caches"))
        #expect(try !has(cache, "a"))
        #expect(cache.currentDiskUsage == 0)
        try store(cache, "b")
        #expect(try has(cache, "b"))
        #expect(exists(file))
    }

    @Test func replacedDatabaseFileIsUsed() throws {
        let (one, other) = (cache(), cache())
        try store(one, "a")
        one.flush()
        // Another process does this when it finds the file damaged.
        try FileManager.default.moveItem(atPath: file, toPath: file + ".damaged")
        for name in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: file + name) }
        try store(other, "b")
        other.flush()
        #expect(try !has(one, "a"))
        #expect(try has(one, "b"))
    }

    @Test func unwritableFolderStoresNothing() throws {
        try write(Data())
        // A file is in the place of the folder.
        let cache = URLCache(
            memoryCapacity: 1 << 20,
            diskCapacity: 1 << 20,
            directory: URL(fileURLWithPath: file + "/below")
        )
        try store(cache, "a")
        #expect(try has(cache, "a"))
        #expect(try !has(cache, "b"))
        #expect(cache.currentDiskUsage == 0)
        cache.removeAllCachedResponses()
        #expect(try !has(cache, "a"))
    }

    /// After a crash, the cache recovers what is in the file and its journal.
    @Test func responsesAreCompleteAfterACrash() throws {
        let cache = cache(disk: 20 << 20)
        for index in 0..<30 {
            try store(cache, "\(index)", size: 3000)
            cache.flush()
        }
        let journal = try Data(contentsOf: URL(fileURLWithPath: file + "-wal"))
        let main = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(journal.count > 90_000)
        for part in [1.0, 0.9, 0.5, 0.1, 0.0] {
            let copy = directory.path("copy\(part)")
            try FileManager.default.createDirectory(
                atPath: copy,
                withIntermediateDirectories: true
            )
            try main.write(to: URL(fileURLWithPath: copy + "/Cache.db"))
            let left = journal.prefix(Int(Double(journal.count) * part))
            try left.write(to: URL(fileURLWithPath: copy + "/Cache.db-wal"))
            let survivor = URLCache(
                memoryCapacity: 0,
                diskCapacity: 20 << 20,
                directory: URL(fileURLWithPath: copy)
            )
            let found = try (0..<30).filter { try has(survivor, "\($0)") }
            // The oldest responses, without a gap.
            #expect(found == Array(0..<found.count))
            #expect(found.count == 30 || part < 1)
            try store(survivor, "new")
            #expect(try has(survivor, "new"))
            #expect(!exists(copy + "/Cache.db.damaged"))
        }
    }
}
