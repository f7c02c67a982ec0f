# A configuration with errors is reported with file, line and column; the daemon exits with 78 and is not restarted.
. "${0%/*}/../lib.sh"

install_package
config | sed 's/every/evry/' | put "$SHIPPED"
where="$SHIPPED:3:23: "

refuses 1 box systemctl restart rxwatchd
equal "$(show ActiveState) $(show Result) $(show ExecMainStatus) $(show NRestarts)" 'failed exit-code 78 0'
eventually 10 some ".MESSAGE | startswith(\"$where\")" PRIORITY=3

for check in 'rxwatchctl check' "rxwatchctl check $SHIPPED" 'rxwatchd --check' "rxwatchd --config $SHIPPED --check"; do
    # shellcheck disable=SC2086 # words
    refuses 78 box $check
    grep -q "^$where" "$SCRATCH/output" || fail "$check: $(<"$SCRATCH/output")"
done

config | put "$SHIPPED"
box rxwatchctl check
box systemctl start rxwatchd
