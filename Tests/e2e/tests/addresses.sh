# A server that has moved to another address is polled there: after a minute, or after five while the server at the old address
# keeps the connection, whatever certificate it has there. A library advances the monotonic clock of the daemon by the seconds
# that a file contains.
. "${0%/*}/../lib.sh"

# The compiler is that of the Swift toolchain. Timers that are set to a time of the clock are set to one of the kernel's.
clang -shared -fPIC -O1 -x c -o "$SCRATCH/later.so" - <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static long later(void) {
    int file = open("/var/lib/later", O_RDONLY | O_CLOEXEC);
    char text[32];
    ssize_t count = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    return count > 0 ? (text[count] = 0, atol(text)) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, time);
    if (status == 0 && (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE))
        time->tv_sec += later();
    return status;
}

static unsigned char monotonic[4096];

int timerfd_create(int clock, int flags) {
    static int (*real)(int, int);
    if (!real) real = (int (*)(int, int))dlsym(RTLD_NEXT, "timerfd_create");
    int file = real(clock, flags);
    if (file >= 0 && file < (int)sizeof monotonic) monotonic[file] = clock == CLOCK_MONOTONIC;
    return file;
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
    static int (*real)(int, int, const struct itimerspec *, struct itimerspec *);
    if (!real)
        real = (int (*)(int, int, const struct itimerspec *, struct itimerspec *))dlsym(RTLD_NEXT, "timerfd_settime");
    struct itimerspec time = *new;
    if (flags & TFD_TIMER_ABSTIME && file >= 0 && file < (int)sizeof monotonic && monotonic[file] && time.it_value.tv_sec) {
        time.it_value.tv_sec -= later();
        if (time.it_value.tv_sec < 1) time.it_value.tv_sec = 1;
    }
    return real(file, flags, &time, old);
}
C

install_package
box systemctl stop rxwatchd
box sh -c 'cat >/usr/lib/later.so' <"$SCRATCH/later.so"
drop_in later <<<$'[Service]\nEnvironment=LD_PRELOAD=/usr/lib/later.so'
# The new server has a new certificate. Both are certificates of an authority that is trusted.
for server in first second; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$SCRATCH/$server.key" \
        -out "$SCRATCH/$server.crt" -days 9 -subj "/CN=$server" -addext subjectAltName=DNS:secure.test 2>/dev/null
    for file in "$server.key" "$server.crt"; do put "/srv/tls/$file" <"$SCRATCH/$file"; done
    address=127.0.0.$((${#server} - 3)) # 2 and 3
    put "/etc/nginx/conf.d/$server.conf" <<NGINX
server {
    listen $address:8080;
    listen $address:8443 ssl;
    ssl_certificate /srv/tls/$server.crt;
    ssl_certificate_key /srv/tls/$server.key;
    keepalive_timeout 1h;
    keepalive_requests 1000000;
    default_type text/plain;
    location / { return 200 $server; }
    location /closed { keepalive_timeout 0; return 200 $server; }
}
NGINX
done
box sh -c 'cat /srv/tls/*.crt >/srv/tls/all && chmod -R a+rX /srv/tls'
box systemctl restart nginx
# at ADDRESS: the address of all names.
at() { printf '127.0.0.1 localhost\n%s kept.test closed.test secure.test\n' "$1" | put /etc/hosts; }
at 127.0.0.2
put "$SHIPPED" <<'YAML'
daemon: { drain: 1s, resources: 1h }
sources:
  from-kept: { http: { url: "http://kept.test:8080/", every: 200ms } }
  from-closed: { http: { url: "http://closed.test:8080/closed", every: 200ms } }
  from-secure: { http: { url: "https://secure.test:8443/", every: 200ms, ca: /srv/tls/all } }
pipelines:
  kept: { from: from-kept, steps: [filter: .ok], to: [journal: "{{.body}}"] }
  closed: { from: from-closed, steps: [filter: .ok], to: [journal: "{{.body}}"] }
  secure: { from: from-secure, steps: [filter: .ok], to: [journal: "{{.body}} {{.certificate.subject}}"] }
YAML
box systemctl start rxwatchd
pid=$(show MainPID)
box grep later.so "/proc/$pid/maps" >/dev/null
# answers PIPELINE TEXT: waits for a new event, which is only this text.
answers() {
    from_now
    eventually 10 some true RX_KIND=event RX_PIPELINE="$1"
    every ".MESSAGE | test(\"$2\")" RX_KIND=event RX_PIPELINE="$1"
}
# moved PIPELINE TEXT: waits for an event with this text.
moved() { eventually 10 some ".MESSAGE | test(\"$2\")" RX_KIND=event RX_PIPELINE="$1"; }
# later SECONDS: advances the clock, from this time on.
later() {
    put /var/lib/later.new <<<"$1"
    box mv /var/lib/later.new /var/lib/later
}
for pipeline in kept closed; do answers "$pipeline" '^first$'; done
answers secure '^first .*first'

at 127.0.0.3
for pipeline in kept closed secure; do answers "$pipeline" ^first; done
later 61
from_now
moved closed '^second$'
for pipeline in kept secure; do answers "$pipeline" ^first; done
# Not at once: libcurl closes a connection that was not used for two minutes, too.
for seconds in 150 230; do
    later "$seconds"
    for pipeline in kept secure; do answers "$pipeline" ^first; done
done
later 302
from_now
moved kept '^second$'
moved secure '^second .*second'
for pipeline in kept closed secure; do answers "$pipeline" ^second; done
equal "$(show MainPID) $(show ActiveState) $(show NRestarts)" "$pid active 0"
box systemctl stop rxwatchd
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
