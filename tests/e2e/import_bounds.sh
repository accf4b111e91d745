#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Imports at their bounds: files that may not grow, signals at any moment, bombs, folders that cannot be opened.
# Long.
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1
awk 'BEGIN {
	print "thread 0..1"
	for (i = 0; i < 1000; i++) {
		t = 1000 * i
		for (r = 0; i % 500 == 499 && r < 2; r++)
			print "at " t - 1 " thread " r " block"
		for (r = 0; r < 2; r++) {
			print "at " t + r ".." t + 90 " thread " r " b.c:" i % 90 " MPI_Isend peer=" 1 - r " tag=1 bytes=8 request=" i + 1
			print "at " t + 100 ".." t + 320 + r " thread " r " b.c:20 MPI_Recv peer=" 1 - r " tag=1 bytes=8"
			print "at " t + 400 ".." t + 410 " thread " r " b.c:30 MPI_Wait requests=1"
			print "  complete " i + 1
		}
	}
}' >script
"$O/tests/mkrun" script run
n_events=6000
tar cJf run.tar.xz run
mkdir out

# --- a limit on the size of files ---
"$gaspdb" import run -o whole.db 2>/dev/null
size=$(($(stat -c %s whole.db) / 1024))
for input in run run.tar.xz; do
	: >told.$input
	for ((i = 1; i <= 30; i++)); do
		(ulimit -f $((size * i / 31)) && timeout 60 "$gaspdb" import $input -o out/a.db 2>err)
		echo "$? $(ls -A out | wc -l) $(wc -l <err) $(grep -cE "^gaspdb: cannot (write|use) .*'(.*/)?out(/a\.db(\.tmp-[0-9a-f-]+)?)?': " err)" >>told.$input
		[ "$(tail -n 1 told.$input)" = "1 0 1 1" ] || sed "s/^/# $i: /" err
	done
	is "$input: at each of 30 sizes one line with the file's name, exit 1, and nothing is left" "$(sort told.$input | uniq -c | xargs)" "30 1 0 1 1"
done
timeout 60 "$gaspdb" import run -o out/a.db 2>/dev/null
is "without the limit it works" "$? $(sql out/a.db 'SELECT count(*) FROM event')" "0 $n_events"
rm -f out/*

# --- bombs: more zeros than are unpacked, in a few MiB ---
cat >bomb.py <<'PYTHON'
import glob, gzip, sys, tarfile
how, to = sys.argv[1:]
n = 3 << 30
piece = gzip.compress(bytes(1 << 24), 1)  # packed once: a gzip file may have many members
with open(to, "wb") as f:
    def entry(name, data, size):
        info = tarfile.TarInfo(name)
        info.size = size
        f.write(gzip.compress(info.tobuf(tarfile.PAX_FORMAT) + data))
    def zeros(size):
        f.write(piece * (size >> 24))
    if how != "after":
        log = open(glob.glob("run/node-100-0.gasplog")[0], "rb").read() if how == "log" else b""
        log = log[:len(log) // 512 * 512]
        entry("run/zeros-9-0.gasplog" if how != "other" else "run/zeros", log, n + len(log))
        zeros(n)
    for name in sorted(glob.glob("run/*.gasplog")):
        data = open(name, "rb").read()
        entry(name, data + bytes(-len(data) % 512), len(data))
    f.write(gzip.compress(bytes(1024)))
    if how == "after":
        zeros(n)
PYTHON
# bounded COMMAND...: its exit status, and KiB of memory and seconds if they are too many
bounded() {
	python3 - "$@" <<'PYTHON'
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=open("err", "w"), timeout=300).returncode
use = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, *(["%d KiB" % use.ru_maxrss] if use.ru_maxrss > 100 << 10 else []),
      *(["%d s" % use.ru_utime] if use.ru_utime > 60 else []))
PYTHON
}
limit="unpacks to more than [0-9]+ bytes, at entry 'run/zeros"
for bomb in log:3:"zeros-9-0.gasplog" empty:1:"$limit" other:1:"$limit" after:3:"damaged archive at byte [0-9]+: more than 1 GiB of zeros"; do
	IFS=: read -r how status told <<<"$bomb"
	python3 bomb.py "$how" bomb.tar.gz
	if [ -n "${SANITIZE:-}" ]; then
		skip "zeros: $how" "sanitizers take time and memory"
		continue
	fi
	for command in info "import --force -o out/a.db"; do
		# shellcheck disable=SC2086
		is "zeros, $how: $command" "$(bounded "$gaspdb" $command bomb.tar.gz)" "$status"
		like "is told" "$(cat err)" "$told"
	done
	is "and what is left" "$(ls -A out)" "$([ "$status" = 1 ] || echo a.db)"
	[ "$status" = 1 ] || is "is the others' events" "$(sql out/a.db "SELECT count(*) >= $n_events FROM event")" 1
	rm -f out/*
done

# --- a tar file that is cut in another file of 5 GiB, after the logs ---
python3 - <<'PYTHON'
import tarfile
with tarfile.open("cut.tar", "w") as t:
    t.add("run")
    core = tarfile.TarInfo("run/core")
    core.size = 5 << 30
    t.fileobj.write(core.tobuf(tarfile.GNU_FORMAT) + b"x" * 100000)
PYTHON
timeout 60 "$gaspdb" import cut.tar -o out/a.db 2>err
is "a tar file that is cut in a large file" "$? $(sql out/a.db 'SELECT count(*) FROM event')" "3 $n_events"
like "is told" "$(sed 1d err)" "^gaspdb: cut.tar: damaged archive at byte [0-9]+: .*cut$"
rm -f out/*

# --- a 7z file of some KiB whose list has 20 million entries ---
cat >bomb7z.py <<'PYTHON'
import lzma, struct, sys, zlib
def num(n):
    k = 0
    while k < 8 and n >= 1 << (7 * k + 7):
        k += 1
    return bytes([(0xff00 >> k) & 0xff | (n >> 8 * k)]) + (n & (1 << 8 * k) - 1).to_bytes(k, "little")
def pieces(n):
    # Header, FilesInfo: files without data, their names
    bits = (n + 7) // 8
    yield b"\x01\x05" + num(n) + b"\x0e" + num(bits) + b"\xff" * bits
    yield b"\x11" + num(1 + 4 * n) + b"\0"
    for i in range(0, n, 1 << 20):
        yield b"a\0\0\0" * min(n - i, 1 << 20)
    yield b"\0\0"
coder = lzma.LZMACompressor(lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 16, "lc": 3, "lp": 0, "pb": 2,
                                                       "mode": lzma.MODE_FAST, "mf": lzma.MF_HC3}])
packed, size, crc = b"", 0, 0
for piece in pieces(int(sys.argv[1])):
    packed, size, crc = packed + coder.compress(piece), size + len(piece), zlib.crc32(piece, crc)
packed += coder.flush()
head = b"\x17\x06" + num(0) + num(1) + b"\x09" + num(len(packed)) + b"\0"
head += b"\x07\x0b" + num(1) + b"\0" + num(1) + b"\x23\x03\x01\x01" + num(5) + b"\x5d" + struct.pack("<I", 1 << 16)
head += b"\x0c" + num(size) + b"\x0a\x01" + struct.pack("<I", crc) + b"\0\0"
start = struct.pack("<QQI", len(packed), len(head), zlib.crc32(head))
open(sys.argv[2], "wb").write(b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<I", zlib.crc32(start)) + start + packed + head)
PYTHON
python3 bomb7z.py 1000 bomb.7z
like "a list of some entries is read" "$("$gaspdb" info bomb.7z 2>&1)" "'bomb.7z' holds no logs \(\*.gasplog\)"
if unshare -m umount -l /proc 2>/dev/null; then
	unshare -m sh -c 'umount -l /proc && exec "$0" info bomb.7z' "$gaspdb" 2>err
	# A sanitizer says that it misses /proc, too.
	is "without /proc no 7z file is read" "$? $(grep -v '^==' err)" "1 gaspdb: 'bomb.7z' is a 7z archive, which is not read where \
there is no /proc to tell the memory in use: unpack it, and give the folder"
else
	skip "without /proc no 7z file is read" "it cannot be taken away here"
fi
python3 bomb7z.py 20000000 bomb.7z
for command in info "import --force -o out/a.db"; do
	if [ -n "${SANITIZE:-}" ]; then
		skip "a list of very many entries: $command" "sanitizers take memory"
		continue
	fi
	# shellcheck disable=SC2086
	is "a list of very many entries: $command" "$(bounded "$gaspdb" $command bomb.7z)" "1"
	like "is told" "$(cat err)" "'bomb.7z' holds no logs that can be read: "
done

# --- signals ---
# A bomb of 3 GiB keeps it reading; a run keeps it writing, then analyzing.  What a killed one leaves the next one removes.
debris='^a\.db\.tmp-[0-9a-f]{8}-[0-9a-f]{8}$'
awk 'BEGIN {
	print "thread 0..1"
	for (i = 0; i < 30000; i++) {
		t = 100 * i
		for (r = 0; i % 500 == 499 && r < 2; r++)
			print "at " t - 1 " thread " r " block"
		print "at " t ".." t + 10 " thread 0 a.c:" 10 + i % 50 " MPI_Send peer=1 tag=5 bytes=" i
		print "at " t + 5 ".." t + 20 " thread 1 a.c:" 60 + i % 50 " MPI_Recv peer=0 tag=5 bytes=" i
		print "at " t + 30 ".." t + 40 " thread 0 b.c:10 MPI_Barrier"
		print "at " t + 31 ".." t + 41 " thread 1 b.c:10 MPI_Barrier"
	}
}' >script
"$O/tests/mkrun" script large
start=$(date +%s%N)
"$gaspdb" import large -o large.db 2>/dev/null
took=$((($(date +%s%N) - start) / 1000000)) # ms
bad= hit=0
for signal in TERM INT XCPU KILL; do
	for input in bomb.tar.gz large; do
		for tenth in 1 3 5 7 9; do
			env --default-signal=INT "$gaspdb" import $input -o out/a.db --force 2>/dev/null &
			pid=$!
			wait=$((took * tenth / 10))
			sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))"
			kill -$signal $pid 2>/dev/null
			{ wait $pid; } 2>/dev/null
			status=$?
			left=$(ls -A out)
			case $signal:$status in
			TERM:143 | INT:130 | XCPU:152 | KILL:137)
				hit=$((hit + 1)) n=0
				[ $signal != KILL ] || n=1
				# It may come when all is done.
				[ "$left" != a.db ] || [ "$(sql out/a.db 'PRAGMA integrity_check')" != ok ] || left=
				;;
			*:[03]) n=0 left=${left/#a.db/} ;; # it came too late
			*) n=-1 ;;
			esac
			[ "$(grep -c . <<<"$left")" -le $n ] && ! grep -vE "$debris" <<<"$left" | grep -q . ||
				bad+="$signal of $input after $wait ms: $status, left '$left'; "
			rm -f out/a.db
		done
	done
done
is "a signal leaves nothing, a kill at most one temporary file" "$bad" ""
ok "they came in time ($hit of 40)" test $hit -ge 10
timeout 60 "$gaspdb" import large -o out/a.db 2>/dev/null
is "the next import works" "$? $(ls -A out) $(sql out/a.db 'SELECT count(*) FROM event')" "0 a.db 120000"

# --- a folder that cannot be opened ---
mkdir -p runs/good runs/closed
cp run/*.gasplog runs/good
cp run/*.gasplog runs/closed
chmod 755 "$TMP"
chmod 0 runs/closed
as_nobody=
[ "$(id -u)" != 0 ] || as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
if $as_nobody true 2>/dev/null && $as_nobody test -x "$gaspdb" && ! $as_nobody test -r runs/closed; then
	$as_nobody "$gaspdb" info runs >stdout 2>err
	is "a folder that cannot be opened is told" "$? $(cat err)" "3 gaspdb: closed: unreadable log: a folder that cannot be opened: Permission denied"
	chmod 777 out && rm -f out/*
	$as_nobody "$gaspdb" import runs -o out/a.db 2>err
	is "and by an import, of what can be" "$? $(sed '1d; $d' err)" "3 gaspdb: closed: unreadable log: a folder that cannot be opened: Permission denied"
	$as_nobody "$gaspdb" info runs/closed >stdout 2>err
	is "if it is the run, it fails" "$? $(cat err)" "1 gaspdb: cannot open 'runs/closed': Permission denied"
	cp -r runs/good runs/a
	chmod 0 runs/a/node-100-0.gasplog
	$as_nobody "$gaspdb" info runs/a >stdout 2>err
	is "a log that cannot be opened" "$? $(head -n 1 err)" "3 gaspdb: node-100-0.gasplog: unreadable log: cannot open: Permission denied"
else
	skip "a folder that cannot be opened" "nobody else can run it here"
fi
chmod 755 runs/closed
finish
