import Testing

@testable import BatchFetch

@Suite struct RobotsFileTests {
    private func file(_ text: String, for token: String = "batchfetch") -> RobotsFile {
        RobotsFile(Array(text.utf8), token: token)
    }

    @Test func emptyRobotsFileAllowsAll() {
        for text in ["", "hello", "User-agent: *\n", "User-agent: *\nDisallow:\n", "<html>"] {
            #expect(file(text).allows("/x"))
        }
    }

    @Test func ownGroupOverridesTheGroupForAll() {
        let text = """
            User-agent: *
            Disallow: /

            user-AGENT : BatchFetch/2.0 # that's us
            User-agent: other
            Disallow: /private
            Crawl-delay: 2.5
            """
        #expect(file(text).allows("/"))
        #expect(!file(text).allows("/private/x"))
        #expect(file(text).crawlDelay == .seconds(2.5))
        #expect(!file(text, for: "unlisted").allows("/"))
        #expect(file(text, for: "unlisted").crawlDelay == nil)
        #expect(!file(text, for: "other").allows("/private"))
    }

    @Test func groupsOfTheSameNameAreMerged() {
        let text =
            "User-agent: batchfetch\nDisallow: /a\n\nUser-agent: x\nDisallow: /b\n\n"
            + "User-agent: batchfetch\r\nDisallow: /c\r\n"
        #expect(!file(text).allows("/a"))
        #expect(file(text).allows("/b"))
        #expect(!file(text).allows("/c"))
    }

    @Test func unknownLinesDoNotEndAGroup() {
        let text = "User-agent: a\nSitemap: http://x/\nUser-agent: batchfetch\nDisallow: /a\n"
        #expect(!file(text).allows("/a"))
        #expect(!file(text, for: "a").allows("/a"))
    }

    @Test(arguments: [
        ("/fish", "/fish.html", true), ("/fish", "/Fish", false), ("/fish", "/catfish", false),
        ("/fish*", "/fishheads/x?y", true), ("/*.php", "/a/b.php?x", true),
        ("/*.php$", "/a.php", true), ("/*.php$", "/a.php?x", false), ("/*.php$", "/a.php5", false),
        ("/fish*.php", "/fishheads/catfish.php", true), ("/$", "/", true), ("/$", "/a", false),
        ("*", "/x", true), ("/a%3cd.html", "/a%3Cd.html", true), ("/%7ejoe/", "/~joe/x", true),
        ("/~joe/", "/%7Ejoe/", true), ("/ü", "/%C3%BC", true), ("/a%2fb", "/a/b", false),
        ("/x?y=*z", "/x?y=1&z", true), ("/a**b$", "/aXb/b", true), ("/%zz", "/%zz", true),
    ])
    func pathsMatchPatterns(pattern: String, path: String, fits: Bool) {
        #expect(file("User-agent: *\nDisallow: \(pattern)").allows(path) == !fits)
    }

    @Test func longestRuleWinsAndAllowWinsATie() {
        let text =
            "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /x\n"
            + "Disallow: /x\n"
        #expect(!file(text).allows("/a/"))
        #expect(file(text).allows("/a/b/d"))
        #expect(!file(text).allows("/a/b/c"))
        #expect(file(text).allows("/x"))
    }

    @Test func robotsFileItselfIsAlwaysAllowed() {
        #expect(file("User-agent: *\nDisallow: /").allows("/robots.txt"))
        #expect(!file("User-agent: *\nDisallow: /").allows(""))
        #expect(!file("\u{FEFF}User-agent: *\nDisallow: /").allows("/a"))
    }

    @Test func rulesBeyondTheSizeLimitAreIgnored() {
        let padding = String(repeating: "#\n", count: RobotsFile.maximumSize / 2)
        #expect(file("\(padding)User-agent: *\nDisallow: /\n").allows("/a"))
    }

    @Test(arguments: [("100000", 86_400.0), ("inf", 86_400), ("-1", nil), ("nan", nil), ("3", 3)])
    func crawlDelayIsCappedAtADay(text: String, seconds: Double?) {
        let file = RobotsFile(Array("User-agent: *\nCrawl-delay: \(text)\n".utf8), token: "me")
        #expect(file.crawlDelay == seconds.map { .seconds($0) })
    }
}
