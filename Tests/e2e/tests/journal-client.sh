# A local client writes hostile journal entries: the journal source survives them, and passes on those that follow.
. "${0%/*}/../lib.sh"

install_package
box install -D -m 644 -t /etc/systemd/system/rxwatchd.service.d /usr/share/rxwatchd/drop-ins/read-journal.conf
box systemctl daemon-reload
put "$SHIPPED" <<'YAML'
daemon: { resources: 200ms }
sources:
  all: { journal: {} }
  clients: { journal: { match: { SYSLOG_IDENTIFIER: hostile } } }
  tick: { interval: 100ms }
pipelines:
  every: { from: all, steps: [map: '{MESSAGE}'], to: [journal: "one {{.MESSAGE}}"] }
  fields: { from: clients, steps: [map: length], to: [journal: "{{.}} fields"] }
  texts: { from: clients, to: [stdout] }
  beats: { from: tick, steps: [map: .tick], to: [journal: "beat {{.}}"] }
YAML
box systemctl restart rxwatchd
pid=$(show MainPID)
from_now

# send: sends standard input to the journal as one message of its native protocol.
# shellcheck disable=SC2016 # perl expands these
send() {
    box perl -MSocket -e 'local $/; binmode STDIN; my $text = <STDIN>;
        socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die "socket: $!";
        setsockopt($s, SOL_SOCKET, 32, pack("i", 16 << 20)) or die "SO_SNDBUFFORCE: $!";
        send($s, $text, 0, sockaddr_un("/run/systemd/journal/socket")) or die "send: $!"'
}
# fields COUNT: prints an entry with so many fields.
fields() {
    printf 'MESSAGE=fields %s\nSYSLOG_IDENTIFIER=hostile\n' "$1"
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "F%d=%d\n", i, i }'
}
# binary NAME SIZE COMMAND...: prints a field with the first SIZE bytes of the output of a command.
binary() {
    printf '%s\n' "$1"
    perl -e 'print pack("Q<", $ARGV[0])' "$2"
    "${@:3}" 2>/dev/null | head -c "$2" || true
    echo
}
note() { printf 'MESSAGE=%s\nSYSLOG_IDENTIFIER=hostile\n' "$1"; }

# The journal refuses entries with more than 1024 fields.
fields 100000 | send
fields 1000 | send
{ note repeated; awk 'BEGIN { for (i = 0; i < 1000; i++) print "SAME=" i }'; } | send
# More than fits into a message: logger passes it in a memory file.
box sh -c '{ printf "MESSAGE=large\nSYSLOG_IDENTIFIER=hostile\nLARGE="; head -c 10000000 /dev/zero | tr "\0" x; echo; } | logger --journald'
{ note binary && binary BYTES 100000 cat /dev/urandom; } | send
{ note nul && binary MESSAGE 4 cat /dev/zero && binary NESTED 1000 yes '{"a":["'; } | send
{ binary MESSAGE 60000 yes $'\377\376\e]0;x\a\r'; note invalid; } | send
# Not entries.
printf 'MESSAGE\n\377\377\377\377\377\377\377\177x' | send
printf '=\n\n\n=x\n__CURSOR=x\n_PID=1\n' | send
head -c 100000 /dev/urandom | send
for _ in {1..20}; do fields 1000 | send; done
note 'the last one' | send

eventually 20 some '.MESSAGE == "one the last one"' RX_KIND=event RX_PIPELINE=every
eventually 10 some '.MESSAGE | test("^10[0-9][0-9] fields$")' RX_KIND=event RX_PIPELINE=fields
eventually 10 some '.MESSAGE == "one large"' RX_KIND=event RX_PIPELINE=every
from_now
eventually 10 some '.MESSAGE | test("^beat ")' RX_KIND=event RX_PIPELINE=beats
equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"
FROM=
peak=$(records RX_KIND=resources | jq -s '[.[].RX_RSS_KIB // "0" | tonumber] | max')
echo "figure: RX_RSS_KIB at most $peak"
((peak < 256 << 10)) || fail "the daemon used $peak KiB"
box systemctl stop rxwatchd
equal "$(show ExecMainStatus)" 0
