import Testing

@testable import BatchFleet

@Suite struct FleetErrorTests {
    @Test("libpq's text becomes one line without the place in PostgreSQL's sources")
    func placeIsLeftOut() {
        let text = """
            connection to server on socket "/run/s" failed: FATAL:  3D000: database "a" does not exist
            LOCATION:  InitPostgres, postinit.c:948

            """
        let error = FleetError(connecting: text, needsPassword: false)
        #expect(error.code == .refused)
        #expect(error.sqlState == "3D000")
        #expect(
            error.message == "can't connect to PostgreSQL: connection to server on socket "
                + "\"/run/s\" failed: FATAL:  3D000: database \"a\" does not exist"
        )
        #expect(!error.isTemporary)
    }

    @Test("Indented lines of libpq, and of the server, become one line without tabs")
    func tabsAreLeftOut() {
        let text = """
            connection to server at "a", port 1 failed: Connection refused
            \tIs the server running on that host\t and accepting TCP/IP connections? \r

            \t
            """
        let line =
            "connection to server at \"a\", port 1 failed: Connection refused; Is the server running "
            + "on that host and accepting TCP/IP connections?"
        let error = FleetError(connecting: text, needsPassword: false)
        #expect(error.message == "can't connect to PostgreSQL: " + line)
        #expect(FleetError(losing: text).message.hasSuffix("was lost: " + line))
        let reported = FleetError(sqlState: "P0001", message: "no\n\tmore\n")
        #expect(reported.message == "PostgreSQL reports: no; more (P0001)")
    }

    @Test(
        "A server that is starting, is full or can't be reached may be there later",
        arguments: [
            "FATAL:  57P03: the database system is starting up",
            "x: FATAL:  53300: sorry, too many clients already", "Connection refused", "",
        ]
    )
    func unreachableServerIsTemporary(text: String) {
        let error = FleetError(connecting: "failed: " + text, needsPassword: false)
        #expect(error.code == .unreachable)
        #expect(error.isTemporary)
    }

    @Test("A server that wants a password refuses the connection")
    func missingPasswordIsRefusal() {
        let error = FleetError(connecting: "fe_sendauth: no password supplied", needsPassword: true)
        #expect(error.code == .refused)
        #expect(!error.isTemporary)
    }

    @Test("The class of PostgreSQL's code decides whether to try again")
    func classDecides() {
        let codes = ["40P01", "40001", "53100", "57P01", "23505", "42P01", "42501"]
        let errors = codes.map { FleetError(sqlState: $0, message: "no") }
        #expect(errors.map(\.isTemporary) == [true, true, true, true, false, false, false])
        #expect(errors[3].code == .connectionLost)
        #expect(errors[6].code == .refused)
    }

    @Test("A server that has become a standby, or that cancels slow statements, may work later")
    func changedServerIsTemporary() {
        let errors = ["25006", "25P03", "57014"].map { FleetError(sqlState: $0, message: "no") }
        #expect(errors.map(\.isTemporary) == [true, true, true])
        #expect(errors.map(\.code) == [.connectionLost, .connectionLost, .statement])
    }
}
