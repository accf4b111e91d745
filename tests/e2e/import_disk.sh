#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A disk that fills during an import, in each of its phases; and imports that are killed: nothing is left that looks whole.
if [ -z "${IN_NAMESPACE:-}" ] && [ "$(id -u)" != 0 ] && unshare -rm true 2>/dev/null; then
	IN_NAMESPACE=1 exec unshare -rm "$0"
fi
. "$(dirname "$0")/../lib.sh"
cd "$TMP" || exit 1

# Many messages and barriers in small logs: much for the passes.
awk -v n=2000 'BEGIN {
	print "thread 0..3"
	for (i = 0; i < n; i++) {
		t = 100 * i
		for (r = 0; i % 500 == 499 && r < 4; r++)
			print "at " t - 1 " thread " r " block"
		for (r = 0; r < 4; r += 2) {
			print "at " t ".." t + 10 " thread " r " a.c:" 10 + i % 50 " MPI_Send peer=" r + 1 " tag=5 bytes=" i
			print "at " t + 5 ".." t + 20 " thread " r + 1 " a.c:" 60 + i % 50 " MPI_Recv peer=" r " tag=5 bytes=" i
		}
		for (r = 0; r < 4; r++)
			print "at " t + 30 + r ".." t + 40 + r " thread " r " b.c:" 10 + i % 50 " MPI_Barrier"
	}
}' >script
"$O/tests/mkrun" script run
tar cf run.tar run
start=$(date +%s%N)
"$gaspdb" import run -o whole.db 2>/dev/null
took=$((($(date +%s%N) - start) / 1000000)) # ms
is "the run is imported" "$? $(sql whole.db 'SELECT count(*) FROM event') $(sql whole.db 'SELECT count(*) FROM message')" "0 16000 4000"
needed=$(($(stat -c %s whole.db) / 1024)) # KiB

# --- a full disk ---
# leave KIB: so much room is on the disk
leave() {
	rm -f disk/*
	head -c $(((16384 - $1) * 1024)) /dev/zero >disk/ballast
}

fill() {
	local steps i input told
	# Less than the logs have, lest their unpacking be stepped over
	steps=$((needed / ($(cat run/*.gasplog | wc -c) / 2048) + 1))
	for input in run run.tar; do
		for ((i = 1; i < steps; i++)); do
			leave $((needed * i / steps))
			timeout 60 "$gaspdb" import $input -o disk/a.db 2>err
			told="$? $(ls -A disk | tr '\n' ' ')$(wc -l <err) $(sed -E "s/ '([^']*\/)?disk\/a\.db(\.tmp-[0-9a-f-]+)?'/ OUTPUT/" err)"
			echo "${told/use a temporary file beside/write}" >>told.$input
		done
	done
	is "a full disk: each time one line, exit 1, and nothing is left" "$(cut -d' ' -f1-3 told.run told.run.tar | sort | uniq -c | xargs)" \
		"$((2 * (steps - 1))) 1 ballast 1"
	is "it names the file and the cause, as the logs are read and as the tables are finished" \
		"$(cut -d' ' -f4- told.run | LC_ALL=C sort -u)" "gaspdb: cannot write OUTPUT: No space left on device
gaspdb: cannot write OUTPUT: database or disk is full"
	is "and of an archive, as it is unpacked" "$(cut -d' ' -f4- told.run.tar | LC_ALL=C sort -u)" \
		"gaspdb: cannot write OUTPUT: No space left on device
gaspdb: cannot write OUTPUT: database or disk is full
gaspdb: cannot write a temporary file in 'disk': No space left on device"
	leave $((2 * needed + 256))
	"$gaspdb" import run -o disk/a.db 2>err
	is "where there is room, the next import works" "$? $(ls -A disk | tr '\n' ' ')" "0 a.db ballast "
	is "and is whole" "$(sql disk/a.db 'PRAGMA integrity_check') $(sql disk/a.db 'SELECT count(*) FROM event')" "ok 16000"
	rm disk/ballast
	head -c 16m /dev/zero >disk/ballast 2>/dev/null
	"$gaspdb" import run -o disk/a.db --force 2>err
	is "with --force on a full disk: the old file stays" "$? $(ls -A disk | tr '\n' ' ')$(sql disk/a.db 'SELECT count(*) FROM event')" \
		"1 a.db ballast 16000"
	"$gaspdb" report disk/a.db >report 2>err
	is "a report needs no room" "$? $(cat err)" "0 "
}

mkdir disk
if mount -t tmpfs -o size=16m tmpfs disk 2>mount.err; then
	trap 'umount -l "$TMP/disk"; rm -rf "$TMP"' EXIT
	fill
else
	skip "a full disk" "nothing can be mounted here: $(cat mount.err)"
fi

# --- killed at any moment ---
mkdir out
RANDOM=${SEED:=$((RANDOM + 1))}
echo "# SEED=$SEED"
debris='^a\.db\.tmp-[0-9a-f]{8}-[0-9a-f]{8}(-[A-Za-z0-9]{6})?$'
killed=0 more=0 others=
for ((i = 0; i < 30; i++)); do
	rm -f out/*
	"$gaspdb" import run.tar -o out/a.db 2>/dev/null &
	pid=$!
	sleep "$(printf '%d.%03d' 0 $((RANDOM % (took < 900 ? took : 900))))"
	{ kill -KILL $pid && wait $pid; } 2>/dev/null
	[ $? = 137 ] || continue
	killed=$((killed + 1))
	left=$(ls -A out | grep -vE "$debris")
	[ "$left" = a.db ] && left=$(sql out/a.db "SELECT 'not whole' WHERE (SELECT count(*) FROM event) <> 16000" || echo unreadable)
	others+=$left
	[ "$(ls -A out | grep -cE "$debris")" -le 1 ] || more=$((more + 1))
done
ok "some imports are killed in time" test $killed -ge 5
is "nothing that is not whole is under the final name, nor is there any other debris" "$others" ""
is "but for at most one file" $more 0
rm -f out/a.db
timeout 60 "$gaspdb" import run.tar -o out/a.db 2>err
is "the next import works" "$? $(sql out/a.db 'SELECT count(*) FROM event')" "0 16000"
finish
