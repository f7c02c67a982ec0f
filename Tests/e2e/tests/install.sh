# After the installation the service is ready within a second, the sandbox refuses it nothing, and it writes only its own records.
. "${0%/*}/../lib.sh"

install_package
eventually 10 is ActiveState active
equal "$(box systemctl is-enabled rxwatchd)" enabled
took=$(($(show ActiveEnterTimestampMonotonic) - $(show ExecMainStartTimestampMonotonic)))
((took < 1000000)) || fail "ready only after $took us"
echo "figure: ready after $((took / 1000)) ms, $(box sed -n 's/^VmRSS:[[:space:]]*//p' "/proc/$(show MainPID)/status") resident"
[[ -n $(show StatusText) ]] || fail 'no status line'

eventually 10 some 'true' RX_KIND=resources
equal "$(box systemctl --failed --no-legend)" ''
equal "$(box systemctl is-system-running)" running
# Output of the daemon or a library would have another transport, and a refusal of the sandbox would be a warning.
every '._TRANSPORT == "journal" and .RX_KIND and (.PRIORITY | tonumber) > 4' _SYSTEMD_UNIT=rxwatchd.service
equal "$(box journalctl -q --no-pager -p warning -o cat _SYSTEMD_UNIT=rxwatchd.service)" ''

equal "$(box rxwatchd --version)" "$(box rxwatchctl --version | sed s/rxwatchctl/rxwatchd/)"
box rxwatchctl check
box test -e /usr/share/zsh/vendor-completions/_rxwatchctl -a -e /usr/share/fish/vendor_completions.d/rxwatchctl.fish
box bash -ec '. /usr/share/bash-completion/completions/rxwatchctl; complete -p rxwatchctl' >/dev/null
