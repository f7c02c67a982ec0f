# Everything that has a limit on its memory is full at once: unsettled values, replays, watched files, responses, the output of
# commands, records, and lines for clients that do not read. The daemon stays below the sum in docs/isolation.md, and goes on.
. "${0%/*}/../lib.sh"

install_package
show_memory_limit
box systemctl stop rxwatchd
# The state is on a disk, as on a host: in the box, files are in memory, and that counts for the service.
truncate -s 1G "$SCRATCH/disk" && mkfs.ext4 -q "$SCRATCH/disk"
loop=$(losetup --find --show "$SCRATCH/disk")
mounted=0
# shellcheck disable=SC2016 # the box's shell expands these
box sh -ec 'test -e "$1" || mknod "$1" b 7 "${1#/dev/loop}"
    mount "$1" /var/lib/private && chmod 700 /var/lib/private' sh "$loop" || mounted=$?
losetup --detach "$loop" # with the last mount
equal "$mounted" 0
# A tree with more files than fit, to be moved to a watched directory.
# shellcheck disable=SC2016 # perl expands these
box sh -ec 'mkdir -p /srv/texts /srv/all && mount -t tmpfs -o mode=755 tmpfs /srv/all && mkdir -p /srv/all/many
    head -c 250000 /dev/zero | tr "\0" x >/srv/texts/text
    head -c 1000000 /dev/zero | tr "\0" x >/srv/texts/longer
    head -c 30000000 /dev/zero | tr "\0" x >/srv/texts/large
    exec perl -e '\''for my $folder (map "/srv/all/tree/$_", "", 1 .. 8) { mkdir $folder or die "mkdir: $!" }
        for my $name (1 .. 120000) { open my $file, ">", "/srv/all/tree/" . ($name % 8 + 1) . "/$name" . "x" x 190 or die "open: $!" }'\'
put /etc/nginx/conf.d/texts.conf <<'NGINX'
server { listen 127.0.0.1:8080; root /srv/texts; default_type text/plain; access_log off; }
NGINX
box systemctl restart nginx
# A server that does not answer a POST, and sends nearly all of a body of 60 MiB for a GET.
# shellcheck disable=SC2016 # perl expands these
box perl -MSocket -e 'socket(my $server, AF_INET, SOCK_STREAM, 0) or die "socket: $!";
    bind($server, sockaddr_in(8081, INADDR_LOOPBACK)) or die "bind: $!"; listen($server, 64) or die "listen: $!";
    $| = 1; print "listening\n"; my $text = "x" x (59 << 20);
    while (accept(my $client, $server)) {
        next if fork;
        sysread $client, my $request, 4096;
        sleep if $request =~ /^POST/;
        print $client "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ", 60 << 20, "\r\n\r\n", $text;
        $client->flush; print "sent\n"; sleep }' </dev/null >"$SCRATCH/server" &
eventually 10 grep -q listening "$SCRATCH/server"
{
    cat <<'YAML'
daemon: { drain: 1s, resources: 1h, page: "127.0.0.1:9476" }
sources:
  tick: { interval: 100ms }
  slow: { interval: 250ms }
  stall: { interval: 1h }
  print: { interval: 1h }
  log: { interval: 1h }
  many: { files: { paths: /srv/all/many, recursive: true, events: [moved] } }
  texts: { http: { url: "http://127.0.0.1:8080/longer", every: 100ms, delay: 3s } }
  large: { http: { url: "http://127.0.0.1:8080/large", every: 1h, maxBody: 64MiB } }
YAML
    for number in {1..36}; do echo "  held-$number: { http: { url: 'http://127.0.0.1:8080/text?$number', every: 300ms, delay: 3s } }"; done
    cat <<'YAML'
pipelines:
  beats: { from: tick, steps: [map: .tick], to: [file: /var/lib/rxwatchd/lines] }
  moves: { from: many, to: [journal: "{{.path}}"] }
  remembered: { from: large, steps: [map: '"\(.ok) \(.body | length)"'], to: [journal: "{{.}}"] }
  stalled:
    from: stall
    steps: [flatMap: { http: { url: "http://127.0.0.1:8081/", timeout: 1h, maxBody: 64MiB } }]
    to: [journal: "{{.ok}} {{.error.message}}"]
  printed:
    from: print
    steps: [flatMap: { command: { run: [sh, -c, 'head -c 1000000 /dev/zero | tr "\0" x; exec sleep 2000'], timeout: 1h } }]
    to: [stdout]
  replay: { from: texts, share: { replay: 1000 }, steps: [map: .body] }
  replayed: { from: replay, steps: [filter: 'false'], to: [stdout] }
  zipped: { zip: [texts, log], to: [stdout] }
  ranged: { from: slow, steps: [map: '[range(1e9)]'], to: [stdout] }
  repeated: { from: slow, steps: [map: '[repeat("x" * 1000000)]'], to: [stdout] }
YAML
    # A sink writes its next record when it has the outcome of the one before.
    long=$(printf '{{.x}}%.0s' {1..900})
    echo '  logged: { from: log, steps: [map: "{x: (\"x\" * 1000)}"], to: ['
    for number in {1..60}; do echo "    journal: { message: logged, fields: { LONG: '$long' } },"; done
    echo '  ] }'
    for number in {1..12}; do echo "  run-$number: { from: held-$number, to: [command: { run: [sleep, '1000'] }] }"; done
    for number in {13..24}; do
        echo "  sent-$number: { from: held-$number, to: [http: { url: 'http://127.0.0.1:8081/', timeout: 1h }] }"
    done
    for number in {25..36}; do echo "  late-$number: { from: held-$number, steps: [delay: 1h], to: [stdout] }"; done
} | put "$SHIPPED"
box systemctl restart rxwatchd
pid=$(show MainPID)
limit_memory
# The longest time without a new line of the other pipeline.
eventually 10 box test -s /var/lib/rxwatchd/lines
# shellcheck disable=SC2016 # perl expands these
box perl -e 'sub now { open my $file, "<", "/proc/uptime" or die "open: $!"; (split " ", <$file>)[0] }
    my ($last, $size, $longest) = (now(), 0, 0);
    until (-e "/srv/stop") {
        my ($now, $new) = (now(), -s "/var/lib/rxwatchd/lines");
        $longest = $now - $last if $now - $last > $longest;
        ($last, $size) = ($now, $new) if $new != $size;
        select undef, undef, undef, 0.02 }
    printf "%d\n", $longest * 1000' </dev/null >"$SCRATCH/longest" &
watcher=$!
# fire SOURCE COUNT: lets the source emit so many events.
fire() { box sh -c 'for number in $(seq "$2"); do rxwatchctl fire "$1" >/dev/null || exit 1; done' sh "$@"; }

# Responses that polls remember, then unsettled values, and what pipelines remember.
eventually 20 some '.MESSAGE == "true 30000000"' RX_KIND=event RX_PIPELINE=remembered
held() { (($(records RX_KIND=source | jq -r 'select(.MESSAGE | test("held-.*memory limit reached")).RX_SOURCE' | sort -u | wc -l) == 36)); }
eventually 20 held
eventually 20 some '.MESSAGE | test("would take .* of memory; the limit is")' RX_KIND=error RX_PIPELINE=zipped
# The trees of files.
box mv /srv/all/tree /srv/all/many/tree
eventually 20 some '.MESSAGE | test("more files than fit into 128 MiB")' RX_SOURCE=many
# A response that is being received: there is no memory for another.
fire stall 1
eventually 10 grep -q sent "$SCRATCH/server"
fire stall 1
eventually 10 some '.MESSAGE | test("false .*there is no memory for the response")' RX_PIPELINE=stalled
# The output of half of the commands that may run at once.
fire print 32
printing() { (($(box pgrep -c -f '^sleep 2000') == 32)); }
eventually 10 printing
# Clients that read nothing of what happens.
# shellcheck disable=SC2016 # perl expands these
box perl -MIO::Socket::UNIX -MIO::Socket::INET -e 'my @all;
    for (1 .. 16) {
        push @all, my $control = IO::Socket::UNIX->new(Peer => "/run/rxwatchd/control") or die "connecting: $!";
        print $control "{\"request\": \"tap\"}\n"; $control->flush;
        push @all, my $page = IO::Socket::INET->new("127.0.0.1:9476") or die "connecting: $!";
        print $page "GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"; $page->flush }
    sleep' </dev/null &
# Records that journald does not take.
box systemctl kill --signal=STOP systemd-journald
fire log 1
dropped() { (($(box rxwatchctl status --json | jq .details.dropped) > 0)); }
eventually 15 dropped
box systemctl kill --signal=CONT systemd-journald

lines=$(box cat /var/lib/rxwatchd/lines | wc -l)
further() { (($(box cat /var/lib/rxwatchd/lines | wc -l) > lines + 20)); }
eventually 10 further
box touch /srv/stop
wait "$watcher"
equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"
peak=$(($(box sed -n 's/VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status") >> 10))
echo "figure: the daemon took up to $peak MiB; its other pipeline paused for up to $(<"$SCRATCH/longest") ms"
((peak < 512)) || fail "the daemon took $peak MiB"
# The watchdog would end a daemon that does nothing for as long.
(($(<"$SCRATCH/longest") < 10000)) || fail "no line for $(<"$SCRATCH/longest") ms"
box systemctl stop rxwatchd
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
