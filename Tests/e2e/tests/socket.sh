# Clients of the control socket that send nothing, or a byte a second, delay no other client, and leave nothing open.
. "${0%/*}/../lib.sh"

install_package
config | put "$SHIPPED"
box systemctl restart rxwatchd
pid=$(show MainPID)
descriptors() { box ls "/proc/$pid/fd" | wc -l; }
# Without these clients, with the connections that requests of both kinds need.
box rxwatchctl status >/dev/null
box systemctl reload rxwatchd
before=$(descriptors)
as_before() { (($(descriptors) <= before)); }
eventually 10 as_before

# answers: the three kinds of requests, each within two seconds.
answers() {
    local began took
    for request in 'rxwatchctl status' 'rxwatchctl reload' 'systemctl reload rxwatchd'; do
        began=${EPOCHREALTIME/./}
        # shellcheck disable=SC2086 # words
        box $request >"$SCRATCH/output" || fail "$request: $(<"$SCRATCH/output")"
        took=$((${EPOCHREALTIME/./} - began))
        ((took < 2000000)) || fail "$request took $took us"
    done
}
answers

# clients NUMBER PAUSE: opens so many connections, and sends a byte on each after each pause, until all are closed; 0 sends
# nothing.
# shellcheck disable=SC2016 # perl expands these
clients() {
    rm -f "$SCRATCH/clients"
    box perl -MSocket -e '$SIG{PIPE} = "IGNORE"; $| = 1;
        my ($number, $pause) = @ARGV;
        my @clients = map {
            socket(my $client, AF_UNIX, SOCK_STREAM, 0) or die "socket: $!";
            connect($client, sockaddr_un("/run/rxwatchd/control")) or die "connect: $!";
            $client
        } 1..$number;
        print "$$\n";
        while ($pause && @clients) {
            @clients = grep { defined syswrite($_, "s") } @clients;
            select(undef, undef, undef, $pause);
        }
        print "closed\n" if $pause;
        sleep' "$@" </dev/null >"$SCRATCH/clients" &
    eventually 10 test -s "$SCRATCH/clients"
    client=$(head -n 1 "$SCRATCH/clients")
}

# A further connection than 128 closes the oldest one.
clients 300 0
for _ in {1..5}; do answers; done
opened=$(($(descriptors) - before))
((opened > 100 && opened <= 128)) || fail "$opened connections"
box kill "$client"
eventually 10 as_before

# A request has ten seconds to arrive, however many bytes of it do.
clients 100 1
began=${EPOCHREALTIME/./}
answers
from_now
eventually 10 some true RX_KIND=event
eventually 15 grep -q closed "$SCRATCH/clients"
took=$((${EPOCHREALTIME/./} - began))
((took > 8000000 && took < 13000000)) || fail "they were closed after $took us"
as_before || fail "$(descriptors) descriptors, $before before"
answers
box kill "$client"

equal "$(show MainPID) $(show NRestarts)" "$pid 0"
box systemctl stop rxwatchd
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped
