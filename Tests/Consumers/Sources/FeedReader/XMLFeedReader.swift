import CurlNetworkingXML
import Foundation
import FoundationXML

/// Reads an XML document from a server, and prints the name of its root element: `FeedReader URL`.
@main
struct FeedReader {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1])
        else {
            print("usage: FeedReader URL")
            exit(2)
        }
        let manager = HTTPSessionManager(baseURL: url)
        manager.responseSerializer = XMLDocumentResponseSerializer()
        let document = try await manager.get("") as? XMLDocument
        print(document?.rootElement()?.name ?? "none")
    }
}
