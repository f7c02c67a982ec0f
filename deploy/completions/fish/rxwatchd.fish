# fish completion for rxwatchd(8)
complete -c rxwatchd -f
complete -c rxwatchd -l config -rF -d 'read this file or directory of the configuration'
complete -c rxwatchd -l check -d 'check the configuration and exit'
complete -c rxwatchd -l resources -d 'print the numbers of live objects, too'
complete -c rxwatchd -l version -d 'print the version and exit'
complete -c rxwatchd -s h -l help -d 'print this help and exit'
