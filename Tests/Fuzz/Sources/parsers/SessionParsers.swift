internal import Foundation

@testable internal import CurlURLSession
@testable internal import HTTPSemantics

private let url = URL(string: "http://www.example.org/a/b")
private let endOfYears = Date(timeIntervalSince1970: 253_402_300_800)
private let now = Date(timeIntervalSince1970: 1_700_000_000)

func parseCookies(_ bytes: [UInt8]) {
    guard let url else { return }
    let text = text(bytes)
    for part in SetCookieList.split(text) + lines(bytes) {
        _ = CookieAttributes(setCookie: part, url: url, now: now)
        _ = CookieDate.date(from: part)
    }
    for cookie in HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": text], for: url) {
        _ = HTTPCookie.requestHeaderFields(with: [cookie])
    }
}

func parseCookieFile(_ bytes: [UInt8]) {
    guard let cookies = try? CookieFileFormat.decode(bytes) else { return }
    guard let written = try? CookieFileFormat.encode(cookies) else {
        fatalError("what was read can't be written")
    }
    let again = try? CookieFileFormat.decode(written)
    expect(again?.count, equals: cookies.count, "cookies that are read, written and read")
}

func parseDates(_ bytes: [UInt8]) {
    for line in lines(bytes) {
        _ = CookieDate.date(from: line)
        // A leap second at the end of the year 9999 falls in the next year, which has five digits.
        guard let date = HTTPDate.date(from: line, near: now), date < endOfYears else { continue }
        let again = HTTPDate.date(from: HTTPDate.text(from: date), near: now)
        expect(again, equals: date, "a date that is read, written and read")
    }
}

/// Reads a response's header fields to decide whether and how long it may be stored.
func parseCaching(_ bytes: [UInt8]) {
    guard let url else { return }
    let parts = lines(bytes).map { line -> HeaderLine in
        let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return HeaderLine(name: String(halves[0]), value: halves.count > 1 ? String(halves[1]) : "")
    }
    let response = HTTPURLResponse(url: url, statusCode: 200, fields: ResponseHeaderFields(parts))
    let request = URLRequest(url: url)
    _ = CacheRules.mayStore(response, for: CacheableRequest(request))
    _ = CacheRules.storable(response.fields, receivedAt: now)
    guard let stored = StoredResponse(CachedURLResponse(response: response, data: Data())) else {
        return
    }
    _ = (stored.age(at: now), stored.staleness(at: now), stored.isFresh(at: now))
    _ = stored.mayBeServedWhileRevalidating(at: now)
    _ = stored.isConfirmed(by: response)
    _ = (response.suggestedFilename, response.mimeType, response.textEncodingName)
    _ = response.expectedContentLength
}

/// Parses values of single fields.
func parseFields(_ bytes: [UInt8]) {
    for line in lines(bytes) {
        _ = ParameterizedValue.list(line)
        _ = ExtendedValue.decode(line)
        _ = OfferedAuthentication.list([line])
        let name = SuggestedFilename.make(disposition: line, url: url, mimeType: line)
        expect(name.contains("/") || name.isEmpty, equals: false, "a file name is a path: \(name)")
        _ = DataURL.parse(line)
    }
}

extension DataURL {
    fileprivate static func parse(_ text: String) -> DataURL? {
        URL(string: text).flatMap { DataURL($0) }
    }
}

func parseResumeData(_ bytes: [UInt8]) {
    _ = ResumeData(Data(bytes))
    _ = UploadResumeData(Data(bytes))
}
