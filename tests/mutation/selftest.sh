#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mutation.py on a library of one function and one test. Speaks TAP.
set -u
source=${PERP_SOURCE:-.}
work=${PERP_BUILD:-.}/tests/scratch/mutation.$$
case $(${CC:-cc} --version) in *clang*) echo "1..0 # SKIP gcov reads what gcc counts"; exit 0 ;; esac
command -v gcov >/dev/null || { echo "1..0 # SKIP no gcov"; exit 0; }
suite=mutation
. "$source/tests/support/tap.sh"
work=$(cd "$work" && pwd -P)

mkdir -p "$work/tree/lib" "$work/tree/tests/lib"
cat >"$work/tree/lib/largest.c" <<'END'
/* The first of the largest of n > 0 numbers. */
#define FIRST 0 + 0
int largest(const int *x, int n);
const int table[] = {1, 2 - 1};

static void largest_trace(int n)
{
    (void)n;
}

int largest(const int *x, int n)
{
    int best[1] = {FIRST};

    for (int i = 1; i < n; i++) {
        if (x[i] > x[*best]) { /* not a >= b */
            *best = i;
        }
    }
    largest_trace(n);
    return *best;
}
END
cat >"$work/tree/tests/lib/largest.c" <<'END'
#include <stdio.h>
int largest(const int *x, int n);
int main(void)
{
    const int x[] = {3, 5, 5, 7, 9};
    puts(largest(x, 4) == 3 ? "ok 1 - the last one" : "not ok 1 - the last one");
    puts(largest(x, 3) == 1 ? "ok 2 - the first one" : "not ok 2 - the first one");
}
END
cat >"$work/tree/configure" <<'END'
#!/bin/sh
cat >Makefile <<MAKE
CC = ${CC:-cc}
CFLAGS = -O2
TESTS = tests/lib/largest
lib_LTLIBRARIES = lib/liblargest.la
lib/liblargest.la:
	mkdir -p lib/.libs tests/lib
	\$(CC) \$(CFLAGS) -fPIC -c -o lib/largest.o ${0%/*}/lib/largest.c
	ar rc lib/.libs/liblargest.a lib/largest.o
	echo "dependency_libs=''" >\$@
check: lib/liblargest.la
	\$(CC) -o tests/lib/largest ${0%/*}/tests/lib/largest.c lib/.libs/liblargest.a
MAKE
END
chmod +x "$work/tree/configure"

mutate() {
    python3 "$source/tests/mutation/mutation.py" "$work/run" lib --source "$work/tree" "$@"
}

# file:line operator before after state, in the order of the file
mutate --mutants 100 --list 2>"$work/err" | sed 1d | cut -f 4- | LC_ALL=C sort >"$work/drawn"
tr '|' '\t' >"$work/expected" <<'END'
15|comparison|<|<=|drawn
15|comparison|<|>=|drawn
15|off-by-one|| + 1|drawn
15|off-by-one|| - 1|drawn
15|off-by-one|1|0|drawn
15|off-by-one|1|2|drawn
16|comparison|>|<=|drawn
16|comparison|>|>=|drawn
20|dropped call|largest_trace(n)||equivalent
END
sed 's/duplicate/drawn/' "$work/drawn" | diff "$work/expected" - >"$work/found"
ok $? "draws the changes of a function, and those alone that change its object file"

mutate >"$work/out" 2>"$work/err"
# A loop that begins at 0 compares the first number with itself.
awk -F '\t' '$8 == "survived" { print $5, $6, $7 }' "$work/run/results.tsv" >"$work/found"
[ "$(cat "$work/found")" = "off-by-one 1 0" ]
ok $? "kills those that the test can notice and leaves the one that it cannot"

grep -q "^all .* [67] *0 *1 *0 *8[57]\.[57] %" "$work/out"
ok $? "prints the share"

cut -f -11 "$work/run/results.tsv" | LC_ALL=C sort >"$work/before"
sed -i '3,$d' "$work/run/results.tsv"
mutate >"$work/out" 2>"$work/err"
cut -f -11 "$work/run/results.tsv" | LC_ALL=C sort >"$work/after"
[ "$(wc -l <"$work/after")" -ge 7 ] && diff "$work/before" "$work/after" >"$work/found"
ok $? "goes on where it was stopped"
echo "1..$count"
