extension Program {
    /// Sessions, tasks, delegates and protocols.
    static let sessionLines = """
        == sessions
        shared: true
        delegate false
        described not
        described plain
        delegate false
        at once 1
        own delegate true, queue true
        equal: true
        disposition 0: true
        disposition 1: true
        continueLoading: true
        useNewRequest: true
        cancel: false
        == flush and reset
        flushed
        reset
        == data
        5 5 5 5
        200: 5, no error
        200: 5, no error
        [1, 1]
        == uploads
        true, POST 6: a body
        true, true
        true, no error
        true, no error
        didSendBodyData: 6 of 6
        didReceive response: 200
        didReceive data: 14 bytes
        didComplete: no error
        didSendBodyData: 6 of 6
        didReceive response: 200
        didReceive data: 14 bytes
        didComplete: no error
        didBecomeInvalid: no error
        == streamed upload
        needNewBodyStream
        POST 13: from a stream
        didComplete: no error
        POST 10: of its own
        didComplete: no error
        == downloads
        [5, 5, 5, 5]
        5, no error
        5, no error
        1
        == tasks
        priority 0.25
        priority 0.75
        delegate true
        named, state 1
        priority 0.5
        from /text
        at /text
        response 0
        sent 0 of 0
        received 0 of 0
        to send 10
        to receive 20
        no error
        number 1
        didReceive response: 200
        didReceive data: 5 bytes
        didComplete: no error
        didBecomeInvalid: no error
        named, state 3
        priority 0.5
        from /text
        at /text
        response 200
        sent 0 of 0
        received 5 of 5
        to send 10
        to receive 20
        no error
        copied: true
        copied: true
        state 0: true
        state 1: true
        state 2: true
        state 3: true
        == progress
        done 0.0
        didReceive response: 200
        didReceive data: 5 bytes
        didComplete: no error
        didBecomeInvalid: no error
        done 1.0
        == tasks of a session
        3 tasks, the same: true
        [1, 1, 1]
        suspended: true
        running: true
        == delegate's defaults
        session's challenge: 1, true
        task's challenge: 1, true
        stream: true
        redirected: true
        response: 1
        cached: true
        delayed: continueLoading, true
        notified
        == delegate's own
        willPerformHTTPRedirection /text
        didReceive response
        didReceive data
        didFinishCollecting
        didCompleteWithError no error
        didWriteData 5 of 5
        didFinishDownloadingTo
        didFinishCollecting
        didCompleteWithError no error
        didFinishCollecting
        didCompleteWithError URLError -999
        didBecomeInvalidWithError no error
        == metrics
        took time: true
        0 redirects
        /text
        200
        protocol http/1.1
        proxy false
        reused false
        fetch 1
        from 127.0.0.1, true
        to 127.0.0.1, true
        TLS none
        suite none
        cellular false, expensive false
        constrained false, multipath false
        names by 0
        in order: true
        connected: true
        secured: false, false
        request: true
        body before: 0
        body: 0
        response: true
        body: 5
        body after: 5
        didComplete: no error
        fetch 0: true
        fetch 1: true
        fetch 3: true
        names by 0: true
        names by 1: true
        names by 2: true
        names by 3: true
        names by 4: true
        == protocol
        canned GET
        200
        canonical yes
        URLError -1003
        == protocol of a delegate
        didReceive response: 200
        didReceive data: 10 bytes
        didComplete: no error
        didComplete: URLError -1003
        didReceive response: 0
        didReceive data: 6 bytes
        didComplete: no error
        didBecomeInvalid: no error
        == registered protocol
        registered: true
        200
        URLError -1002
        == protocol's properties
        mark: seen
        mark: seen
        mark: none
        == lone protocol
        /a: true
        true, true
        response of /a, policy 2
        data: canned 
        data: GET
        finished
        /failure: true
        true, true
        failed: URLError -1003
        /moved: true
        true, true
        redirected to /there
        /challenge: true
        true, true
        challenge of example.com
        no challenge of example.com
        /cached: true
        true, true
        valid: 6 bytes
        response of /cached, policy 2
        data: cached
        finished
        true
        true
        canonical yes
        == protocol of a task
        true, /a
        can: false
        == subclasses
        canned: 6, no error
        state 0
        state 2
        teapot 418
        marked
        true
        fixed
        == deprecated
        NSURLProtectionSpaceFTP
        NSURLProtectionSpaceFTPProxy
        2: true
        3: true
        2: true
        names 0
        pipelining true
        pipelining true
        pipelining true
        60.0 s
        idle false
        pipelining false
        idle true
        pipelining true
        600.0 s
        idle false
        pipelining false
        idle true
        pipelining true
        from the beginning: true
        later: true
        == web socket names
        0: true
        1000: true
        1001: true
        1002: true
        1003: true
        1005: true
        1006: true
        1007: true
        1008: true
        1009: true
        1010: true
        1011: true
        1015: true
        text text
        4 bytes
        == web socket
        at most 1048576
        text hello
        sent: no error
        5 bytes
        pong: no error
        code 0, reason -1
        didOpenWithProtocol echo
        didCloseWith 1001, bye
        didComplete: no error
        """
}
