#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kills and failures at each system call that changes names, while --force replaces a folder: DIR is
# the old one or the new one at each of them, and the next --force leaves nothing else. Speaks TAP.
set -u
build=$(cd "${PERP_BUILD:-.}" && pwd)
perp=$build/perp
trace=$build/tests/faults/trace
"$trace" -- true 2>/dev/null
[ $? -ne 77 ] || { echo "1..0 # SKIP no process can be traced here"; exit 0; }
work=$build/tests/scratch/force-faults-$$
suite=force
. "${PERP_SOURCE:-.}/tests/support/command.sh"
cd "$work" || exit 1

# AddressSanitizer finds no leaks in a process that is traced, and is not the first library here.
ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

has() { grep -qF -- "$1" "${2:-out}"; }
rows() { echo $(($(wc -l <"$1/metrics.csv") - 1)); } # without that of the start
names() { ls -A "$1" | tr '\n' ' '; }

cat >ball.json <<'JSON'
{"time": 0.1, "solver": "nsgs", "scheme": {"dt": 0.01}, "ground": {},
 "bodies": [{"name": "ball", "mass": 1, "position": [0, 0, 1],
             "shapes": [{"type": "sphere", "size": 0.1}]}]}
JSON
kinds=rename,unlink,mkdir
run simulate ball.json -o old --steps 2 -q
run plot old --figure energy
force="simulate ball.json -o r/run --force --steps 5 -q"

# whole: r/run is the old folder or the new one.
whole() {
    case $(rows r/run) in
    3) diff -r old r/run >found ;;
    6) [ -s r/run/trajectory.h5 ] && [ ! -e r/run/figures ] ;;
    *) false ;;
    esac
}
# killed WORDS...: kill at each call, WORDS before the command; then --force again. With WORDS a kill may
# come between two renames, and the next --force starts with the old folder.
killed() {
    bad= k=0 apart=0
    while :; do
        k=$((k + 1))
        rm -rf r && mkdir r && cp -r old r/run
        "$trace" --calls "$kinds" --kill "$k" -- "$@" "$perp" $force >out 2>err
        status=$?
        [ "$status" -ne 0 ] || break
        left=$(names r)
        [ "$status" -eq 137 ] || { bad="$bad $k: status $status;" && break; }
        if [ ! -e r/run ] && [ -n "${1:-}" ]; then
            apart=$((apart + 1))
            "$perp" $force --within 1us >out 2>err
        fi
        { whole || bad="$bad $k: $left is not whole;"; }
        "$perp" $force >out 2>err && [ "$(rows r/run)" -eq 6 ] && [ "$(names r)" = "run " ] ||
            bad="$bad $k: $left became $(names r);"
    done
    echo "$k calls, $apart without the folder:$bad" >found
    [ "$k" -gt 8 ] && [ -z "$bad" ]
}
killed
ok $? "a kill at each call leaves the old folder or the new one, and the next --force the new one alone"

if command -v "${CC:-cc}" >/dev/null 2>&1; then
    cat >apart.c <<'END'
#include <errno.h>
int renameat2(int a, const char *b, int c, const char *d, unsigned e)
{
    (void)a, (void)b, (void)c, (void)d, (void)e;
    errno = EINVAL;
    return -1;
}
END
    ${CC:-cc} -shared -fPIC -o apart.so apart.c
    killed env LD_PRELOAD="$work/apart.so" && [ "$apart" -gt 0 ]
    ok $? "names that cannot be exchanged: the next --force puts the old folder back"
fi

# A removal that fails once, after the names were exchanged, is made again.
rm -rf r && mkdir r && cp -r old r/run
"$trace" --calls "$kinds" --list calls -- "$perp" $force >out 2>err
swap=$(sed -n 's/^\([0-9]*\) [0-9]* renameat2 .*/\1/p' calls | tail -1)
rm -rf r && mkdir r && cp -r old r/run
"$trace" --calls "$kinds" --fail $((swap + 1)) --errno EACCES -- "$perp" $force >out 2>err
[ $? -eq 0 ] && [ ! -s err ] && [ "$(rows r/run)" -eq 6 ] && [ "$(names r)" = "run " ]
ok $? "an old file that could not be removed at first is removed"
echo "1..$count"
