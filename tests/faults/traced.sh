#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The program trace, on commands of a few calls. Speaks TAP.
set -u
source=${PERP_SOURCE:-.}
build=${PERP_BUILD:-.}
work=$build/tests/scratch/trace.$$
suite=trace
trace=$build/tests/faults/trace
"$trace" -- true 2>/dev/null
[ $? -ne 77 ] || { echo "1..0 # SKIP no process can be traced here"; exit 0; }
. "$source/tests/support/tap.sh"
work=$(cd "$work" && pwd -P)

# Nine calls: open, write, open, write, rename by a child, mkdir, rmdir, open, and an open of a child.
cat >"$work/calls.sh" <<'END'
cd "$1" || exit 9
echo a >f
echo b >>f
(mv f g)
mkdir h
rmdir h
: >k
(: >l)
read line <g
exit 3
END

# calls OPTIONS...: run them in a new folder; the status in $status, what is there in $files.
calls() {
    rm -rf "$work/new" && mkdir "$work/new"
    "$trace" "$@" -- sh "$work/calls.sh" "$work/new" >"$work/out" 2>"$work/err"
    status=$?
    files=$(cd "$work/new" && ls | tr '\n' ' ')
}

calls --count "$work/count" --list "$work/found"
[ "$status" -eq 3 ] && [ "$(cat "$work/count")" -eq 9 ] && [ "$files" = "g k l " ] &&
    [ "$(wc -l <"$work/found")" -eq 9 ] && grep -q '^2 [0-9]* write .*/new/f$' "$work/found" &&
    grep -q '^6 [0-9]* mkdir[a-z]* h$' "$work/found"
ok $? "every call is counted and named, and the command keeps its exit status"

found=
for k in 1 2 3 4 5 6 7 8 9 10; do
    calls --kill $k
    found="$found$k:$status:$(echo $files | tr ' ' ,) "
done
echo "$found" >"$work/found"
[ "$found" = "1:137: 2:137:f 3:137:f 4:137:f 5:137:f 6:137:g 7:137:g,h 8:137:g 9:137:g,k 10:3:g,k,l " ]
ok $? "a kill before each call leaves what the calls before it have made"

calls --kill 2 --after
[ "$status" -eq 137 ] && [ "$(cat "$work/new/f")" = a ]
ok $? "a kill after a call leaves what it has made"

calls --kill 2 --torn
[ "$status" -eq 137 ] && [ "$(wc -c <"$work/new/f")" -eq 1 ]
ok $? "a torn write leaves half of its bytes"

calls --fail 6 --errno EACCES
[ "$status" -eq 3 ] && [ "$files" = "g k l " ] && grep -qi 'permission' "$work/err"
ok $? "a call fails with the error that is asked for"

calls --fail 5 --errno EIO
[ "$files" = "f k l " ] && grep -qi 'input/output' "$work/err"
ok $? "a call of a child fails, too"

calls --calls mkdir,unlink --count "$work/count" --fail-from 1
[ "$(cat "$work/count")" -eq 2 ] && [ "$files" = "g k l " ] && [ "$(wc -l <"$work/err")" -eq 2 ]
ok $? "of the kinds that are asked for, every call from one on fails"

calls --only-first --calls open,rename --count "$work/count"
[ "$(cat "$work/count")" -eq 3 ]
ok $? "calls of children are left out where that is asked for"

# The child is killed at its rename; its parent goes on.
calls --alone --kill 5
[ "$status" -eq 3 ] && [ "$files" = "f k l " ]
ok $? "one process alone is killed"

calls --only-children --calls open,rename --count "$work/count"
[ "$(cat "$work/count")" -eq 2 ] && calls --program mv --calls rename --count "$work/count" &&
    [ "$(cat "$work/count")" -eq 1 ]
ok $? "calls of children alone, or of one program, are counted where that is asked for"

calls --calls open-any --count "$work/count"
[ "$(cat "$work/count")" -gt 8 ]
ok $? "opens for reading are counted where that is asked for"

"$trace" -- "$work/missing" 2>"$work/err"
[ $? -eq 127 ] && "$trace" --calls bogus -- true 2>>"$work/err"
[ $? -eq 125 ] && "$trace" --kill 0 -- true 2>>"$work/err"
[ $? -eq 125 ] && "$trace" -- sh -c 'kill -TERM $$' 2>>"$work/err"
[ $? -eq 143 ]
ok $? "commands that are missing, wrong words and signals have their exit status"

echo "1..$count"
