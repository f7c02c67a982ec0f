import RxLinux
import Testing

struct ServiceCredentialsTests {
    private static var unit: ServiceCredentials {
        var credentials = ServiceCredentials()
        credentials.loaded = [
            ServiceCredentials.Loaded("file", from: "/etc/file"),
            ServiceCredentials.Loaded("gone", from: "/etc/gone"),
            ServiceCredentials.Loaded("default", from: "/etc/gone"),
            ServiceCredentials.Loaded("tree", from: "/etc/tree"),
            ServiceCredentials.Loaded("tree_a", from: "/etc/other"),
            ServiceCredentials.Loaded("stored", from: "stored"),
            ServiceCredentials.Loaded("sealed", from: "sealed", isEncrypted: true),
            ServiceCredentials.Loaded("unsealed", from: "sealed"),
            ServiceCredentials.Loaded("lost", from: "lost", isEncrypted: true),
        ]
        (credentials.set, credentials.imported) = (["text", "default"], ["app.*", "one"])
        return credentials
    }

    private static let files: Set<String> = [
        "/etc/file", "/etc/tree", "/etc/tree/a_b", "/etc/other/c", "/usr/lib/credstore/stored",
        "/etc/credstore.encrypted/sealed",
    ]

    @Test(
        arguments: [
            ("file", .passed), ("text", .passed), ("gone", .missing("/etc/gone")), ("other", .unnamed),
            // A set value is used if the file does not exist.
            ("default", .passed),
            // The files of a directory have its name before theirs.
            ("tree_a_b", .passed), ("tree_c", .missing("/etc/tree/c")), ("file_x", .missing("/etc/file/x")),
            ("tree_a_c", .passed), ("tree_a_d", .missing("/etc/tree/a_d")),
            ("stored", .passed), ("sealed", .passed), ("unsealed", .missing("sealed")),
            ("lost", .missing("lost", isEncrypted: true)),
            ("app.token", .passed), ("one", .passed), ("one.two", .unnamed), ("app", .unnamed),
        ] as [(String, ServiceCredentials.Passing)])
    func credentialReachesServiceIfUnitPassesIt(name: String, passing: ServiceCredentials.Passing) {
        #expect(Self.unit.passing(of: name) { !Self.files.contains($0) } == passing)
    }
}
