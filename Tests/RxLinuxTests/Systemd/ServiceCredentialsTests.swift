import RxLinux
import Testing

struct ServiceCredentialsTests {
    private static var unit: ServiceCredentials {
        var credentials = ServiceCredentials()
        credentials.loaded = [
            ServiceCredentials.LoadedCredential("file", from: "/etc/file"),
            ServiceCredentials.LoadedCredential("gone", from: "/etc/gone"),
            ServiceCredentials.LoadedCredential("default", from: "/etc/gone"),
            ServiceCredentials.LoadedCredential("tree", from: "/etc/tree"),
            ServiceCredentials.LoadedCredential("tree_a", from: "/etc/other"),
            ServiceCredentials.LoadedCredential("stored", from: "stored"),
            ServiceCredentials.LoadedCredential("sealed", from: "sealed", isEncrypted: true),
            ServiceCredentials.LoadedCredential("unsealed", from: "sealed"),
            ServiceCredentials.LoadedCredential("lost", from: "lost", isEncrypted: true),
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
        ] as [(String, ServiceCredentials.Availability)])
    func credentialReachesServiceIfUnitPassesIt(name: String, passing: ServiceCredentials.Availability) {
        #expect(Self.unit.passing(of: name) { !Self.files.contains($0) } == passing)
    }
}
