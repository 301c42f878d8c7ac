import Foundation
import Testing

@testable import CurlURLSession

/// A case of the public collection of tests for HTTP caches, <https://cache-tests.fyi>: a few requests
/// in a row for one resource, with what the origin answers and what is expected of the cache.
struct CorpusCase: Sendable, CustomTestStringConvertible {
    typealias Fields = [(String, String)]

    /// What the collection takes the case for.
    enum Kind: String, Sendable {
        /// The standard asks for it.
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
        /// Nothing comes.
        case failed
    }

    /// One request, and the origin's answer to it, should it come there.
    struct Exchange: Sendable {
        var method = "GET"
        /// What follows the case's URL.
        var path = ""
        /// The fields of the request.
        var sends: Fields = []
        var policy = NSURLRequest.CachePolicy.useProtocolCachePolicy
        var status = 200
        /// The fields of the response. A value such as `@-5` is the date 5 seconds ago.
        var fields: Fields = []
        /// The body; by default the case's name.
        var body: String?
        /// Whether the origin closes the connection in the place of answering.
        var disconnects = false
        /// Whether 3 seconds pass afterwards.
        var pauses = false
        var expects: Expectation?
        var expectedStatus: Int?
        /// `>3` is a number that is larger, `!` a field that isn't there.
        var expectedFields: Fields = []
        /// What the origin has to see.
        var expectedInRequest: Fields = []
    }

    /// The collection's name for it.
    let id: String
    let kind: Kind
    let exchanges: [Exchange]
    /// Why the cache behaves otherwise, where it does.
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

    /// A response, and then the same request again.
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
