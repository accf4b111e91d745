# SPDX-License-Identifier: GPL-3.0-or-later
# Logs as tests/reference/log_profile.py reads them: source it after lib.sh.

# look DIR EXPRESSION: of logs, by number of the log in its process, and log, the first one
look() {
	python3 - "$TOP/tests/reference" "$1"/*.gasplog <<-END
		import sys
		sys.path.insert(0, sys.argv[1])
		from log_profile import Log
		logs = [Log(path) for path in sys.argv[2:]]
		log = logs[0]
		print($2)
	END
}
