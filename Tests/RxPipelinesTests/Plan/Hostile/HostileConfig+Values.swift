extension HostileConfig {
    /// Configurations with extreme numbers and durations.
    static let values: [HostileConfig] = [
        .init(
            "intervalZero", "sources: { a: { interval: 0s } }\n", .pipeline,
            gives: "1:27: the period of an interval must be longer than 0, such as 10s"),
        .init(
            "intervalNegative", "sources: { a: { interval: -1s } }\n", .pipeline,
            gives: "1:27: '-1s' is not a duration: it cannot be negative; write for example 10s, 1min 30s or 250ms"),
        .init(
            "intervalNan", "sources: { a: { interval: nan } }\n", .pipeline,
            gives:
                "1:27: 'nan' is not a duration: a number must stand before 'nan'; write for example 10s, 1min 30s or"
        ),
        .init(
            "intervalInfinity", "sources: { a: { interval: infinity } }\n", .pipeline,
            gives: "1:27: 'infinity' is not a duration: it must end; write for example 10s, 1min 30s or 250ms"),
        .init(
            "intervalInfinite", "sources: { a: { interval: .inf } }\n", .pipeline,
            gives:
                "1:27: '.inf' is not a duration: a digit must follow the point; write for example 10s, 1min 30s or 25"
        ),
        .init(
            "intervalOverflow", "sources: { a: { interval: 99999999999999999999s } }\n", .pipeline,
            gives:
                "1:27: '99999999999999999999s' is not a duration: it is too long; write for example 10s, 1min 30s or"
        ),
        .init(
            "intervalExponent", "sources: { a: { interval: 1e400s } }\n", .pipeline,
            gives: "1:27: '1e400s' is not a duration: 'e' is not a unit; write for example 10s, 1min 30s or 250ms"),
        .init(
            "intervalFraction", "sources: { a: { interval: 0.0000000001s } }\n", .pipeline,
            gives: "1:27: the period of an interval must be longer than 0, such as 10s"),
        .init("intervalNoUnit", "sources: { a: { interval: 10 } }\n", .pipeline, gives: nil),
        .init(
            "intervalWrongUnit", "sources: { a: { interval: 1 parsec } }\n", .pipeline,
            gives:
                "1:27: '1 parsec' is not a duration: 'parsec' is not a unit; write for example 10s, 1min 30s or 250ms"),
        .init(
            "intervalHex", "sources: { a: { interval: 0x10s } }\n", .pipeline,
            gives: "1:27: '0x10s' is not a duration: 'x' is not a unit; write for example 10s, 1min 30s or 250ms"),
        .init(
            "intervalEmptyText", "sources: { a: { interval: \"\" } }\n", .pipeline,
            gives: "1:27: '' is not a duration: it is empty; write for example 10s, 1min 30s or 250ms"),
        .init(
            "intervalList", "sources: { a: { interval: [1s] } }\n", .pipeline,
            gives: "1:27: expected a duration such as 10s, 1min 30s or 250ms, found a list"),
        .init(
            "intervalMap", "sources: { a: { interval: { every: [] } } }\n", .pipeline,
            gives: "1:36: expected a duration such as 10s, 1min 30s or 250ms, found an empty list"),
        .init(
            "intervalNull", "sources: { a: { interval: ~ } }\n", .pipeline,
            gives:
                "1:27: interval needs a mapping of every, delay, jitter, align, inFlight; found nothing; write { every: 10s }"
        ),
        .init("intervalManyParts", "sources: { a: { interval: ", .times("1s ", 50_000), "} }\n", .pipeline, gives: nil),
        .init("intervalThousandYears", "sources: { a: { interval: 1000y } }\n", .pipeline, gives: nil),
        .init(
            "intervalSexagesimal", "sources: { a: { interval: 1:30 } }\n", .pipeline,
            gives: "1:27: '1:30' is not a duration: ':' is not a unit; write for example 10s, 1min 30s or 250ms"),
        .init(
            "intervalUnderscore", "sources: { a: { interval: 1_0s } }\n", .pipeline,
            gives: "1:27: '1_0s' is not a duration: '_' is not a unit; write for example 10s, 1min 30s or 250ms"),
        .init(
            "intervalBool", "sources: { a: { interval: yes } }\n", .pipeline,
            gives:
                "1:27: 'yes' is not a duration: a number must stand before 'yes'; write for example 10s, 1min 30s or"
        ),
        .init(
            "intervalArabicDigits", "sources: { a: { interval: \"١s\" } }\n", .pipeline,
            gives:
                "1:27: '١s' is not a duration: a number must stand before '١s'; write for example 10s, 1min 30s or 25"
        ),
        .init(
            "intervalFullwidth", "sources: { a: { interval: \"１s\" } }\n", .pipeline,
            gives:
                "1:27: '１s' is not a duration: a number must stand before '１s'; write for example 10s, 1min 30s or 25"
        ),
        .init(
            "replayNegative", .source, "pipelines: { p: { from: a, share: { replay: -1 } } }\n",
            gives: "2:45: expected a whole number from 0 to 1000000, found '-1'"),
        .init(
            "replayHuge", .source, "pipelines: { p: { from: a, share: { replay: 1e30 } } }\n",
            gives: "2:45: expected a whole number from 0 to 1000000, found '1e30'"),
        .init(
            "replayFraction", .source, "pipelines: { p: { from: a, share: { replay: 1.5 } } }\n",
            gives: "2:45: expected a whole number from 0 to 1000000, found '1.5'"),
        .init(
            "replayText", .source, "pipelines: { p: { from: a, share: { replay: many } } }\n",
            gives: "2:45: expected a whole number from 0 to 1000000, found 'many'"),
        .init(
            "replayOverflow", .source, "pipelines: { p: { from: a, share: { replay: 18446744073709551616 } } }\n",
            gives: "2:45: expected a whole number from 0 to 1000000, found '18446744073709551616'"),
        .init(
            "replayList", .source, "pipelines: { p: { from: a, share: { replay: [1] } } }\n",
            gives: "2:45: expected a whole number from 0 to 1000000, found a list"),
        .init(
            "replayOctal", .source, "pipelines: { p: { from: a, share: { replay: 0o17 } } }\n",
            gives: "2:45: expected a whole number from 0 to 1000000, found '0o17'"),
        .init(
            "replayNan", .source, "pipelines: { p: { from: a, share: { replay: .nan } } }\n",
            gives: "2:45: expected a whole number from 0 to 1000000, found '.nan'"),
        .init(
            "takeHuge", .source, "pipelines: { p: { from: a, steps: [take: 99999999999999999999] } }\n",
            gives: "2:42: expected a whole number from 0 to 1000000, found '99999999999999999999'"),
        .init(
            "bufferHuge", .source, "pipelines: { p: { from: a, steps: [buffer: { count: 9223372036854775807 }] } }\n",
            gives: "2:53: expected a whole number from 1 to 100000, found '9223372036854775807'"),
        .init(
            "statusRange",
            "sources: { a: { http: { url: \"http://h/\", every: 1s, expect: { status: [500-200] } } } }\n", .pipeline,
            gives: "1:72: a status is a number from 100 on, or two with a '-' between them, such as 200-399"),
        .init(
            "statusHuge",
            "sources: { a: { http: { url: \"http://h/\", every: 1s, expect: { status: [99999999999] } } } }\n",
            .pipeline, gives: "1:72: a status is a number from 100 on, or two with a '-' between them, such as 20"),
        .init(
            "bodyHuge", "sources: { a: { http: { url: \"http://h/\", every: 1s, maxBody: 99999999TiB } } }\n",
            .pipeline, gives: "1:63: expected a size from 1 byte to 64MiB such as 64KiB or 1MiB, found '99999999T"),
        .init(
            "bodyZero", "sources: { a: { http: { url: \"http://h/\", every: 1s, maxBody: 0 } } }\n", .pipeline,
            gives: "1:63: expected a size from 1 byte to 64MiB such as 64KiB or 1MiB, found '0'"),
    ]
}
