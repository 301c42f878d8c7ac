import Testing

@testable import BatchFetch

@Suite struct HostRuleTests {
    private let usual = HostPolicy(concurrency: 6, interval: .milliseconds(10))

    @Test func ruleIsParsed() throws {
        let rule = try HostRule(parsing: "API.x.org: rate=5/s, concurrency=2 ,delay=1.5s")
        #expect(rule.pattern == "api.x.org")
        #expect(rule.rate?.interval == .milliseconds(200))
        #expect(rule.concurrency == 2)
        #expect(rule.delay == .milliseconds(1500))
    }

    @Test(arguments: [
        ("x.org:8080", "x.org:8080"), ("X.org.", "x.org"), ("*.X.org:81", "*.x.org:81"),
        ("127.1", "127.0.0.1"), ("[::1]:80", "::1:80"), ("[::1]", "::1"), ("0:0::1", "::1"),
        (" x.org ", "x.org"),
    ])
    func hostOfARuleIsNormalisedLikeThatOfURLs(text: String, pattern: String) throws {
        #expect(try HostRule(parsing: "\(text): rate=30/m,").pattern == pattern)
    }

    @Test(arguments: [
        ("x.org", "host: name=value"), ("x.org:8080", "host: name=value"),
        (": rate=1", "neither a host nor"), ("a*.org: rate=1", "neither a host nor"),
        ("*org: rate=1", "neither a host nor"),
        ("x: rate=0", "rate is “0”"), ("x: rate=-1", "rate"), ("x: rate=5/w", "rate"),
        ("x: concurrency=0", "concurrency is “0”"), ("x: delay=soon", "delay is “soon”"),
        ("http://x: rate=1", "neither a host nor"), ("x/y: rate=1", "neither a host nor"),
        ("*.: rate=1", "neither a host nor"),
        ("x:y: rate=1", "neither a host nor"), ("a b: rate=1", "neither a host nor"),
        ("x: rate=1, some", "“some” is neither name=value nor all or each"),
        ("x: all", "host: name=value"), ("x: speed=9", "“speed” is unknown"),
        ("x: rate", "host: name=value"),
    ])
    func malformedRuleIsReported(text: String, message: String) {
        let failure = #expect(throws: BatchFailure.self) { try HostRule(parsing: text) }
        #expect(failure?.code == .configuration)
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    }

    @Test(
        "The word all lets all matching hosts share the limits; each doesn't",
        arguments: [
            ("*.x.org: all, concurrency=1", true), ("*.x.org:concurrency=1,all", true),
            ("*.x.org: each, concurrency=1", false), ("*.x.org: concurrency=1", false),
            ("x.org:81: all, each, rate=1/s", false),
        ]
    )
    func wordDecidesWhetherLimitsAreShared(text: String, isShared: Bool) throws {
        #expect(try HostRule(parsing: text).isShared == isShared)
    }

    @Test func mostSpecificRuleApplies() throws {
        let policies = HostPolicies(
            usual: usual,
            rules: try [
                "*.org: concurrency=1", "*.x.org: concurrency=2", "api.x.org: concurrency=3",
                "api.x.org:81: concurrency=4, rate=2/s", "*.z.org:81: concurrency=5",
            ].map { try HostRule(parsing: $0) }
        )
        #expect(policies["y.com:443"] == usual)
        #expect(policies["y.org:443"].concurrency == 1)
        #expect(policies["a.x.org:443"].concurrency == 2)
        #expect(policies["a.z.org:81"].concurrency == 5)
        #expect(policies["a.z.org:443"].concurrency == 1)
        #expect(policies["x.org:443"].concurrency == 1)
        #expect(policies["api.x.org:443"].concurrency == 3)
        #expect(policies["api.x.org:443"].interval == usual.interval)
        #expect(
            policies["api.x.org:81"] == HostPolicy(concurrency: 4, interval: .milliseconds(500))
        )
    }

    @Test(arguments: [
        ("5/s", 0.2), ("30/m", 2), ("3600/h", 1), ("0.5", 2), ("100", 0.01),
    ])
    func ratesAreParsed(text: String, seconds: Double) {
        #expect(RequestRate(text)?.interval == .seconds(seconds))
    }

    @Test(arguments: ["", "/s", "0/s", "-1", "5/s/s", "inf", "nan", "5/week", "five"])
    func malformedRateIsRejected(text: String) {
        #expect(RequestRate(text) == nil)
    }

    @Test func durationsAndByteAmountsAreParsed() {
        #expect(DurationText.duration("500ms") == .milliseconds(500))
        #expect(DurationText.duration("2s") == .seconds(2))
        #expect(DurationText.duration("1.5m") == .seconds(90))
        #expect(DurationText.duration("1h") == .seconds(3600))
        #expect(DurationText.duration("7") == .seconds(7))
        for text in ["", "s", "-1s", "nan", "inf", "1d", "1e99h"] {
            #expect(DurationText.duration(text) == nil)
        }
        #expect(ByteAmount.bytes("500") == 500)
        #expect(ByteAmount.bytes("1.5M") == 1_500_000)
        #expect(ByteAmount.bytes("2GiB") == 2 << 30)
        for text in ["", "M", "-1", "5x", "1e99"] { #expect(ByteAmount.bytes(text) == nil) }
    }
}
