extension HostileConfig {
    /// Configurations with hostile expressions, templates and references.
    static let expressions: [HostileConfig] = [
        .init(
            "expressionEmpty", .source, "pipelines: { p: { from: a, steps: [map: \"\"] } }\n",
            gives: "2:42: an expression is missing; '.' stands for the value itself"),
        .init(
            "expressionOpen", .source, "pipelines: { p: { from: a, steps: [map: \"(((\"] } }\n",
            gives: "2:45: the expression ends too early; a ')' is missing"),
        .init(
            "expressionDeep", .source, "pipelines: { p: { from: a, steps: [map: \"", .times("[", 20_000),
            .times("]", 20_000), "\"] } }",
            gives: "2:42: this has more than 16 KiB of jq, which takes too long to compile; do it in several steps"),
        .init(
            "expressionPipes", .source, "pipelines: { p: { from: a, steps: [map: \"", .times(".|", 20_000), ".\"] } }",
            gives: "2:42: this has more than 16 KiB of jq, which takes too long to compile; do it in several steps"),
        .init(
            "expressionNul", .source, "pipelines: { p: { from: a, steps: [map: \".a\\0\"] } }\n",
            gives: "2:44: an expression cannot hold the character NUL"),
        .init(
            "expressionImport", .source,
            "pipelines: { p: { from: a, steps: [map: 'import \"/etc/passwd\" as $x; $x'] } }\n",
            gives: "2:42: unexpected 'import' in the jq expression"),
        .init(
            "expressionList", .source, "pipelines: { p: { from: a, steps: [map: [.]] } }\n",
            gives: "2:41: expected a jq expression such as '.status >= 500', found a list"),
        .init(
            "templateOpen", .source, "pipelines: { p: { from: a, to: [journal: \"{{.\"] } }\n",
            gives: "2:43: this '{{' has no '}}'"),
        .init(
            "templateMany", .source, "pipelines: { p: { from: a, to: [journal: \"", .times("{{.}}", 20_000), "\"] } }",
            gives: "2:45: this has more than 16 KiB of jq, which takes too long to compile; do it in several steps"),
        .init(
            "templateNested", .source, "pipelines: { p: { from: a, to: [journal: \"{{ {{.}} }}\"] } }\n",
            gives: "2:47: unexpected '{' in the jq expression"),
        .init(
            "variableOpen", "sources: { a: { interval: \"${A\" } }\n", .pipeline,
            gives: "1:28: this '${' has no '}'; if it is not a reference, write $${"),
        .init(
            "variableUnset", "sources: { a: { interval: \"${NOPE}\" } }\n", .pipeline,
            gives:
                "1:28: the environment variable 'NOPE' is not set; set it with Environment=NOPE=VALUE in the"
        ),
        .init(
            "variableNested", "sources: { a: { interval: \"${A:-${A:-${A}}}\" } }\n", .pipeline,
            gives:
                "1:27: 'x' is not a duration: a number must stand before 'x'; write for example 10s, 1min 30s or 25"),
        .init(
            "variableMessage", "sources: { a: { interval: \"${NOPE:?say so}\" } }\n", .pipeline,
            gives: "1:28: NOPE: say so"),
        .init(
            "variableName", "sources: { a: { interval: \"${A B}\" } }\n", .pipeline,
            gives:
                "1:28: '${A B}' is not one of ${NAME}, ${NAME:-default}, ${NAME:?message} or ${credential:NAME}; if"
        ),
        .init(
            "credentialUnknown", "sources: { a: { interval: \"${credential:nope}\" } }\n", .pipeline,
            gives:
                "1:28: there is no credential 'nope': $CREDENTIALS_DIRECTORY is not set; hand it to the service with"
        ),
        .init(
            "credentialPath", "sources: { a: { interval: \"${credential:../../etc/passwd}\" } }\n", .pipeline,
            gives: "1:28: '../../etc/passwd' is not the name of a credential, such as api-token"),
        .init(
            "variableInKey", "sources: { \"${A}\": { interval: 1s } }\npipelines: { p: { from: x } }\n",
            gives: "1:12: '${A}' is not a valid name: use letters, digits, '-', '_' and '.', as in api-down"),
    ]
}
