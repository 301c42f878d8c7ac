import Foundation
import Testing

@testable import CurlURLSession

/// A case of the public HTTP cache tests, <https://cache-tests.fyi>.
///
/// It is a series of requests for one resource, with the origin's responses and the expected
/// behaviour of the cache.
struct CorpusCase: Sendable, CustomTestStringConvertible {
    typealias Fields = [(String, String)]

    /// How the collection classifies the case.
    enum Kind: String, Sendable {
        /// The standard requires it.
        case required
        /// A good cache does it.
        case optimal
        /// A question: either answer is allowed.
        case check
    }

    enum Expectation: Sendable {
        case cached
        case notCached
        case etagValidated
        case lmValidated
        /// The request fails.
        case failed
    }

    /// One request, and the origin's response if the request reaches the origin.
    struct Exchange: Sendable {
        var method = "GET"
        /// The text to append to the case's URL.
        var path = ""
        /// The fields of the request.
        var sends: Fields = []
        var policy = NSURLRequest.CachePolicy.useProtocolCachePolicy
        var status = 200
        /// The fields of the response. A value such as `@-5` is the date 5 seconds ago.
        var fields: Fields = []
        /// The body; by default the case's name.
        var body: String?
        /// Whether the origin closes the connection instead of responding.
        var disconnects = false
        /// Whether 3 seconds pass after the exchange.
        var pauses = false
        var expects: Expectation?
        var expectedStatus: Int?
        /// Expected response fields: `>3` means a larger number, `!` an absent field.
        var expectedFields: Fields = []
        /// Expected fields of the request at the origin, in the same notation.
        var expectedInRequest: Fields = []
    }

    /// The collection's name for the case.
    let id: String
    let kind: Kind
    let exchanges: [Exchange]
    /// Why this cache behaves differently, if it does.
    let difference: String?

    var testDescription: String { id }

    init(
        _ id: String,
        _ kind: Kind,
        differs difference: String? = nil,
        _ exchanges: Exchange...
    ) {
        self.id = id
        self.kind = kind
        self.difference = difference
        self.exchanges = exchanges
    }

    /// A response, then the same request again.
    static func reuse(
        _ id: String,
        _ kind: Kind,
        _ fields: Fields,
        _ expects: Expectation,
        status: Int = 200,
        pauses: Bool = true,
        again sends: Fields = [],
        differs difference: String? = nil
    ) -> CorpusCase {
        CorpusCase(
            id,
            kind,
            differs: difference,
            Exchange(status: status, fields: fields, pauses: pauses),
            Exchange(sends: sends, status: status, expects: expects)
        )
    }
}
