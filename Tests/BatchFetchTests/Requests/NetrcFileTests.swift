import Testing

@testable import BatchFetch

/// The format of `.netrc` files.
@Suite struct NetrcFileTests {
    private func login(_ host: String, _ text: String) throws -> String? {
        try NetrcFile(text).login(for: host).map { "\($0.user):\($0.password)" }
    }

    @Test("Given entries on one line or several, then each host has its login")
    func entriesMaySpanLines() throws {
        let text = """
            # the first one
            machine a.test login u password p
            machine B.test.
                account x
                password "p q"
                login "u\\"v"
            default login any password other
            """
        #expect(try login("a.test", text) == "u:p")
        #expect(try login("b.test", text) == "u\"v:p q")
        #expect(try login("c.test", text) == "any:other")
        #expect(try login("x.a.test", text) == "any:other", "no entry includes subdomains")
    }

    @Test("Given no default entry, then another host has no login")
    func unknownHostHasNoLogin() throws {
        #expect(try login("b", "machine a login u password p") == nil)
        #expect(try login("b", "") == nil)
    }

    @Test("Given an entry without a login, then its host has none, not even the default one")
    func entryWithoutALoginHasNone() throws {
        let text = "machine a\nmachine b account x\nmachine c password p\ndefault login u"
        #expect(try login("a", text) == nil)
        #expect(try login("b", text) == nil)
        #expect(try login("c", text) == ":p")
        #expect(try login("d", text) == "u:")
    }

    @Test("Given two entries of a host, then the first one counts")
    func firstEntryCounts() throws {
        let text = "machine a login 1 password p\nmachine a login 2 password p\n"
        #expect(try login("a", text) == "1:p")
    }

    @Test("Given a macro, then its lines are skipped up to a blank one")
    func macrosAreSkipped() throws {
        let text = "macdef init\nmachine a login u\nbye\n\nmachine a login v password p\n"
        #expect(try login("a", text) == "v:p")
    }

    @Test("Given a password with #, then it is no comment")
    func commentsBeginLines() throws {
        #expect(try login("a", "machine a login u password #p") == "u:#p")
    }

    @Test(
        "Given a mistake, then its line is reported without the text",
        arguments: [
            ("machine a login u\npassword", 2, "nothing follows password"),
            ("\nmachine", 2, "nothing follows machine"),
            ("s3cret", 1, "an entry must begin with machine, default or macdef"),
            ("machine a login u:s3cret", 1, "a login has a colon"),
            ("machine a\npassword \"s3cret", 2, "a closing quote is missing"),
            ("machine a password \"s3cret\\n\"", 1, "a control character follows password"),
        ]
    )
    func mistakesAreReported(text: String, line: Int, reason: String) {
        let mistake = #expect(throws: NetrcFile.Mistake.self) { try NetrcFile(text) }
        #expect(mistake?.line == line)
        #expect(mistake?.reason.hasPrefix(reason) == true, "\(String(describing: mistake))")
        #expect(mistake?.reason.contains("s3cret") == false)
    }
}
