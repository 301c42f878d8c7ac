internal import CurlNetworking
internal import CurlNetworkingXML
internal import Foundation
internal import FoundationXML

/// What the documentation comments about encoding and decoding show.
enum CodingComments {
    static func sessionManager(like manager: URLSessionManager) throws -> URLSessionManager {
        // snippet: SessionConfigurationValues.swift/values
        let configuration = manager.session.configuration
        let data = try JSONEncoder().encode(SessionConfigurationValues(configuration))
        let values = try JSONDecoder().decode(SessionConfigurationValues.self, from: data)
        let other = URLSessionManager(sessionConfiguration: values.configuration)
        // end
        return other
    }

    static func httpManager(like manager: HTTPSessionManager) throws -> HTTPSessionManager {
        // snippet: HTTPSessionManagerValues.swift/values
        let data = try JSONEncoder().encode(HTTPSessionManagerValues(manager))
        let values = try JSONDecoder().decode(HTTPSessionManagerValues.self, from: data)
        let other = try values.manager()
        // end
        return other
    }

    static func query() throws -> String {
        // snippet: URLEncodedFormEncoder.swift/query
        struct Search: Encodable {
            var term: String
            var tags: [String]
        }
        let query = try URLEncodedFormEncoder().encode(Search(term: "a b", tags: ["x"]))
        // tags%5B%5D=x&term=a%20b
        // end
        return query
    }

    static func parser(_ responseObject: (any Sendable)?) -> XMLParser? {
        // snippet: XMLParserResponseSerializer.swift/parser
        let parser = responseObject as? XMLParser
        // end
        return parser
    }

    static func document(_ responseObject: (any Sendable)?) -> XMLDocument? {
        // snippet: XMLDocumentResponseSerializer.swift/document
        let document = responseObject as? XMLDocument
        // end
        return document
    }
}
