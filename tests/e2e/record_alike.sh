#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command under gaspdb record is the process that its parent would have made without it: attributes, signals, stops, status.
source "$TOP/tests/lib.sh"
cd "$TMP" || exit 1
gcc -std=gnu2x -D_GNU_SOURCE -o attributes "$TOP/tests/programs/attributes.c"
export GASPDB=$gaspdb

# What a shell cannot do to itself before it executes a command: a Python that does, with `x` the standard library.
cat >prepared.py <<'PY'
import ctypes, os, resource, signal, sys
libc = ctypes.CDLL(None, use_errno=True)
def timer(seconds):
    signal.setitimer(signal.ITIMER_REAL, seconds)
def subreaper():
    libc.prctl(36, 1, 0, 0, 0)
def death(number):
    libc.prctl(1, number, 0, 0, 0)
def gone():
    os.makedirs("gone", exist_ok=True)
    os.chdir("gone")
    os.rmdir("../gone")
for s in (signal.SIGINT, signal.SIGPIPE, getattr(signal, "SIGXFSZ")):
    signal.signal(s, signal.SIG_DFL)
environment = [e for e in (k + b"=" + v for k, v in os.environb.items())]
exec(sys.argv[1])
arguments = [os.fsencode(a) for a in sys.argv[2:]]
argv = (ctypes.c_char_p * (len(arguments) + 1))(*arguments, None)
envp = (ctypes.c_char_p * (len(environment) + 1))(*environment, None)
libc.execve(arguments[0], argv, envp)
sys.exit(125)
PY

# alike WHAT PREPARATION [ARGUMENT...]: what the program prints is the same
alike() {
	local what=$1 how=$2
	shift 2
	rm -rf run plain recorded
	timeout --foreground 60 python3 prepared.py "$how" "$TMP/attributes" "$TMP/plain" "$@" >out 2>err </dev/null
	local status=$?
	timeout --foreground 60 python3 prepared.py "$how" "$gaspdb" record -o "$TMP/run" -- "$TMP/attributes" "$TMP/recorded" "$@" >out 2>err </dev/null
	is "$what: the same status" "$? $(test -s plain && echo printed)" "$status printed"
	is "$what: the same process" "$(diff plain recorded)" ""
}
ignored="SIGCHLD SIGINT SIGTERM SIGHUP SIGQUIT SIGPIPE SIGTTOU SIGTTIN SIGTSTP SIGUSR1 SIGALRM SIGXFSZ SIGCONT SIGRTMIN"
alike "nothing special" "pass"
alike "signals ignored" "for s in '$ignored'.split(): signal.signal(getattr(signal, s), signal.SIG_IGN)"
is "which is what the program has" "$(grep -c '^signal .*: ignored$' recorded)" "$(wc -w <<<"$ignored")"
alike "signals blocked, and one pending" "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM, signal.SIGUSR1})
os.kill(os.getpid(), signal.SIGUSR1)"
like "which is what the program has" "$(grep -e '^signal 10:' -e '^signal 15' recorded | tr '\n' ' ')" \
	"^signal 10: blocked pending signal 15: blocked $"
alike "a subreaper, a signal for the parent's death, a timer, a descriptor more, limits, umask" \
	"subreaper(); death(15); timer(50); os.dup2(0, 7); os.umask(0o27)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); resource.setrlimit(resource.RLIMIT_NOFILE, (300, 400))"
like "which is what the program has" "$(grep -e '^sub' -e '^timer 0' -e '^descriptor 7' recorded | tr '\n' ' ')" \
	"^subreaper 1, death signal 15, umask 27 timer 0: runs descriptor 7 $"
for fd in 0 1 2; do
	alike "descriptor $fd closed" "os.close($fd)"
done
alike "no descriptor, no working directory" "gone(); os.closerange(0, 100)"
alike "variables that are there twice, or are none" "environment += [b'TWICE=1', b'TWICE=2', b'none', b'EMPTY=']"

# --- the exit status, whatever became of SIGCHLD ---
for how in "signal.signal(signal.SIGCHLD, signal.SIG_IGN)" "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})"; do
	rm -rf run
	python3 prepared.py "$how" "$gaspdb" record -o run -- /bin/sh -c 'exit 7' 2>err
	is "the exit status, after $how" "$?" 7
	rm -rf run
	python3 prepared.py "$how" "$gaspdb" record -o run -- /bin/sh -c 'kill -TERM $$' 2>err
	is "the signal, after $how" "$?" 143
done
rm -rf run
sh -c "trap '' CHLD; exec \"\$GASPDB\" record -o run -- sh -c 'exit 5'" 2>err
is "SIGCHLD ignored by a shell" "$?" 5
rm -rf run
(ulimit -c 0; exec "$gaspdb" record -o run -- sh -c 'kill -SEGV $$') 2>err
is "a crash" "$?" 139

# AddressSanitizer's runtime is to start behind another library; what the user has set stays.
rm -rf run
is "ASAN_OPTIONS has one option more" "$(ASAN_OPTIONS=a=1:b=2 "$gaspdb" record -o run -- /usr/bin/env 2>/dev/null |
	sed -n 's/^ASAN_OPTIONS=//p')" a=1:b=2:verify_asan_link_order=0
rm -rf run

# --- LD_PRELOAD that is there already ---
for before in libm.so.6 "libm.so.6 libdl.so.2" libm.so.6:libdl.so.2 "libm.so.6: libdl.so.2" ""; do
	rm -rf run
	is "LD_PRELOAD was '$before'" "$(LD_PRELOAD=$before "$gaspdb" record -o run -- /usr/bin/env 2>/dev/null |
		sed -n 's/^LD_PRELOAD=[^:]*preload\.so:\{0,1\}//p')" "$before"
done
rm -rf run
python3 prepared.py "environment += [b'LD_PRELOAD=libdl.so.2', b'LD_PRELOAD=libm.so.6', b'GASPDB_DIR=/nowhere', b'GASPDB_DIR=/none']" \
	"$gaspdb" record -o run -- /usr/bin/env >out 2>err
is "variables that are there twice: the loader's counts, and is there once" \
	"$(sed -n 's/^LD_PRELOAD=[^:]*preload\.so//p; s/^GASPDB_DIR=//p' out | sort | tr '\n' ' ')" "$(pwd -P)/run :libm.so.6 "

# --- arguments and environment that leave no room ---
cat >full.py <<'PY'
# As many bytes of arguments as just fit: found by trying.
import resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1])) # a quarter is for arguments
def status_of(command, n):
    try:
        return subprocess.run(command + ["x" * min(100000, n - i) for i in range(0, n, 100000)], stderr=open("full.err", "w")).returncode
    except OSError:
        return None
low, high = 1000, 1 << 20
while high - low > 1:
    middle = (low + high) // 2
    low, high = (low, middle) if status_of(["/bin/true"], middle) is None else (middle, high)
status = None
while status is None: # there is room for the words of record's, but for its variables there is none
    low -= 8
    status = status_of([sys.argv[1], "record", "-o", "full", "--", "/bin/sh", "-c", "exit 6"], low)
print(status)
PY
is "no room for the collector's variables: the command runs" "$(python3 full.py "$gaspdb")" 6
like "and it is told why nothing was recorded" "$(cat full.err)" "^gaspdb: nothing was recorded: .*too long"

# --- signals and stops ---
cat >waits.py <<'PY'
import os, signal, sys, time
got = []
def handler(number, frame):
    got.append(number)
for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGWINCH, signal.SIGABRT, signal.SIGRTMIN + 2, signal.SIGTSTP):
    signal.signal(number, handler)
print("ready", os.getpid(), flush=True)
until = time.time() + 20
while len(got) < 6 and time.time() < until:
    time.sleep(0.01)
print(*sorted(got), flush=True)
sys.exit(4)
PY
cat >sends.py <<'PY'
# Signals to record, some of them ignored when it starts, reach the command.
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
p = subprocess.Popen([sys.argv[1], "record", "-o", "sent", "--", "python3", "waits.py"], stdout=subprocess.PIPE,
                     stderr=subprocess.DEVNULL)
p.stdout.readline()
for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGWINCH, signal.SIGABRT, signal.SIGRTMIN + 2, signal.SIGTSTP):
    os.kill(p.pid, number)
print(p.stdout.readline().decode().strip(), p.wait())
PY
is "signals to record reach the command" "$(timeout 60 python3 sends.py "$gaspdb")" "6 14 15 20 28 36 4"

cat >stops.py <<'PY'
# The command stops itself; whoever waits for record sees that.  It is continued by way of record, or by itself.
import os, signal, subprocess, sys, time
for number, whom in ((signal.SIGSTOP, "record"), (signal.SIGSTOP, "command"), (signal.SIGTSTP, "command")):
    p = subprocess.Popen([sys.argv[1], "record", "-o", f"stopped{number}{whom}", "--", "sh", "-c",
                          f"echo $$; kill -{int(number)} $$; exit 3"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    command = int(p.stdout.readline())
    status = os.waitpid(p.pid, os.WUNTRACED)[1]
    stopped = os.WIFSTOPPED(status) and os.WSTOPSIG(status) == number
    os.kill(p.pid if whom == "record" else command, signal.SIGCONT)
    print(stopped, whom, p.wait())
PY
is "a stop goes up, and its end goes down" "$(timeout 60 python3 stops.py "$gaspdb" | tr '\n' ' ')" \
	"True record 3 True command 3 True command 3 "
finish
