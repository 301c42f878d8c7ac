// The smallest program that fetches something: it links only what `CurlTransport` needs.

import CurlTransport
import HTTPTypes

for url in CommandLine.arguments.dropFirst() {
    let response = try await HTTPClient.shared.send(HTTPRequest(url: url))
    let body = try await response.body.collect(upTo: 1 << 30)
    print(response.status.code, body.count, response.url)
}
