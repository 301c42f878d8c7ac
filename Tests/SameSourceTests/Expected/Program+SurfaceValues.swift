extension Program {
    /// Names, requests and responses.
    static let valueLines = """
        == names
        NSURLAuthenticationMethodDefault
        NSURLAuthenticationMethodHTMLForm
        NSURLAuthenticationMethodHTTPBasic
        NSURLAuthenticationMethodHTTPDigest
        NSURLAuthenticationMethodNTLM
        NSURLAuthenticationMethodNegotiate
        NSURLCredentialStorageRemoveSynchronizableCredentials
        NSURLProtectionSpaceHTTP
        NSURLProtectionSpaceHTTPProxy
        NSURLProtectionSpaceHTTPS
        NSURLProtectionSpaceHTTPSProxy
        NSURLProtectionSpaceSOCKSProxy
        NSURLSessionDownloadTaskResumeData
        -1
        NSHTTPCookieManagerCookiesChangedNotification
        NSURLCredentialStorageChangedNotification
        == TLS
        TLSv10 769
        TLSv11 770
        TLSv12 771
        TLSv13 772
        DTLSv10 65279
        DTLSv12 65277
        of 0: true
        AES_128_GCM_SHA256 4865
        AES_256_GCM_SHA384 4866
        CHACHA20_POLY1305_SHA256 4867
        ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA 49160
        ECDHE_ECDSA_WITH_AES_128_CBC_SHA 49161
        ECDHE_ECDSA_WITH_AES_128_CBC_SHA256 49187
        ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 49195
        ECDHE_ECDSA_WITH_AES_256_CBC_SHA 49162
        ECDHE_ECDSA_WITH_AES_256_CBC_SHA384 49188
        ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 49196
        ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 52393
        ECDHE_RSA_WITH_3DES_EDE_CBC_SHA 49170
        ECDHE_RSA_WITH_AES_128_CBC_SHA 49171
        ECDHE_RSA_WITH_AES_128_CBC_SHA256 49191
        ECDHE_RSA_WITH_AES_128_GCM_SHA256 49199
        ECDHE_RSA_WITH_AES_256_CBC_SHA 49172
        ECDHE_RSA_WITH_AES_256_CBC_SHA384 49192
        ECDHE_RSA_WITH_AES_256_GCM_SHA384 49200
        ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256 52392
        RSA_WITH_3DES_EDE_CBC_SHA 10
        RSA_WITH_AES_128_CBC_SHA 47
        RSA_WITH_AES_128_CBC_SHA256 60
        RSA_WITH_AES_128_GCM_SHA256 156
        RSA_WITH_AES_256_CBC_SHA 53
        RSA_WITH_AES_256_CBC_SHA256 61
        RSA_WITH_AES_256_GCM_SHA384 157
        of 0: true
        == requests
        policy 0: true
        policy 1: true
        policy 2: true
        policy 3: true
        policy 4: true
        policy 5: true
        policy 1: true
        service 0: true
        service 1: true
        service 2: true
        service 3: true
        service 4: true
        service 5: true
        GET /a
        main none
        policy 0, 60.0 s
        service 0
        cellular true
        cookies true
        body -1, stream false
        fields [:]
        two none
        PUT /b
        main /main
        policy 1, 12.0 s
        service 2
        cellular false
        cookies false
        body 4, stream false
        fields ["X-Two": "2,3"]
        two 2,3
        class: true
        equal: true, false
        differs: true
        described: true
        debugged: true
        mirrored: false
        X-0: 0,again
        X-1: 1,again
        X-2: 2,again
        X-3: 3,again
        X-Two: 2,3
        3, 2.5 s
        == request objects
        GET /a
        main none
        policy 0, 60.0 s
        service 0
        cellular true
        cookies true
        body -1, stream false
        4, 7.0 s
        POST /c/d
        main /c/d
        policy 3, 3.0 s
        service 3
        cellular false
        cookies false
        body 6, stream false
        field X-One: 1
        field X-Stream: some
        field X-Two: 2,3
        added 2,3
        copied: true, true
        as a value: POST
        as an object: true
        same: true
        GET DELETE
        7.0 8.0
        9.0
        described: true
        == request archives
        secure: true
        PATCH /kept
        1 4
        /byhand
        /byhand
        == responses
        /folder/picture.png: 1234
        image/png in utf-8
        as picture.png
        copied: true, true
        equal: true
        /: -1
        no type in no charset
        as 127.0.0.1
        equal: false
        of the length unknown: true
        == HTTP responses
        206
        /report: 77
        text/csv in iso-8859-1
        as report.csv
        one
        none
        4 fields
        one
        described: true
        100 Continue
        200 OK
        204 No Content
        301 Moved Permanently
        304 Not Modified
        401 Unauthorized
        404 Not Found
        418 Client Error
        500 Internal Server Error
        503 Service Unavailable
        599 Server Error
        700 Server Error
        bare: 0, -1
        == response archives
        secure: true
        /kept.txt: 5
        text/plain in utf-8
        as kept.txt
        418 /kept
        yes
        418
        """
}
