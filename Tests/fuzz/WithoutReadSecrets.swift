/// Replaces the locked list: no request runs here.
final class ReadSecrets: Sendable {
    var forms: SecretForms { SecretForms() }

    func add(_ text: String, from origin: String, shownAs shown: String) -> Secrets.Use { Secrets.Use() }
}
