import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

/// Tests files that the file system or the device has changed.
extension DiskCacheTests {
    private static let names = (0..<12).map { "\($0)" }

    /// Every fourth body is longer than a page of the file.
    private func body(_ name: String) -> Data {
        let seed = name.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
        let count = seed % 4 == 0 ? 9_000 : 1_000
        return Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* ($0 &+ seed) >> 3) })
    }

    private func response(_ name: String) throws -> HTTPURLResponse {
        try CacheSamples.response(
            [("Content-Type", "text/plain"), ("X-Name", "name-\(name)-end")],
            url: "http://example.com/\(name)"
        )
    }

    private func storeSample(_ name: String, in cache: URLCache) throws {
        let cached = CachedURLResponse(response: try response(name), data: body(name))
        let request = try CacheSamples.request("http://example.com/\(name)")
        cache.storeCachedResponse(cached, for: request)
    }

    /// The contents of a database file and its journal.
    private struct Files {
        var database: Data
        var journal: Data
    }

    /// The files after a response of each name was stored. If the cache has closed them, all data
    /// is in the database, otherwise in the journal.
    private func filled(closed: Bool) throws -> Files {
        func read(_ path: String) throws -> Data {
            exists(path) ? try Data(contentsOf: URL(fileURLWithPath: path)) : Data()
        }
        func files() throws -> Files {
            Files(database: try read(file), journal: try read(file + "-wal"))
        }
        do {
            let cache = cache(disk: 20 << 20)
            for name in Self.names {
                try storeSample(name, in: cache)
                cache.flush()
            }
            drain(cache)
            if !closed { return try files() }
        }
        return try files()
    }

    /// Opens a cache on copies of the files.
    private func open<Value>(_ files: Files, _ use: (URLCache) throws -> Value) throws -> Value {
        let folder = URL(fileURLWithPath: directory.path("copy"))
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try files.database.write(to: folder.appendingPathComponent("Cache.db"))
        if !files.journal.isEmpty {
            try files.journal.write(to: folder.appendingPathComponent("Cache.db-wal"))
        }
        let cache = clock.drive(
            URLCache(memoryCapacity: 0, diskCapacity: 20 << 20, directory: folder)
        )
        let value = try use(cache)
        drain(cache)
        return value
    }

    private func answer(_ cache: URLCache, _ name: String) throws -> CachedURLResponse? {
        cache.cachedResponse(for: try CacheSamples.request("http://example.com/\(name)"))
    }

    /// Whether an answer equals the stored response.
    private func isWhole(_ answer: CachedURLResponse, _ name: String) throws -> Bool {
        let (found, stored) = (answer.response as? HTTPURLResponse, try response(name))
        return answer.data == body(name) && found?.statusCode == stored.statusCode
            && found?.fields.lines == stored.fields.lines && found?.url == stored.url
    }

    /// Counts the responses that are found in the files. Each of them must equal the stored one,
    /// and the cache must be able to store other responses.
    private func hits(in files: Files, _ damage: Comment) throws -> Int {
        try open(files) { cache in
            var hits = 0
            for name in Self.names {
                guard let found = try answer(cache, name) else { continue }
                hits += 1
                #expect(try isWhole(found, name), damage)
            }
            // The first response may be removed if the count of stored bytes is too high.
            for name in ["first", "second"] {
                try storeSample(name, in: cache)
                cache.flush()
            }
            let second = try answer(cache, "second")
            #expect(try second.map { try isWhole($0, "second") } ?? false, damage)
            return hits
        }
    }

    @Test(
        "A stored response with one changed byte is a miss, and the others are hits",
        arguments: ["body", "head"]
    )
    func responseWithOneChangedByteIsAMiss(_ part: String) throws {
        var files = try filled(closed: true)
        let pattern = part == "body" ? body("3").suffix(200) : Data("name-3-end".utf8)
        let place = try #require(files.database.range(of: pattern)).lowerBound
        files.database[place + 5] ^= 1
        try open(files) { cache in
            let usage = cache.currentDiskUsage
            #expect(try answer(cache, "3") == nil)
            #expect(cache.currentDiskUsage < usage)
            for name in Self.names where name != "3" {
                let found = try #require(try answer(cache, name))
                #expect(try isWhole(found, name))
            }
            try storeSample("3", in: cache)
            #expect(cache.currentDiskUsage == usage)
            #expect(try answer(cache, "3")?.data == body("3"))
        }
    }

    @Test("One changed byte in the database never yields a wrong response", arguments: 0..<8)
    func changedByteNeverGivesAWrongAnswer(_ part: Int) throws {
        let whole = try filled(closed: true)
        let places = stride(from: part * 263, to: whole.database.count, by: 8 * 263)
        var hits = 0
        for place in places {
            var files = whole
            files.database[place] ^= UInt8(1 << (place % 8))
            hits += try self.hits(in: files, "byte \(place)")
        }
        #expect(places.underestimatedCount > 20 && hits > 0)
    }

    @Test("A damaged database never yields a wrong response", arguments: UInt64(0)..<8)
    func damagedFileNeverGivesAWrongAnswer(_ seed: UInt64) throws {
        let whole = try filled(closed: true)
        var random = SeededGenerator(seed: seed)
        var hits = 0
        for round in 0..<12 {
            var files = whole
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let place = Int.random(in: 0..<files.database.count, using: &random)
                let end = min(place + Int.random(in: 1...16, using: &random), whole.database.count)
                for index in place..<end {
                    files.database[index] = .random(in: .min ... .max, using: &random)
                }
            }
            hits += try self.hits(in: files, "round \(round)")
        }
        #expect(hits > 0 && hits < 12 * Self.names.count)
    }

    @Test("A damaged journal never yields a wrong response")
    func damagedJournalNeverGivesAWrongAnswer() throws {
        let whole = try filled(closed: false)
        #expect(try hits(in: whole, "whole") == Self.names.count)
        var hits = 0
        for place in stride(from: 17, to: whole.journal.count, by: whole.journal.count / 40) {
            var files = whole
            files.journal[place] ^= 1
            hits += try self.hits(in: files, "byte \(place) of the journal")
        }
        #expect(hits > 0)
    }

    @Test("A database without checksums is renamed and replaced by a new one")
    func fileWithoutChecksumsIsSetAside() throws {
        let folder = URL(fileURLWithPath: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            let earlier = try SQLiteConnection(path: file, patience: 100)
            try earlier.execute("CREATE TABLE responses (id INTEGER PRIMARY KEY)")
            try earlier.execute("PRAGMA user_version = 1")
        }
        let cache = cache()
        #expect(try !has(cache, "a"))
        try store(cache, "a")
        #expect(try has(cache, "a"))
        #expect(exists(file + ".damaged"))
    }
}
