internal import Curl
internal import Posix

/// A checked TLS configuration as settings for libcurl.
struct PreparedTLS {
    private(set) var settings: [EasySetting] = []

    /// Must exist as long as the settings, which name its path.
    private(set) var trustFile: MemoryFile?

    /// The files that the settings name and that may be replaced.
    private(set) var files: [TrackedFiles.File] = []

    private let names: TLSOptionNames
    private let option: String

    /// Checks `tls`, whose property path is `option`. Blocks on the devices of its files.
    init(
        _ tls: TLSConfiguration,
        names: TLSOptionNames,
        option: String
    ) throws(InvalidOption) {
        self.names = names
        self.option = option
        guard CurlVersion.current.tlsLibrary != nil else { return }
        try trust(tls)
        try limitVersions(tls)
        if let identity = tls.clientIdentity {
            try identify(identity, "\(option).clientIdentity")
        }
        try chooseCiphers(tls)
        if let pins = try PublicKeyPins.joined(tls.publicKeyPins, "\(option).publicKeyPins") {
            settings.append(.text(names.pinnedPublicKey, pins))
        }
        if tls.evaluatesServerTrust {
            guard let certificateInfo = names.certificateInfo else {
                throw InvalidOption(
                    "\(option).evaluatesServerTrust",
                    "can't be set for a proxy; use publicKeyPins or trustRoots"
                )
            }
            settings.append(.flag(certificateInfo, true))
        }
        if tls.failsOnCertificateRequest, names.certificateInfo == nil {
            throw InvalidOption(
                "\(option).failsOnCertificateRequest",
                "can't be set for a proxy; use clientIdentity"
            )
        }
    }

    /// Sets one of the two options that name CA certificates, and clears the other.
    ///
    /// libcurl caches a parsed file only if no folder is set, and Debian's libcurl is built with
    /// one.
    private mutating func trust(_ tls: TLSConfiguration) throws(InvalidOption) {
        if tls.dangerouslyDisablesHostVerification {
            settings.append(.number(names.verifyHost, 0))
        }
        let trust = try certificates(tls.trustRoots)
        guard !tls.dangerouslyDisablesPeerVerification else {
            // Certificates that aren't verified needn't be parsed.
            files = []
            settings.append(.flag(names.verifyPeer, false))
            settings.append(.text(names.caInfo, nil))
            settings.append(.text(names.caPath, nil))
            return
        }
        guard let trust else { return }
        settings.append(.text(names.caInfo, trust.file))
        settings.append(.text(names.caPath, trust.folder))
    }

    /// The CA file or folder; nil for libcurl's built-in one.
    private mutating func certificates(
        _ roots: TrustRoots
    ) throws(InvalidOption) -> (file: String?, folder: String?)? {
        let option = "\(option).trustRoots"
        switch roots {
        case .system:
            guard let path = try SystemTrustStore.found.get() else { return nil }
            files.append(TrackedFiles.File(names.caInfo, [path]))
            return (path, nil)
        case .file(let path):
            try OptionCheck.readableFile(path, option)
            files.append(TrackedFiles.File(names.caInfo, [path]))
            return (path, nil)
        case .directory(let path):
            try OptionCheck.folder(path, option)
            return (nil, path)
        case .pem(let bytes):
            try checkPEM(bytes, option)
            guard let file = try? MemoryFile.holding(bytes) else {
                // libcurl parses bytes for each connection, which takes longer.
                settings.append(.bytes(names.caInfoBytes, bytes))
                return (nil, nil)
            }
            trustFile = file
            return (file.path, nil)
        }
    }

    private mutating func limitVersions(_ tls: TLSConfiguration) throws(InvalidOption) {
        var version = tls.minimumVersion.curlValue
        if let maximum = tls.maximumVersion {
            guard maximum >= tls.minimumVersion else {
                throw InvalidOption(
                    "\(option).maximumVersion",
                    "is \(maximum), older than minimumVersion, \(tls.minimumVersion); "
                        + "give a newer maximum or an older minimum"
                )
            }
            version = EasyValue.TLSVersion.range(from: version, to: maximum.curlValue)
        }
        settings.append(.number(names.version, version))
    }

    private mutating func identify(
        _ identity: ClientIdentity,
        _ option: String
    ) throws(InvalidOption) {
        let password: String?
        switch identity {
        case .pemFiles(let certificate, let key, let secret):
            try OptionCheck.readableFile(certificate, "\(option).certificate")
            try OptionCheck.readableFile(key, "\(option).key")
            settings.append(.text(names.certificate, certificate))
            settings.append(.text(names.key, key))
            files.append(TrackedFiles.File(names.certificate, [certificate, key]))
            files.append(TrackedFiles.File(names.key, [key]))
            password = secret
        case .pem(let certificate, let key, let secret):
            try checkPEM(certificate, "\(option).certificate")
            try checkPEM(key, "\(option).key")
            settings.append(.bytes(names.certificateBytes, certificate))
            settings.append(.bytes(names.keyBytes, key))
            password = secret
        case .pkcs12File(let path, let secret):
            try OptionCheck.readableFile(path, option)
            settings.append(.text(names.certificate, path))
            settings.append(.text(names.certificateType, "P12"))
            files.append(TrackedFiles.File(names.certificate, [path]))
            password = secret
        case .pkcs12(let bytes, let secret):
            guard !bytes.isEmpty else {
                throw InvalidOption(option, "is empty; give the content of a PKCS#12 file")
            }
            settings.append(.bytes(names.certificateBytes, bytes))
            settings.append(.text(names.certificateType, "P12"))
            password = secret
        }
        try OptionCheck.text(password ?? "", "\(option).password")
        // Without a password, OpenSSL would prompt on the terminal and block the event loop.
        settings.append(.text(names.keyPassword, password ?? ""))
    }

    private mutating func chooseCiphers(_ tls: TLSConfiguration) throws(InvalidOption) {
        if let ciphers = tls.cipherList {
            try OptionCheck.filledText(ciphers, "\(option).cipherList")
            settings.append(.text(names.cipherList, ciphers))
        }
        if let ciphers = tls.tls13Ciphers {
            try OptionCheck.filledText(ciphers, "\(option).tls13Ciphers")
            settings.append(.text(names.tls13Ciphers, ciphers))
        }
        if let curves = tls.curves {
            try OptionCheck.filledText(curves, "\(option).curves")
            guard let name = names.curves else {
                throw InvalidOption("\(option).curves", "can't be set for a proxy; use nil")
            }
            settings.append(.text(name, curves))
        }
    }

    private func checkPEM(_ bytes: [UInt8], _ option: String) throws(InvalidOption) {
        guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ") else {
            throw InvalidOption(
                option,
                "has nothing in PEM form: there is no line “-----BEGIN …”"
            )
        }
    }
}

extension TLSVersion {
    fileprivate var curlValue: Int {
        switch self {
        case .v1_0: EasyValue.TLSVersion.v1_0
        case .v1_1: EasyValue.TLSVersion.v1_1
        case .v1_2: EasyValue.TLSVersion.v1_2
        case .v1_3: EasyValue.TLSVersion.v1_3
        }
    }
}
