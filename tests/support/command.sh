# SPDX-License-Identifier: Apache-2.0
# Read by tests of the command that set $suite, its name, $perp, the command, and $work, a folder
# of their own.
NO_COLOR=1
export NO_COLOR
. "${PERP_SOURCE:-.}/tests/support/tap.sh"

# Run perp with the given words; its status in $status, its output in out and err.
run() {
    "$perp" "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# refuse SENTENCE MESSAGE WORDS…: exit status 2, one line that holds MESSAGE, nothing printed
# and nothing written.
refuse() {
    sentence=$1 message=$2
    shift 2
    rm -rf "$work/new"
    run "$@"
    [ "$status" -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] &&
        grep -qF -- "$message" "$work/err" && [ ! -e "$work/new" ]
    ok $? "$sentence"
}
