import Testing

@testable import CurlTransport
@testable import Posix

struct AltSvcAnnouncementTests {
    @Test(
        "A field announces HTTP/3 only for the origin's own host and port",
        arguments: [
            (#"h3=":443""#, AltSvcAnnouncement.http3(seconds: 86_400)),
            (#"h3=":443"; ma=60"#, .http3(seconds: 60)),
            (#"h3=":443";ma="60";persist=1"#, .http3(seconds: 60)),
            (#"h3=":443" ; MA=60 , h3-29=":443""#, .http3(seconds: 60)),
            ("h2=\":443\"; ma=5,h3-29=\":443\",\th3=\":443\"; ma=7", .http3(seconds: 7)),
            (#"h3="Example.org:443"; ma=8"#, .http3(seconds: 8)),
            (#"h3=":444"; ma=5, h3=":443"; ma=9"#, .http3(seconds: 9)),
            (#"h3=":443"; ma=99999999999"#, .http3(seconds: Int64(Int32.max))),
            (#"h3="\:443"; ma="6\0""#, .http3(seconds: 60)),
            (#"h3=":443"; ma=0"#, .none),
            ("clear", .none), (#"h2=":443""#, .none), (#"h3=":444""#, .none),
            (#"h3="other.test:443""#, .none), (#"h3-29=":443""#, .none),
        ]
    )
    func serviceOnTheOriginsOwnPortCounts(field: String, expected: AltSvcAnnouncement) {
        #expect(AltSvcAnnouncement([field], host: "example.org", port: 443) == expected)
    }

    @Test(
        "A malformed field announces nothing",
        arguments: [
            "", "h3", "h3=", "h3=:443", #"h3=""#, #"h3=":443"#, #"h3=":0""#,
            #"h3=":65536""#,
            #"h3=":+443""#, #"h3=":-1""#, #"h3=":443"; ma=x"#, #"h3=":443"; ma=-1"#,
            #"h3=":443"; ma"#, #"h3=":443"; ="#, #"="h3""#, #"h3="\":443""#, ",,;",
            #"h3=":443\""#, #"h3=":443"; ma="60"#, #"a/b=":443", h3=":443""#,
            "\u{e9}=\":443\"",
        ]
    )
    func malformedFieldsAnnounceNothing(field: String) {
        let announcement = AltSvcAnnouncement([field], host: "example.org", port: 443)
        #expect(announcement == AltSvcAnnouncement.none)
    }

    @Test("The first of several fields that announces HTTP/3 counts")
    func severalFieldsCountTogether() {
        let fields = [#"h2=":443""#, #"h3=":443"; ma=1"#, "clear"]
        #expect(
            AltSvcAnnouncement(fields, host: "::1", port: 443) == .http3(seconds: 1)
        )
        #expect(AltSvcAnnouncement([], host: "example.org", port: 443) == nil)
    }

    @Test("An announcement is used until it expires, and not while it is blocked")
    func announcementIsUsedUntilItExpires() {
        func second(_ seconds: Int64) -> MonotonicTime {
            MonotonicTime(nanoseconds: seconds * 1_000_000_000)
        }
        var service = AlternativeService()
        #expect(!service.isUsable(at: second(0)))
        service.learn(.http3(seconds: 1_000), at: second(0))
        #expect(service.isUsable(at: second(999)) && !service.isUsable(at: second(1_000)))
        service.failed(at: second(10))
        #expect(!service.isUsable(at: second(309)) && service.isUsable(at: second(310)))
        service.learn(.none, at: second(400))
        #expect(!service.isUsable(at: second(400)))
    }
}
