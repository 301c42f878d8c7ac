import Foundation
import Testing

@testable import CurlURLSession

/// Tests how a transaction handles the origin's response, or that none comes.
extension CacheTransactionTests {
    // MARK: - Validation

    @Test func confirmedResponseIsDeliveredWithNewFields() throws {
        var transaction = try transaction()
        let stale = try stored([("Cache-Control", "max-age=10"), ("ETag", "\"a\""), ("A", "1")])
        _ = transaction.found(stale, at: start.addingTimeInterval(20))
        let action = try receive(
            &transaction,
            [("ETag", "\"a\""), ("A", "2"), ("Cache-Control", "max-age=60")],
            status: 304
        )
        guard case .answer(let answer, .store(let updated)) = action else {
            return miss("\(action)")
        }
        let response = try #require(answer.cached.response as? HTTPURLResponse)
        #expect(response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "A") == "2")
        #expect(response.value(forHTTPHeaderField: "Age") == nil)
        #expect(answer.cached.data == stale.data)
        #expect(!answer.isStale)
        let renewed = try #require(StoredResponse(updated))
        #expect(renewed.isFresh(at: start.addingTimeInterval(79)))
        #expect(!renewed.isFresh(at: start.addingTimeInterval(80)))
    }

    @Test func confirmationCanForbidStoring() throws {
        for field in [("Cache-Control", "no-store"), ("Vary", "*")] {
            var transaction = try transaction()
            let stale = try stored([("ETag", "\"a\"")])
            _ = transaction.found(stale, at: start.addingTimeInterval(20))
            let action = try receive(&transaction, [field], status: 304)
            guard case .answer(let answer, .remove(let urls)) = action else {
                Issue.record("\(action)")
                continue
            }
            #expect(answer.cached.data == stale.data)
            #expect(urls.map(\.absoluteString) == ["http://example.com/a"])
        }
    }

    @Test func confirmationOfAnotherValidatorIsIgnored() throws {
        var transaction = try transaction()
        _ = transaction.found(try stored([("ETag", "\"a\"")]), at: start.addingTimeInterval(20))
        let action = try receive(&transaction, [("ETag", "\"b\"")], status: 304)
        guard case .reload = action else { return miss("\(action)") }
        // The request without conditions brings the whole response.
        guard case .deliver(.keepBody) = try receive(&transaction, [("ETag", "\"b\"")]) else {
            return miss("it isn't kept")
        }
        #expect(transaction.finished(body: Data("new".utf8))?.data == Data("new".utf8))
    }

    @Test func repeatedUnrequested304IsDelivered() throws {
        var transaction = try transaction()
        _ = transaction.found(try stored([("ETag", "\"a\"")]), at: start.addingTimeInterval(20))
        _ = try receive(&transaction, [("ETag", "\"b\"")], status: 304)
        guard case .deliver = try receive(&transaction, [], status: 304) else {
            return miss("it is requested endlessly")
        }
    }

    // MARK: - New responses

    @Test func responseIsKeptWithTimesWithoutConnectionFields() throws {
        var transaction = try transaction([("A", "1")])
        _ = transaction.found(nil, at: start)
        let head = try CacheSamples.response([
            ("Vary", "a"), ("Keep-Alive", "x"), ("B", "2"), ("Expires", "0"),
        ])
        let action = transaction.received(
            head,
            requestTime: start,
            responseTime: start.addingTimeInterval(2)
        )
        guard case .deliver(.keepBody) = action else { return miss("\(action)") }
        let finished = transaction.finished(body: Data("new".utf8))
        let kept = try #require(finished)
        #expect(kept.data == Data("new".utf8))
        #expect(kept.storagePolicy == .allowed)
        #expect(kept.record?.requestTime == start)
        #expect(kept.record?.responseTime == start.addingTimeInterval(2))
        #expect(kept.record?.variance.names == ["a"])
        let response = try #require(kept.response as? HTTPURLResponse)
        #expect(response.value(forHTTPHeaderField: "Keep-Alive") == nil)
        #expect(response.value(forHTTPHeaderField: "B") == "2")
        #expect(response.value(forHTTPHeaderField: "Date") != nil)
        // A second call returns nothing.
        #expect(transaction.finished(body: Data()) == nil)
    }

    @Test func tooLargeResponseIsNotKept() throws {
        var announced = try transaction(largestBody: 3)
        _ = announced.found(nil, at: start)
        let fields = [("Content-Length", "4"), ("ETag", "x")]
        guard case .deliver(.none) = try receive(&announced, fields) else {
            return miss("it is kept")
        }
        #expect(announced.finished(body: Data(count: 4)) == nil)
        var unannounced = try transaction(largestBody: 3)
        _ = unannounced.found(nil, at: start)
        _ = try receive(&unannounced, [("ETag", "\"a\"")])
        #expect(unannounced.finished(body: Data(count: 4)) == nil)
        var small = try transaction(largestBody: 3)
        _ = small.found(nil, at: start)
        _ = try receive(&small, [("Content-Length", "3"), ("ETag", "\"a\"")])
        #expect(small.finished(body: Data(count: 3)) != nil)
    }

    @Test func unstorableReplacementRemovesTheStoredResponse() throws {
        for (fields, status, isRemoved) in [
            ([("Cache-Control", "no-store")], 200, true), ([("Vary", "*")], 200, true),
            ([], 403, true), ([], 500, false), ([], 503, false),
        ] as [([(String, String)], Int, Bool)] {
            var transaction = try transaction()
            _ = transaction.found(try stored([]), at: start)
            let action = try receive(&transaction, fields, status: status)
            switch action {
            case .deliver(.remove): #expect(isRemoved, "\(status)")
            case .deliver(.none): #expect(!isRemoved, "\(status)")
            default: Issue.record("\(action)")
            }
        }
    }

    @Test func unsafeRequestRemovesTheStoredResponse() throws {
        var transaction = try transaction(method: "POST")
        #expect(!transaction.looksUp)
        #expect(lines(transaction.found(nil, at: start)) == [])
        let action = try receive(&transaction, [("Location", "/b")], status: 201)
        guard case .deliver(.remove(let urls)) = action else { return miss("\(action)") }
        #expect(
            urls.map(\.absoluteString) == ["http://example.com/a", "http://example.com/b"]
        )
    }

    // MARK: - HEAD

    @Test func headIsAnsweredWithoutABody() throws {
        var transaction = try transaction(method: "HEAD")
        let fresh = try stored([("Cache-Control", "max-age=10"), ("A", "1")])
        let found = answer(transaction.found(fresh, at: start))?.cached
        #expect(found?.data.isEmpty == true)
        #expect((found?.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "A") == "1")
    }

    @Test func headRevalidatesTheStoredResponse() throws {
        for (fields, status, isRenewed) in [
            ([("ETag", "\"a\""), ("Cache-Control", "max-age=60")], 200, true),
            ([("Cache-Control", "max-age=60")], 200, true), ([("ETag", "\"b\"")], 200, false),
            ([("Content-Length", "4")], 200, false), ([("Content-Length", "3")], 200, true),
            ([], 404, false), ([("Cache-Control", "no-store")], 200, false),
        ] as [([(String, String)], Int, Bool)] {
            var transaction = try transaction(method: "HEAD")
            let stale = try stored([("ETag", "\"a\""), ("Content-Length", "3")])
            #expect(lines(transaction.found(stale, at: start.addingTimeInterval(20))) == [])
            switch try receive(&transaction, fields, status: status) {
            case .deliver(.store(let updated)):
                #expect(isRenewed)
                #expect(updated.data == stale.data)
                #expect(updated.record?.responseTime == start.addingTimeInterval(20))
            case .deliver(.remove): #expect(!isRenewed)
            case let action: Issue.record("\(action)")
            }
        }
        var broken = try transaction(method: "HEAD")
        _ = broken.found(try stored([]), at: start)
        guard case .deliver(.none) = try receive(&broken, [], status: 503) else {
            return miss("an error removes it")
        }
    }

    // MARK: - Errors

    @Test("A stale response replaces a server error if stale-if-error allows it (RFC 5861)")
    func staleResponseReplacesServerErrorWhenAllowed() throws {
        let allowed = ("Cache-Control", "max-age=10, stale-if-error=10")
        for status in [500, 502, 503, 504] {
            var transaction = try transaction()
            _ = transaction.found(try stored([allowed]), at: start.addingTimeInterval(20))
            guard case .answer(let answer, .none) = try receive(&transaction, [], status: status)
            else {
                Issue.record("\(status) comes through")
                continue
            }
            #expect(answer.isStale)
        }
        for (status, seconds) in [(501, 20.0), (404, 20), (503, 21)] {
            var transaction = try transaction()
            _ = transaction.found(try stored([allowed]), at: start.addingTimeInterval(seconds))
            let action = try receive(&transaction, [], status: status, after: seconds)
            guard case .deliver = action else {
                Issue.record("\(status) doesn't come through")
                continue
            }
        }
    }

    private func standsIn(
        _ directives: String,
        request: [(String, String)] = [],
        policy: NSURLRequest.CachePolicy = .useProtocolCachePolicy
    ) throws -> Bool {
        var transaction = try transaction(request, policy: policy)
        let stored = try stored([("Cache-Control", directives)])
        _ = transaction.found(stored, at: start.addingTimeInterval(20))
        guard case .answer(let answer) = transaction.failed(at: start.addingTimeInterval(20))
        else { return false }
        return answer.isStale && answer.cached.data == stored.data
    }

    @Test func staleResponseReplacesNetworkErrorWhenAllowed() throws {
        #expect(try standsIn("max-age=10, stale-if-error=10"))
        #expect(try !standsIn("max-age=10, stale-if-error=9"))
        #expect(try !standsIn("max-age=10"))
        #expect(try standsIn("max-age=10", request: [("Cache-Control", "stale-if-error=10")]))
        #expect(try !standsIn("max-age=10, stale-if-error=10, must-revalidate"))
        #expect(try !standsIn("max-age=10, stale-if-error=10, no-cache"))
        for text in ["no-cache", "max-age=5", "min-fresh=1"] {
            let request = [("Cache-Control", text)]
            #expect(try !standsIn("max-age=10, stale-if-error=10", request: request), "\(text)")
        }
        for policy: NSURLRequest.CachePolicy in [
            .reloadIgnoringLocalCacheData, .reloadRevalidatingCacheData,
        ] {
            #expect(try !standsIn("max-age=10, stale-if-error=10", policy: policy))
        }
    }

    @Test func startedResponseIsNotReplaced() throws {
        var transaction = try transaction()
        let stored = try stored([("Cache-Control", "max-age=10, stale-if-error=1000")])
        _ = transaction.found(stored, at: start.addingTimeInterval(20))
        _ = try receive(&transaction, [("ETag", "\"b\"")])
        guard case .fail = transaction.failed(at: start.addingTimeInterval(21)) else {
            return miss("it is replaced")
        }
    }

    @Test func staleResponseIsServedWhileRevalidating() throws {
        let stored = try stored([("Cache-Control", "max-age=10, stale-while-revalidate=10")])
        for (age, isServed) in [(20.0, true), (21, false)] {
            var transaction = try transaction(servesWhileRevalidating: true)
            let found = answer(transaction.found(stored, at: start.addingTimeInterval(age)))
            #expect((found != nil) == isServed)
            #expect(found?.isToBeRenewed ?? true)
            #expect(found?.isStale ?? true)
        }
        var unable = try transaction()
        #expect(answer(unable.found(stored, at: start.addingTimeInterval(20))) == nil)
        var strict = try transaction(
            [("Cache-Control", "max-age=60")],
            servesWhileRevalidating: true
        )
        #expect(answer(strict.found(stored, at: start.addingTimeInterval(20))) == nil)
    }

    // MARK: - Order

    @Test func eventsOutOfOrderDoNothing() throws {
        var transaction = try transaction()
        guard case .deliver(.none) = try receive(&transaction, []) else {
            return miss("it is kept before it was looked for")
        }
        #expect(transaction.finished(body: Data()) == nil)
        guard case .fail = transaction.failed(at: start) else {
            return miss("it is answered")
        }
        _ = transaction.found(nil, at: start)
        guard case .unavailable = transaction.found(nil, at: start) else {
            return miss("it is found twice")
        }
    }
}
