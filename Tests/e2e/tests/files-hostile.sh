# Hostile files: a saved snapshot of watched files that is a pipe or forged, a tree deeper than PATH_MAX, names that are not
# UTF-8, directories that are replaced while the daemon is not running, and files that are created while a reload edits
# their source.
. "${0%/*}/../lib.sh"

install_package
box mkdir -p /srv/watched/replaced/old /srv/deep /srv/many
box touch /srv/watched/replaced/old/one /srv/watched/replaced/two
state=/var/lib/rxwatchd
# files SETTLE: prints the configuration; the time edits the source of `many`.
files() {
    cat <<YAML
daemon: { drain: 1s }
sources:
  watched: { files: { paths: [/srv/watched], recursive: true, events: [created, removed] } }
  replaced: { files: { paths: [/srv/watched/replaced], events: [created, removed] } }
  deep: { files: { paths: [/srv/deep], recursive: true, events: [created] } }
  many: { files: { paths: [/srv/many], events: [created], settle: $1 } }
pipelines:
  changes: { from: watched, to: [journal: "{{.kind}} {{.path}}"] }
  replacements: { from: replaced, to: [journal: "{{.kind}} {{.path}}"] }
  depths: { from: deep, steps: [map: '{name: (.path | split("/")[-1]), length: (.path | utf8bytelength)}'], to: [journal: "{{.name}} {{.length}}"] }
  names:
    from: watched
    steps: [filter: '.path | contains("/bytes-")', map: '{name: (.path | split("/")[-1])}']
    to:
      - command: { run: [sh, -c, 'printf "%s\n" "\$1" >>$state/arguments', sh, "{{.name}}"] }
      - file: { path: "$state/{{.name}}", format: "{{.name}}" }
  creations: { from: many, to: [file: { path: $state/creations, format: "{{.path}}" }] }
YAML
}
files 0s | put "$SHIPPED"
box systemctl restart rxwatchd

# ---- the state directory

# starts NAME: starts the daemon, which must take the usual time, report a change, and stop in order.
starts() {
    from_now
    box systemctl reset-failed rxwatchd
    box timeout 5 systemctl start rxwatchd || fail "$1: it does not start"
    box touch "/srv/watched/$1"
    eventually 10 some ".MESSAGE == \"created /srv/watched/$1\"" RX_KIND=event RX_PIPELINE=changes
    box systemctl stop rxwatchd
    equal "$(show Result) $(show ExecMainStatus) $(show NRestarts)" 'success 0 0' "$1"
    eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped
}
box systemctl stop rxwatchd
for forgery in pipe random sparse large directory; do
    box rm -rf $state/files.table $state/files.table.damaged
    case $forgery in
        pipe) box mkfifo $state/files.table ;;
        random) box sh -c "head -c 1000000 /dev/urandom >$state/files.table" ;;
        sparse) box truncate -s 1T $state/files.table ;;
        # The beginning of a table that has half a gigabyte, which is a hole.
        large)
            box perl -e 'print pack "a8L<L<Q<Q<Q<", "rxfiles", 3, 0, 4096, 1 << 29, 1' | put $state/files.table
            box truncate -s 1T $state/files.table
            ;;
        directory) box mkdir $state/files.table ;;
    esac
    box chown --reference=$state/ $state/files.table
    starts "$forgery"
    some '.MESSAGE | test("snapshot of watched files is damaged")' PRIORITY=4 || fail "$forgery: no record"
done
# All files are pipes.
box sh -c "for file in $state/*; do rm -rf \$file; mkfifo \$file; chown --reference=$state/ \$file; done"
starts pipes
box sh -c "rm -f $state/*"
box systemctl start rxwatchd

# ---- long paths

# deepest COMMAND: runs Perl code in a directory below 25 directories with names of 200 bytes; PATH_MAX is 4096.
# shellcheck disable=SC2016 # perl expands these
deepest() {
    box perl -e 'chdir "/srv/deep" or die "chdir: $!"; my $name = "d" x 200;
        for (1..25) { -d $name or mkdir $name or die "mkdir: $!"; chdir $name or die "chdir: $!" }
        eval $ARGV[0] or die "$ARGV[0]: $! $@"' "$1"
}
prefix=$((9 + 25 * 201))
deepest 'mkdir "last"'
eventually 10 some ".MESSAGE == \"last $((prefix + 5))\"" RX_KIND=event RX_PIPELINE=depths
deepest 'open my $file, ">", "last/bottom"'
eventually 10 some ".MESSAGE == \"bottom $((prefix + 12))\"" RX_KIND=event RX_PIPELINE=depths

# ---- names that are not UTF-8

name=$'bytes-\xff-\xc3-\xed\xa0\x80'
hexadecimal() { od -An -tx1 -v | tr -d ' \n'; }
expected=$(printf '%s\n' "$name" | hexadecimal)
box sh -c 'touch "/srv/watched/$1"' sh "$name"
for file in arguments "$name"; do
    eventually 10 box test -s "$state/$file"
    equal "$(box cat "$state/$file" | hexadecimal)" "$expected" "$file"
done
box sh -c 'rm "/srv/watched/$1"' sh "$name"
removed_too() { [[ $(box cat "$state/arguments" | hexadecimal) == "$expected$expected" ]]; }
eventually 10 removed_too

# ---- a directory that is replaced while the daemon is not running

drop_in slow <<'CONF'
[Service]
ExecStartPre=/bin/sh -c 'while [ -e /srv/hold ]; do :; done'
RestartSec=0
CONF
from_now
box touch /srv/hold
box systemctl kill --signal=KILL rxwatchd
eventually 10 is ActiveState activating
box sh -c 'rm -r /srv/watched/replaced && mkdir -p /srv/watched/replaced/new &&
    touch /srv/watched/replaced/three /srv/watched/replaced/new/four && rm /srv/hold'
eventually 10 is ActiveState active
box touch /srv/watched/replaced/five
for pipeline in changes replacements; do
    for change in 'removed /srv/watched/replaced/two' 'removed /srv/watched/replaced/old' 'created /srv/watched/replaced/three' \
        'created /srv/watched/replaced/new' 'created /srv/watched/replaced/five'; do
        eventually 10 some ".MESSAGE == \"$change\"" RX_KIND=event "RX_PIPELINE=$pipeline"
    done
done
for change in 'removed /srv/watched/replaced/old/one' 'created /srv/watched/replaced/new/four'; do
    eventually 10 some ".MESSAGE == \"$change\"" RX_KIND=event RX_PIPELINE=changes
done
equal "$(show NRestarts)" 1

# ---- files that are created while reloads edit their source

# shellcheck disable=SC2016 # perl expands these
box perl -e 'my $number = 0;
    until (-e "/srv/enough") {
        open my $file, ">", "/srv/many/$number" or die "open: $!";
        $number++;
        select(undef, undef, undef, 0.0005);
    }
    print "$number\n"' >"$SCRATCH/number" &
eventually 10 box test -s "$state/creations"
for round in {1..20}; do
    files "${round}ms" | put "$SHIPPED"
    box systemctl reload rxwatchd
done
equal "$(box rxwatchctl status --json | jq .details.generation)" 21
box touch /srv/enough
wait $!
number=$(<"$SCRATCH/number")
((number > 100)) || fail "only $number files"
created() { box cat "$state/creations" | sed 's,.*/,,'; }
all_created() { (($(created | sort -u | wc -l) == number)); }
eventually 10 all_created
equal "$(created | sort | uniq -d)" '' 'files that were reported twice'
echo "figure: $number files were created during 20 reloads"

box systemctl stop rxwatchd
equal "$(show Result) $(show ExecMainStatus)" 'success 0'
eventually 10 some '.MESSAGE | test("^stopped on SIGTERM: 0 live objects")' RX_PHASE=stopped
