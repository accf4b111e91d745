#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Imports with all threads under ThreadSanitizer: no report.
. "$(dirname "$0")/../lib.sh"
gaspdb=$O/thread/gaspdb
if [ ! -x "$gaspdb" ]; then
	skip "races" "no command for ThreadSanitizer here"
	finish
fi
cd "$TMP" || exit 1
export TSAN_OPTIONS="exitcode=66 halt_on_error=0"

# races STATUS ARGUMENT...: an import ends so, with nothing told by the sanitizer
races() {
	local expected=$1
	shift
	timeout -k 5 200 "$gaspdb" import --jobs=4 -o a.db --force "$@" >out 2>err
	is "import $*" "$? $(grep -A 12 ThreadSanitizer err | tr '\n' ';')" "$expected "
}

# --- a race is told: the sanitizer works here ---
cat >race.c <<'C'
#include <pthread.h>
static int n;
static void *add(void *to) { return ++*(int *)to, to; }
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, add, &n);
	pthread_create(&b, 0, add, &n);
	return pthread_join(a, 0) | pthread_join(b, 0);
}
C
if ! ${CC:-cc} -fsanitize=thread -o race race.c 2>err; then
	skip "races" "ThreadSanitizer: $(head -n 1 err)"
	finish
fi
./race 2>err
is "a race is told" "$?" 66

# --- many logs of a few blocks, one of many; messages; calls that end after thousands of others ---
awk 'BEGIN {
	print "op get type=get model=MPI start=\"bytes:z peer:i where:p\" end=\"bytes:z state:i\""
	print "thread 0..7"
	for (r = 0; r < 8; r++)
		for (i = 0; i < (r ? 300 : 9000); i++) {
			t = 1000 * i + r
			if (i % 300 == 299)
				print "at " t " thread " r " block"
			if (i == 0)
				print "at " t ".." 20000000 + r " thread " r " a.c:1 user:main"
			print "at " t ".." t + 300 + i % 200 " thread " r " a.c:" 10 + i % 70 " get bytes=" i * i % 9973 " peer=" (r + i) % 8 \
				" where=" 4096 + i * 8
			if (i % 10 == 0 && i < 300) {
				print "at " t + 600 ".." t + 610 " thread " r " b.c:" 10 + i % 7 " MPI_Send peer=" (r + 1) % 8 " tag=1 bytes=8"
				print "at " t + 700 ".." t + 720 " thread " r " b.c:20 MPI_Recv peer=" (r + 7) % 8 " tag=1 bytes=8"
			}
		}
}' >script
"$O/tests/mkrun" script whole
races 0 whole
tar czf whole.tar.gz whole
races 0 whole.tar.gz
python3 -m zipfile -c whole.zip whole
races 0 whole.zip
races 0 - < <(cat whole.tar.gz)

# --- logs that are killed, damaged, cut off or missing ---
cp -r whole damaged
logs=(damaged/*.gasplog)
dd if=/dev/zero of="${logs[1]}" bs=1 seek=5000 count=1500 conv=notrunc 2>/dev/null
truncate -s 9001 "${logs[2]}"
truncate -s 40 "${logs[3]}"
rm "${logs[4]}"
races 3 damaged
GASPDB_IMPORT_BY_INSERTS=1 races 3 damaged

# --- what fails meanwhile ---
(ulimit -f 400 && exec timeout -k 5 200 "$gaspdb" import --jobs=4 -o b.db whole 2>err)
is "a file that cannot grow" "$? $(grep -c ThreadSanitizer err) $(ls b.db* 2>/dev/null | wc -l)" "1 0 0"
timeout -k 5 60 "$gaspdb" import --jobs=4 -o b.db whole 2>err &
sleep 0.3
pkill -INT -P $! 2>/dev/null
wait $!
ok "a signal" test $? -ne 66
finish
