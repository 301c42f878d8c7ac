import Foundation
import Testing

@testable import CurlURLSession

/// Tests how the cookies of several storages are merged in one file.
struct CookieChangesTests {
    private let url = "https://example.com/"

    private func jar() -> CookieJar {
        var jar = CookieJar()
        jar.changes = CookieChanges()
        return jar
    }

    /// Exchanges changes as a storage and its file do.
    private func exchange(_ jar: inout CookieJar, _ file: inout CookieJar, at time: Double) -> Bool
    {
        _ = file.apply(jar.takeChanges(), now: Date(at: time))
        return jar.adopt(file, now: Date(at: time))
    }

    @Test func twoJarsConverge() throws {
        var (one, other, file) = (jar(), jar(), CookieJar())
        try one.set("a=1; Max-Age=100", from: url, at: 0)
        try other.set("b=2; Max-Age=100", from: url, at: 1)
        #expect(!exchange(&one, &file, at: 2))
        #expect(exchange(&other, &file, at: 2))
        #expect(exchange(&one, &file, at: 2))
        #expect(try one.sent(to: url, at: 3) == "a=1; b=2")
        #expect(try other.sent(to: url, at: 3) == "a=1; b=2")
        #expect(file.text == "a=1; b=2")
        #expect(!exchange(&one, &file, at: 4))
    }

    @Test func removedCookieIsRemovedFromAllJars() throws {
        var (one, other, file) = (jar(), jar(), CookieJar())
        try one.set("a=1; Max-Age=100", from: url, at: 0)
        _ = exchange(&one, &file, at: 1)
        _ = exchange(&other, &file, at: 1)
        try other.set("a=; Max-Age=0", from: url, at: 2)
        #expect(!exchange(&other, &file, at: 3))
        #expect(file.count == 0)
        #expect(exchange(&one, &file, at: 4))
        #expect(one.count == 0)
    }

    @Test func lastChangeOfACookieWins() throws {
        var (one, other, file) = (jar(), jar(), CookieJar())
        try one.set("a=early; Max-Age=100", from: url, at: 0)
        try other.set("a=late; Max-Age=100", from: url, at: 1)
        // The later change is written first.
        _ = exchange(&other, &file, at: 2)
        #expect(exchange(&one, &file, at: 2))
        #expect(one.text == "a=late")
        // The removal is earlier than the cookie that the other jar has set since.
        try one.set("a=; Max-Age=0", from: url, at: 3)
        try other.set("a=again; Max-Age=100", from: url, at: 4)
        _ = exchange(&other, &file, at: 5)
        _ = exchange(&one, &file, at: 5)
        #expect(file.text == "a=again")
        #expect(one.text == "a=again")
    }

    @Test func newerChangesAreNotOverwritten() throws {
        var (one, file) = (jar(), CookieJar())
        try one.set("a=1; Max-Age=100", from: url, at: 0)
        try one.set("b=1; Max-Age=100", from: url, at: 0)
        let changes = one.takeChanges()
        // While the file is being written.
        try one.set("a=2; Max-Age=100", from: url, at: 1)
        try one.set("b=; Max-Age=0", from: url, at: 1)
        _ = file.apply(changes, now: Date(at: 2))
        let isChanged = one.adopt(file, now: Date(at: 2))
        #expect(!isChanged)
        #expect(one.text == "a=2")
        #expect(!exchange(&one, &file, at: 3))
        #expect(file.text == "a=2")
    }

    @Test func unwrittenChangesAreKept() throws {
        var (one, file) = (jar(), CookieJar())
        try one.set("a=1; Max-Age=100", from: url, at: 0)
        try one.set("b=1; Max-Age=100", from: url, at: 0)
        let changes = one.takeChanges()
        try one.set("a=2; Max-Age=100", from: url, at: 1)
        one.changes?.restore(changes)
        _ = exchange(&one, &file, at: 2)
        #expect(Set(file.all.map(\.attributes.pair)) == ["a=2", "b=1"])
    }

    @Test func sessionCookiesAreNotWritten() throws {
        var (one, file) = (jar(), CookieJar())
        try one.set("a=1", from: url, at: 0)
        try one.set("b=1; Max-Age=100; Discard", from: url, at: 0)
        try one.set("c=1; Max-Age=100", from: url, at: 0)
        _ = exchange(&one, &file, at: 1)
        #expect(file.text == "c=1")
        #expect(one.text == "a=1; b=1; c=1")
        // A session cookie also removes the cookie that it replaces from the file.
        try one.set("c=2", from: url, at: 2)
        #expect(!exchange(&one, &file, at: 3))
        #expect(file.count == 0)
        #expect(one.text == "a=1; b=1; c=2")
    }

    @Test func newerSessionCookiesReplaceOlderOnesOfTheFile() throws {
        var (one, other, file) = (jar(), jar(), CookieJar())
        try other.set("a=file; Max-Age=100", from: url, at: 0)
        try one.set("a=own", from: url, at: 1)
        _ = exchange(&other, &file, at: 2)
        #expect(!exchange(&one, &file, at: 2))
        #expect(one.text == "a=own")
        try other.set("a=newer; Max-Age=100", from: url, at: 3)
        _ = exchange(&other, &file, at: 4)
        #expect(exchange(&one, &file, at: 4))
        #expect(one.text == "a=newer")
    }

    @Test func expiredCookieRemovesTheOneInTheFile() throws {
        var (one, file) = (jar(), CookieJar())
        try one.set("a=1; Max-Age=100", from: url, at: 0)
        _ = exchange(&one, &file, at: 1)
        try one.set("a=2; Max-Age=1", from: url, at: 2)
        _ = exchange(&one, &file, at: 10)
        #expect(file.count == 0)
        #expect(try one.sent(to: url, at: 10) == "")
    }

    /// Setting the clock back doesn't restore old cookies.
    @Test func changeOrderDoesNotDependOnTheClock() throws {
        var (one, file) = (jar(), CookieJar())
        try one.set("a=1; Max-Age=1000", from: url, at: 100)
        try one.set("b=1; Max-Age=1000", from: url, at: 100)
        _ = exchange(&one, &file, at: 101)
        try one.set("a=2; Max-Age=1000", from: url, at: 50)
        try one.set("b=; Max-Age=0", from: url, at: 50)
        _ = exchange(&one, &file, at: 51)
        #expect(file.text == "a=2")
        #expect(one.text == "a=2")
    }

    @Test func cookieRemovedElsewhereCanBeSetAgain() throws {
        var (one, other, file) = (jar(), jar(), CookieJar())
        let field = "a=1; Expires=Fri, 31 Dec 2100 23:59:59 GMT"
        try one.set(field, from: url, at: 0)
        _ = exchange(&one, &file, at: 1)
        _ = exchange(&other, &file, at: 1)
        try other.set("a=; Max-Age=0", from: url, at: 2)
        _ = exchange(&other, &file, at: 2)
        #expect(try !one.set(field, from: url, at: 3))
        _ = exchange(&one, &file, at: 4)
        #expect(one.text == "a=1")
        #expect(file.text == "a=1")
    }
}
