#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every function that the OpenSHMEM library offers is wrapped, or on a list with its reason; what belongs to no family
# stops the build.
. "$(dirname "$0")/../lib.sh"
model=$TOP/collector/models/shmem
adapter=$O/libgaspdb-oshmem.so
if [ ! -e "$adapter" ]; then
	skip "the OpenSHMEM adapter" "there is no OpenSHMEM here"
	finish
fi

# functions FILE [nm option...]: its dynamic function symbols
functions() {
	nm -D "${@:2}" "$1" | awk '$(NF - 1) ~ /^[TWU]$/ { sub(/@.*/, "", $NF); print $NF }' | sort -u
}
library=$(ldd "$adapter" | awk '$1 ~ /^liboshmem/ { print $3 }')
functions "$library" --defined-only >"$TMP/library"
grep -E '^(_?shmemx?_.*|sh(malloc|memalign|realloc|free)|start_pes|globalexit|_?my_pe|_?num_pes)$' "$TMP/library" >"$TMP/public"
functions "$adapter" --defined-only >"$TMP/wrapped"
awk '$1 == "list" { for (i = 2; i <= NF; i++) print $i }' "$model/families.tbl" | sort >"$TMP/listed"

ok "the library has its 800 functions" [ "$(wc -l <"$TMP/public")" -ge 800 ]
is "each is wrapped or listed" "$(cat "$TMP/wrapped" "$TMP/listed" | sort -u | comm -23 "$TMP/public" -)" ""
is "none is both" "$(comm -12 "$TMP/wrapped" "$TMP/listed")" ""
is "nothing else is defined, but dlclose" "$(comm -13 "$TMP/public" "$TMP/wrapped")" dlclose
is "no listed name is there twice" "$(uniq -d "$TMP/listed")" ""
is "each list has its reason" "$(awk '/^list/ { n++ } /^\tbecause ./ { n-- } n > 1 || n < 0 { print NR } END { print n }' "$model/families.tbl")" 0
functions "$adapter" --undefined-only | grep -E '^psh|^pstart' >"$TMP/called"
ok "wrappers call the profiling functions" [ "$(wc -l <"$TMP/called")" -ge 800 ]
is "all of which exist" "$(comm -23 "$TMP/called" "$TMP/library")" ""

# --- the generator, on headers of our own ---

# generate PROTOTYPES: wrappers in $TMP/out, what it says in $TMP/err
generate() {
	printf '%s\n' "$1" >"$TMP/header.i"
	awk -f "$model/wrappers.awk" "$TOP/collector/events/shmem.tbl.h" "$model/families.tbl" "$TMP/header.i" \
		>"$TMP/out" 2>"$TMP/err"
}

generate 'void shmem_int_put(int *dest, const int *source, size_t nelems, int pe); void shmem_int_shuffle(int *dest, int pe);'
is "an unknown function stops the build" $? 1
like "and is named, with its parameters" "$(cat "$TMP/err")" "shmem_int_shuffle\(int \*dest, int pe\) belongs to no family"
generate 'void shmem_int_put(int *dest, const int *source, size_t nelems);'
is "so does one of other parameters" $? 1
like "and is named" "$(cat "$TMP/err")" "shmem_int_put.* has not the parameters of its family"
generate 'void shmem_put(void *dest, const void *source, size_t nelems, int pe); void shmem_ctx_put24_nbi(shmem_ctx_t c, void *d, const void *s, size_t n, int pe);'
is "so does one whose elements have no size" $? 1
generate 'int printf(const char *, ...);'
is "so does a header without OpenSHMEM" $? 1

# Another implementation's way of writing: attributes, no names, old arrays, other qualifiers, a body, several lines.
generate '
# 1 "shmem.h"
typedef struct { struct { int a; } b; } *shmem_ctx_t;
enum shmem_cmp { SHMEM_CMP_EQ };
static inline int shmem_internal_add(int a, int b) { if (a) { return b; } return a + b; }
extern __attribute__((visibility("default"))) void
shmem_ctx_longdouble_put_nbi(shmem_ctx_t,
	long double *, const long double *,
	size_t, int) __attribute__((nonnull(2, 3)));
SHMEM_API long long int shmem_longlong_atomic_fetch_add(long long int *dest, long long int value, int pe);
unsigned long shmem_ulong_g(const unsigned long *, int); void shmem_fence(void); int shmem_long_test(volatile long *ivar, int cmp, long);
void shmem_short_max_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short pWrk[], long pSync[64]);
void *shmem_malloc(size_t);
extern void pshmem_fence(void);'
is "another implementation's header is read" "$? $(cat "$TMP/err")" "0 "
is "its functions are wrapped" "$(sed -n 's/^GASPDB_EXPORT .*\(shmem_[a-z_]*\)(.*/\1/p' "$TMP/out" | tr '\n' ' ')" \
	"shmem_ctx_longdouble_put_nbi shmem_longlong_atomic_fetch_add shmem_ulong_g shmem_fence shmem_long_test shmem_short_max_to_all shmem_malloc "
cat >"$TMP/wrappers.c" <<'E2'
#include <stddef.h>
typedef struct { struct { int a; } b; } *shmem_ctx_t;
extern void pshmem_fence(void);
#define SHMEM_API
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)0)
enum { SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE };
#define GASPDB_COLLECTOR_MODELS_SHMEM_API_H
E2
cat "$TMP/out" >>"$TMP/wrappers.c"
is "and compile without a warning" "$(cc -std=c11 -Wall -Wextra -I"$TOP" -c -o /dev/null "$TMP/wrappers.c" 2>&1)" ""
is "each knows the size of its elements" \
	"$(grep -oE 'sizeof\(\*[a-z]+\)' "$TMP/out" | sort | uniq -c | awk '{ printf "%s ", $1 $2 }')" "6sizeof(*object) 2sizeof(*target) "
finish
