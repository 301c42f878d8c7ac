extension Program {
    /// Stored data and the configuration of sessions.
    static let storageLines = """
        == cookies
        session=s3cret of example.com/notes
        secure true, HTTP only false
        session only false, later true
        version 0, no comment
        why nowhere
        ports []
        described: true
        session
        /notes
        old=1 of 127.0.0.1/
        secure false, HTTP only false
        session only false, later true
        version 1, kept
        why /why
        ports [80, 8080]
        nameless: true
        true, Path
        policy 0: true
        policy 1: true
        policy 2: true
        == cookie fields
        a=b of www.example.com/
        secure false, HTTP only true
        c=d of .example.com/notes
        secure true, HTTP only false
        ["a=b", "c=d"]
        [:]
        0
        == cookie storage
        0, policy 0
        2
        ["a"]
        0
        0 by policy 1
        described: false
        == sorted cookies
        ["a", "b"]
        == credentials
        0: true
        1: true
        2: true
        ada lovelace, has one: true
        persistence 1
        copied: true
        equal: false, true
        secure: true
        ada lovelace, has one: true
        persistence 1
        == protection spaces
        example.com:8080 by NSURLProtectionSpaceHTTP
        realm notes, NSURLAuthenticationMethodHTTPBasic
        proxy false, type none
        securely false
        described: true
        copied: true
        zoned: true
        proxy.example.com:3128 by no protocol
        realm none, NSURLAuthenticationMethodHTTPDigest
        proxy true, type NSURLProtectionSpaceHTTPProxy
        securely true
        described: true
        copied: true
        zoned: true
        equal: true, false
        == credential storage
        ["ada", "grace"]
        grace
        1 spaces
        elsewhere 0
        of the task: 2
        of the task: grace
        ["ada"]
        nobody
        0
        ["ada", "grace"]
        ["ada"]
        == challenges
        realm notes
        proposed ada
        2 failures
        401: URLError -1013
        sender: true
        realm notes
        proposed ada
        2 failures
        401: URLError -1013
        sender: true
        use ada for example.com
        continue without
        cancel
        default
        reject
        disposition 0: true
        disposition 1: true
        disposition 2: true
        disposition 3: true
        == cache
        1048576, 0
        used 0, 0
        a: 6
        used: true
        a: -1
        b: 6
        b: -1
        b: -1
        b: -1
        policy 0: true
        policy 1: true
        policy 2: true
        == cached responses
        /a: 6 bytes
        policy 0
        user none
        /a: 6 bytes
        policy 1
        user ada
        copied: true, true
        equal: true
        == cache of a task
        6
        -1
        == configuration
        identifier none
        policy 0
        request 60.0 s
        resource 604800.0 s
        service 0
        cellular true
        discretionary false
        proxies -1
        cookies true
        accepted 2
        headers -1
        connections 6
        cookie storage true
        credential storage true
        cache true
        own protocol false
        container none
        identifier none
        policy 0
        request 60.0 s
        resource 604800.0 s
        service 0
        cellular true
        discretionary false
        proxies -1
        cookies true
        accepted 2
        headers -1
        connections 6
        cookie storage true
        credential storage true
        cache true
        own protocol false
        container none
        cookies of its own: true
        identifier own
        policy 1
        request 11.0 s
        resource 22.0 s
        service 2
        cellular false
        discretionary true
        proxies 0
        cookies false
        accepted 1
        headers 1
        connections 3
        cookie storage false
        credential storage true
        cache true
        own protocol true
        container none
        copied: 3
        copied: 99
        kept: 99
        """
}
