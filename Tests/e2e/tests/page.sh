# The status page of the installed service: on a port, at a unix socket, at the socket of a socket unit, and after a reload.
. "${0%/*}/../lib.sh"

install_package
# get PATH: prints the answer of the server at 127.0.0.1:9476.
# shellcheck disable=SC2016 # the box's shell expands these
get() {
    box bash -c 'exec 3<>/dev/tcp/127.0.0.1/9476
        printf "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" "$1" >&3
        cat <&3' bash "$1"
}
answers() { get "$1" | grep "$2" >/dev/null; }
refused() { ! get /healthz; }

put "$SHIPPED" <<'YAML'
daemon: { page: "127.0.0.1:9476" }
sources: { tick: { interval: 100ms } }
pipelines: { beat: { from: tick, to: [journal: beat] } }
YAML
box systemctl restart rxwatchd
eventually 10 answers /healthz '^ok$'
answers / "default-src 'none'"
answers /metrics '^rxwatchd_running 1'
some '.MESSAGE == "the status page is at 127.0.0.1:9476"' RX_KIND=lifecycle

# A unix socket in the directory of the service, which only its user and root can reach.
put "$SHIPPED" <<'YAML'
daemon: { page: /run/rxwatchd/daemon/page }
sources: { tick: { interval: 100ms } }
pipelines: { beat: { from: tick, to: [journal: beat] } }
YAML
box rxwatchctl plan | grep 'daemon.page: /run/rxwatchd/daemon/page in place of 127.0.0.1:9476' >/dev/null
box systemctl reload rxwatchd
eventually 10 refused
eventually 10 box test -S /run/rxwatchd/daemon/page
box perl -MIO::Socket::UNIX -e '
    my $socket = IO::Socket::UNIX->new("/run/rxwatchd/daemon/page") or die "connecting: $!";
    print $socket "GET /healthz HTTP/1.1\r\nHost: any\r\nConnection: close\r\n\r\n";
    $socket->flush; print while <$socket>;' | grep '^ok$' >/dev/null

# The socket of a socket unit takes its place, and stays open over a restart of the service.
box install -m 644 /usr/share/rxwatchd/drop-ins/rxwatchd-page.socket /etc/systemd/system
box systemctl daemon-reload
box systemctl stop rxwatchd
box systemctl start rxwatchd-page.socket rxwatchd
eventually 10 answers /healthz '^ok$'
# shellcheck disable=SC2016 # the box's shell expands this
box bash -c 'exec 3<>/dev/tcp/127.0.0.1/9476
    printf "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n" >&3
    cat <&3' | grep '^HTTP/1.1 421' >/dev/null
box systemctl kill --signal=KILL rxwatchd
eventually 10 is ActiveState activating
# The connection waits until the daemon is back.
answers / "default-src 'none'"
box systemctl stop rxwatchd-page.socket rxwatchd
eventually 10 is ActiveState inactive
some '.MESSAGE | test("0 live objects, as before the start")' RX_KIND=lifecycle
