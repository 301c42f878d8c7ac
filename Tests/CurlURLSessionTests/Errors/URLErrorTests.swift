import Curl
import CurlTransport
import Foundation
import Posix
import Testing

@testable import CurlURLSession

struct URLErrorTests {
    private func refused() -> TransportError {
        var context = FailureContext(scheme: "http", url: "http://h:81/p")
        context.peer = "127.0.0.1:81"
        context.errorBuffer = "Failed to connect to h port 81"
        return TransportError(curlCode: .couldntConnect, context: context)
    }

    @Test func errorHasFailureURLAndReason() throws {
        let url = try #require(URL(string: "http://h:81/p?q#f"))
        let error = URLError(refused(), url: url)
        #expect(error.code == .cannotConnectToHost)
        #expect(error.userInfo["NSErrorFailingURLKey"] as? URL == url)
        #expect(error.userInfo["NSErrorFailingURLStringKey"] as? String == url.absoluteString)
        #expect(error.failingURL == url)
        let words = "Failed to connect to h port 81"
        #expect(error.localizedDescription == "Could not connect to the server.")
        let reason = try #require(error.userInfo[NSLocalizedFailureReasonErrorKey] as? String)
        #expect(reason.contains(words))
        #expect(reason.hasPrefix("The connection"))
        #expect(error.userInfo[NSDebugDescriptionErrorKey] as? String == reason)
        #expect(error.description.contains(words))
        #expect(error.description.contains("-1004"))
    }

    @Test func transportErrorIsTheUnderlyingError() throws {
        let cause = refused()
        let error = URLError(cause, url: nil)
        let underlying = error.userInfo[NSUnderlyingErrorKey]
        #expect(underlying as? TransportError == cause)
        let general = try #require(underlying as? any Error)
        #expect(general.localizedDescription == cause.message)
        let custom = try #require(underlying as? any CustomNSError)
        #expect(custom.errorCode == 7)
        #expect(type(of: custom).errorDomain == "CurlTransport.TransportError")
        #expect(custom.errorUserInfo[NSLocalizedDescriptionKey] as? String == cause.message)
        // The URL comes from the transport's error if the caller gives none.
        #expect(error.failingURL?.absoluteString == "http://h:81/p")
    }

    @Test func ownFailureHasNoLibcurlCode() throws {
        let error = URLError(TransportError.cancelled, url: nil)
        #expect(error.code == .cancelled)
        #expect(error.failingURL == nil)
        let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? any CustomNSError)
        #expect(cause.errorCode == 0)
    }

    @Test func ownFailureHasItsReason() throws {
        let url = try #require(URL(string: "http://h/"))
        let error = URLError(.resourceUnavailable, url: url, reason: "nothing is cached.")
        #expect(error.code == .resourceUnavailable)
        #expect(error.localizedDescription == "resource unavailable")
        #expect(error.reason == "Nothing is cached.")
        #expect(URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "d"]).reason == "d")
        #expect(error.userInfo[NSUnderlyingErrorKey] == nil)
        #expect(error == URLError(.resourceUnavailable, url: url, reason: "nothing is cached."))
        #expect(error != URLError(.unknown, url: url, reason: "nothing is cached."))
    }

    @Test(
        "An error's localized description is Foundation's text for its code",
        arguments: [
            (URLError.Code.cancelled, "cancelled"), (.unsupportedURL, "unsupported URL"),
            (.badURL, "bad URL"), (.timedOut, "The request timed out."),
            (.httpTooManyRedirects, "too many HTTP redirects"),
            (.dataLengthExceedsMaximum, "resource exceeds maximum size"),
            (
                .userAuthenticationRequired,
                "The operation couldn’t be completed. (NSURLErrorDomain error -1013.)"
            ),
        ]
    )
    func localizedDescriptionIsFoundationsText(_ code: URLError.Code, _ text: String) {
        let error: any Error = URLError(code, url: nil, reason: "this went wrong.")
        #expect(error.localizedDescription == text)
        #expect((error as NSError).localizedFailureReason == "This went wrong.")
    }

    @Test(
        "The localized description of an error about a certificate names the server",
        arguments: [
            (URLError.Code.serverCertificateHasBadDate, "for this server has expired."),
            (.serverCertificateUntrusted, "for this server is invalid."),
            (
                .serverCertificateHasUnknownRoot,
                "for this server was signed by an unknown certifying authority."
            ),
            (.serverCertificateNotYetValid, "for this server is not yet valid."),
        ]
    )
    func certificatesTextNamesTheServer(_ code: URLError.Code, _ words: String) throws {
        let url = try #require(URL(string: "https://user:secret@example.org:81/p"))
        let warning =
            " You might be connecting to a server that is pretending to be “example.org” which "
            + "could put your confidential information at risk."
        let named = URLError(code, url: url, reason: "this went wrong.")
        #expect(named.localizedDescription == "The certificate \(words)\(warning)")
        let unnamed = URLError(code, url: nil, reason: "this went wrong.")
        #expect(unnamed.localizedDescription == "The certificate \(words)")
    }

    @Test("The localized description of an error about a client certificate names the server")
    func clientCertificatesTextNamesTheServer() throws {
        let url = try #require(URL(string: "https://example.org/"))
        let texts: [(code: URLError.Code, verb: String)] = [
            (.clientCertificateRejected, "did not accept the certificate."),
            (.clientCertificateRequired, "requires a client certificate."),
        ]
        for (code, verb) in texts {
            let named = URLError(code, url: url, reason: "this went wrong.")
            #expect(named.localizedDescription == "The server “example.org” \(verb)")
            let unnamed = URLError(code, url: nil, reason: "this went wrong.")
            #expect(unnamed.localizedDescription == "The server \(verb)")
        }
    }

    @Test func errorsShowNoCredentials() throws {
        let text = "https://user:secret@h/p"
        let url = try #require(URL(string: text))
        for number in Int32(0)...101 {
            var context = FailureContext(scheme: "https", url: text)
            context.errorBuffer = "cannot fetch '\(text)' via user:secret@proxy"
            let cause = TransportError(curlCode: CurlCode(rawValue: number), context: context)
            let error = URLError(cause, url: url)
            let shown = [
                error.localizedDescription, error.description, String(reflecting: error),
                "\(error.userInfo)", "\(error._nsError)",
            ]
            for text in shown { #expect(!text.contains("secret"), "\(text)") }
            #expect(error.failingURL?.absoluteString == "https://h/p")
        }
    }

    @Test(arguments: [
        ("http://u:p@h/a?b=c@d#e", "http://h/a?b=c@d#e"), ("http://u@h/", "http://h/"),
        ("http://h/a@b", "http://h/a@b"), ("http://h/%40", "http://h/%40"),
        ("http://[::1]:8/", "http://[::1]:8/"), ("data:,a@b", "data:,a@b"),
    ])
    func onlyTheUserInfoIsRemovedFromTheURL(text: String, expected: String) throws {
        let url = try #require(URL(string: text))
        #expect(url.withoutUserInfo?.absoluteString == expected)
    }
}
