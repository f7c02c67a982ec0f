import RxControl
import RxDiagnostics
import RxJSON
import RxYAML

/// `rxwatchctl show`: prints the merged configuration, with variables replaced, and where each part comes from.
package enum ConfigShow {
    /// Prints the configuration at `path`, or its errors on standard error.
    ///
    /// - Returns: the exit code.
    package static func run(_ path: String, asJSON: Bool) -> Int32 {
        let answer = answer(path)
        return answer.print(asJSON: asJSON)
    }

    /// The configuration as text, and in the details as JSON with the location of each part. Credentials are hidden.
    static func answer(_ path: String, _ substitution: Substitution = .ofProcess(isCheck: true)) -> ControlAnswer {
        do {
            let config = try LoadedConfig(path, substitution, for: .show)
            let root = config.root.hidingSecrets(config.secrets)
            var origins: [(String, JSON)] = []
            let text = root.text { keys, pair in
                guard keys.count == 2 else { return nil }
                origins.append((keys.joined(separator: "."), .string("\(pair.keyLocation)")))
                return "\(pair.keyLocation)"
            }
            return ControlAnswer(
                text,
                details: [
                    "files": .array(config.files.map(JSON.string)), "config": root.json(Report()) ?? .null,
                    "origins": .object(JSON.Object(uniqueKeysWithValues: origins)),
                ])
        } catch {
            return ControlAnswer(badConfig: error)
        }
    }
}

extension YAMLNode {
    /// This node with the names of credentials in place of their values.
    fileprivate func hidingSecrets(_ secrets: Secrets) -> YAMLNode {
        var node = self
        switch value {
        case .scalar(var scalar):
            let text = secrets.redacted(scalar.text.text)
            if scalar.isSecret || text != scalar.text.text {
                scalar = Scalar(LocatedText(text, at: location), isPlain: false)
            }
            node.value = .scalar(scalar)
        case .sequence(let nodes): node.value = .sequence(nodes.map { $0.hidingSecrets(secrets) })
        case .mapping(let pairs):
            node.value = .mapping(pairs.map { Pair($0.key, at: $0.keyLocation, $0.value.hidingSecrets(secrets)) })
        }
        return node
    }
}
