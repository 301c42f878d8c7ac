internal import Configuration
internal import CurlServices
internal import CurlTransport
internal import TestSupport
internal import Testing

/// Settings that are read from a configuration.
@Suite struct ClientSettingsTests {
    private func settings(
        _ values: [AbsoluteConfigKey: ConfigValue],
        defaults: ClientSettings = ClientSettings()
    ) throws(TransportError) -> ClientSettings {
        let reader = ConfigReader(provider: InMemoryProvider(values: values))
        return try ClientSettings(reading: reader, defaults: defaults)
    }

    private func message(_ values: [AbsoluteConfigKey: ConfigValue]) -> String? {
        let error = #expect(throws: TransportError.self) { try settings(values) }
        #expect(error?.code == .configuration)
        return error?.message
    }

    @Test("Keys set the properties that they name, and the others keep their defaults")
    func keysSetProperties() throws {
        var expected = ClientSettings()
        expected.options.timeouts.total = .seconds(2.5)
        expected.options.timeouts.idle = nil
        expected.options.userAgent = "shop/1.0"
        expected.options.redirects = .refuse
        expected.options.tls.trustRoots = .file("/etc/ca.pem")
        expected.options.tls.minimumVersion = .v1_3
        expected.options.tls.clientIdentity = .watching(
            certificate: "/etc/client.pem",
            key: "/etc/client.key",
            password: "secret"
        )
        expected.options.proxy = .server(
            ProxyServer(.http, host: "proxy.example", port: 3128),
            exceptions: ["localhost"]
        )
        expected.configuration.eventLoopCount = 2
        expected.configuration.maximumConnectionsPerHost = 8
        expected.configuration.maximumQueued = 0
        expected.configuration.connectionLifetime = .seconds(60)
        expected.configuration.dnsCacheLifetime = .zero
        let read = try settings([
            "timeouts.total": 2.5, "timeouts.idle": 0, "userAgent": "shop/1.0",
            "redirects.limit": 0, "tls.roots": "/etc/ca.pem", "tls.minimumVersion": 1.3,
            "tls.certificate": "/etc/client.pem", "tls.key": "/etc/client.key",
            "tls.password": "secret", "proxy.url": "http://proxy.example:3128",
            "proxy.exceptions": .init(.stringArray(["localhost"]), isSecret: false),
            "loops": 2, "connections.perHost": 8, "connections.queued": 0,
            "connections.lifetime": 60, "dns.lifetime": 0,
        ])
        #expect(read == expected)
    }

    @Test("Without keys, the defaults remain")
    func defaultsRemain() throws {
        #expect(try settings([:]) == ClientSettings())
        var defaults = ClientSettings()
        defaults.options.userAgent = nil
        #expect(try settings([:], defaults: defaults) == defaults)
        #expect(try settings(["userAgent": "", "tls.roots": "system"]) == ClientSettings())
    }

    @Test("A prefix comes before the keys")
    func prefixComesBeforeKeys() throws {
        let provider = InMemoryProvider(values: ["http.client.userAgent": "shop/1.0"])
        let reader = ConfigReader(provider: provider).scoped(to: "http.client")
        #expect(try ClientSettings(reading: reader).options.userAgent == "shop/1.0")
    }

    @Test("A value of the wrong kind is an error that names its key and not the value")
    func wrongKindIsAnError() {
        for key in ["connections.perHost", "timeouts.total", "loops", "redirects.limit"] {
            let message = message([AbsoluteConfigKey(ConfigKey(key)): "secret"])
            #expect(message?.contains(key) == true && message?.contains("secret") == false)
        }
        #expect(message(["userAgent": true])?.contains("userAgent") == true)
        #expect(message(["timeouts.total": -1])?.contains("timeouts.total") == true)
        #expect(message(["tls.minimumVersion": "2"])?.contains("1.3") == true)
        #expect(message(["tls.key": "/etc/client.key"])?.contains("tls.certificate") == true)
        #expect(message(["proxy.url": "gopher://secret"])?.contains("proxy.url") == true)
    }

    @Test(
        "A list instead of a single value is an error, whatever it has",
        arguments: [
            .intArray([1]), .doubleArray([1.5]), .boolArray([true]), .stringArray(["secret"]),
            .bytes([1]), .byteChunkArray([[1]]),
        ] as [ConfigContent]
    )
    func listIsAnError(_ content: ConfigContent) {
        for key in ["loops", "timeouts.total", "userAgent", "tls.minimumVersion"] {
            let value = ConfigValue(content, isSecret: false)
            let message = message([AbsoluteConfigKey(ConfigKey(key)): value])
            #expect(message?.contains(key) == true && message?.contains("secret") == false)
        }
    }

    @Test(
        "A number of loops out of range is an error that names the range",
        arguments: [Int.min, -1, 0, 1025, Int.max]
    )
    func loopsOutOfRangeAreAnError(_ count: Int) throws {
        let message = message(["loops": ConfigValue(.int(count), isSecret: false)])
        let problem = "loops is \(count) in the configuration"
        #expect(message?.contains("\(problem); use a whole number from 1 to 1024") == true)
        for allowed in [1, 1024] {
            let value = ConfigValue(.int(allowed), isSecret: false)
            #expect(try settings(["loops": value]).configuration.eventLoopCount == allowed)
        }
    }

    @Test("A setting that has no effect without another one is an error without it")
    func settingWithoutEffectIsAnError() throws {
        let exceptions = ConfigValue(.stringArray(["localhost"]), isSecret: false)
        let alone = message(["proxy.exceptions": exceptions])
        #expect(alone?.contains("proxy.url") == true)
        let environment = message(["proxy.exceptions": exceptions, "proxy.url": "environment"])
        #expect(environment?.contains("NO_PROXY") == true)
        #expect(message(["tls.password": "secret"])?.contains("tls.certificate") == true)
        let read = try settings(["proxy.exceptions": exceptions, "proxy.url": "none"])
        #expect(read.options.proxy == ProxyPolicy.none)
        #expect(try settings(["proxy.url": "environment"]).options.proxy == .environment)
    }

    private struct Accesses: AccessReporter {
        let events = EventRecorder<AccessEvent>()

        func report(_ event: AccessEvent) { events.record(event) }
    }

    @Test("Passwords are secrets for reporters of accesses to the configuration")
    func passwordsAreSecrets() throws {
        let accesses = Accesses()
        let provider = InMemoryProvider(values: [
            "proxy.url": "http://ada:hidden@proxy.example:3128",
            "tls.certificate": "/etc/client.pem",
            "tls.key": "/etc/client.key", "tls.password": "hidden",
        ])
        let reader = ConfigReader(provider: provider, accessReporter: accesses)
        _ = try ClientSettings(reading: reader)
        for key in ["proxy.url", "tls.password"] {
            let event = try #require(
                accesses.events.events.first { "\($0.metadata.key)" == key },
                "\(key) isn't read"
            )
            #expect(try event.result.get()?.isSecret == true, "\(key) isn't a secret")
        }
        #expect(!accesses.events.events.contains { "\($0)".contains("hidden") })
    }
}
