import RxDiagnostics
import Testing

@testable import rxwatchd

struct HiddenSecretsTests {
    private func secrets(_ secret: String?, _ name: String = "token") -> Secrets {
        var secrets = Secrets()
        if let secret { secrets.insert(secret, named: name) }
        return secrets
    }

    /// However many configurations are read meanwhile, and whether or not they run.
    @Test func credentialIsHiddenWhileHeld() {
        let hidden = HiddenSecrets()
        var running: Secrets? = secrets("hunter2")
        running.map(hidden.hide)
        for _ in 0..<5 { hidden.hide(secrets(nil)) }
        #expect(hidden.hidden(in: "a hunter2") == "a ${credential:token}")
        // A configuration that has just been read may be about to run.
        hidden.hide(secrets("letmein", "door"))
        #expect(hidden.hidden(in: "letmein hunter2") == "${credential:door} ${credential:token}")
        running = nil
        hidden.hide(secrets(nil))
        #expect(hidden.hidden(in: "letmein hunter2") == "letmein hunter2")
        withExtendedLifetime(running) {}
    }

    @Test func rotatedCredentialIsHidden() {
        let hidden = HiddenSecrets()
        let old = secrets("hunter22")
        hidden.hide(old)
        hidden.hide(secrets("hunter2"))
        #expect(hidden.hidden(in: "hunter22") == "${credential:token}")
        withExtendedLifetime(old) {}
    }

    /// Those that a running configuration reads for its requests are hidden in everything that the daemon writes.
    @Test func readSecretIsHiddenWhileItsConfigRuns() {
        let hidden = HiddenSecrets()
        var running: Secrets? = Secrets()
        running?.mayGrow = true
        running.map(hidden.hide)
        _ = running?.add("s3cret", from: "/t", shownAs: "<content of /t>")
        #expect(hidden.hidden(in: "a s3cret") == "a <content of /t>")
        for _ in 0..<3 { hidden.hide(secrets(nil)) }
        #expect(hidden.hidden(in: "a s3cret") == "a <content of /t>")
        running = nil
        hidden.hide(secrets(nil))
        #expect(hidden.hidden(in: "a s3cret") == "a s3cret")
        withExtendedLifetime(running) {}
    }
}
