#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs.sh: the pages agree with the tree: links, lengths, the two walks of CONTRIBUTING.md, the
# targets of make help. Prints TAP.
set -u
suite=docs
work=${PERP_BUILD:?}/tests/scratch/docs
source=${PERP_SOURCE:?}
rm -rf "$work"
. "$source/tests/support/tap.sh"
cd "$source" || exit 99
found=$work/found

# Pages that people wrote; runs and tables that programs wrote have links of their own.
pages=$(find README.md CONTRIBUTING.md CHANGELOG.md docs experiments python octave datasets web tests \
    paper interop command -name '*.md' ! -path '*/template/*' ! -path '*/scratch/*' | sort)

# shellcheck disable=SC2086 # names of pages have no blanks
awk 'FNR == 1 { code = 0 } /^```/ { code = !code } code { next } {
    folder = FILENAME
    if (!sub(/[^\/]*$/, "", folder)) folder = ""
    while (match($0, /\]\([^) ]*\)/)) {
        link = substr($0, RSTART + 2, RLENGTH - 3)
        $0 = substr($0, RSTART + RLENGTH)
        if (link ~ /^(https?|mailto):/) continue
        anchor = link ~ /#/ ? link : ""
        sub(/^[^#]*#?/, "", anchor)
        sub(/#.*/, "", link)
        print FILENAME ":" FNR, (link == "" ? FILENAME : folder link), anchor
    } }' $pages >"$work/links"
: >"$found"
while read -r place target anchor; do
    if [ ! -e "$target" ]; then
        echo "$place: no file $target" >>"$found"
    elif [ -n "$anchor" ] && ! awk -v want="$anchor" '/^#/ {
            name = tolower($0)
            sub(/^#+ */, "", name)
            gsub(/[^a-z0-9 _-]/, "", name)
            gsub(/ /, "-", name)
            if (name == want) hit = 1 } END { exit !hit }' "$target"; then
        echo "$place: no heading $anchor in $target" >>"$found"
    fi
done <"$work/links"
[ "$(wc -l <"$work/links")" -gt 200 ] && [ ! -s "$found" ]
ok $? "every link leads to a file or a heading"

: >"$found"
for page in README.md CONTRIBUTING.md; do
    [ "$(wc -l <$page)" -le 160 ] || echo "$page: $(wc -l <$page) lines, expected at most 160" >>"$found"
    awk -v page=$page 'length > 100 { print page ":" FNR ": more than 100 columns" }' $page >>"$found"
done
[ ! -s "$found" ]
ok $? "README.md and CONTRIBUTING.md have at most 160 lines of 100 columns"

# | `function` | `file` | what it does |
awk -F '`' '/^\| `[a-z_]*` \| `[a-z_\/]*\.c` \|/ { print $2, $4 }' CONTRIBUTING.md >"$work/walks"
: >"$found"
while read -r name file; do
    awk -v name="$name" '
        /^[A-Za-z_].*\(/ && $0 ~ "(^|[ *])" name "\\(" { head = 1 }
        head && /;/ { head = 0 }
        head && /^\{/ { hit = 1 }
        END { exit !hit }' "$file" 2>>"$found" || echo "no function $name in $file" >>"$found"
done <"$work/walks"
[ "$(wc -l <"$work/walks")" -ge 30 ] && [ ! -s "$found" ]
ok $? "every function of the two walks is in the file that is named"

# Files and folders of the tree, as `folder/…/name`; programs and logs of a build have another end.
: >"$found"
# shellcheck disable=SC2016 # backquotes of Markdown
grep -ohE '`[a-z][A-Za-z_-]*(/[A-Za-z0-9_.-]+)+`' CONTRIBUTING.md docs/extend.md >"$work/named"
# shellcheck disable=SC2016,SC2086
grep -ohE '`(build-aux|command|datasets|docs|experiments|interop|libdynamics|libsolvers|octave|paper|python|tests|web)(/[A-Za-z0-9_.+-]+)+`' \
    $(printf '%s\n' $pages | grep -v '/SOURCE.md$') >>"$work/named"
tr -d '`' <"$work/named" | grep -vE 'NAME|FAMILY|CODE|STUDY' | sort -u >"$work/files"
while read -r file; do
    for place in "$file" "libsolvers/$file" "libdynamics/$file" "command/results/$file" "${file%.*}".*; do
        [ ! -e "$place" ] || continue 2
    done
    echo "no file $file" >>"$found"
done <"$work/files"
[ "$(wc -l <"$work/files")" -ge 100 ] && [ ! -s "$found" ]
ok $? "every file that a page names exists"

sed -n 's/^  \([a-z][a-z_., -]*[a-z]\)  .*/\1/p' build-aux/help.txt | tr -d , | tr ' ' '\n' | sort >"$work/listed"
sed -n 's/^\([a-z][a-z_.-]*\):\([^=].*\|\)$/\1/p' Makefile.am ./*/local.mk ./*/*/local.mk | sort -u >"$work/targets"
printf '%s\n' all check dist distcheck install uninstall >>"$work/targets"
: >"$found"
while read -r target; do
    grep -qx -- "$target" "$work/targets" || echo "no target $target" >>"$found"
done <"$work/listed"
awk '/\\$/ { sub(/\\$/, ""); printf "%s", $0; next } { print }' Makefile.am ./*/local.mk ./*/*/local.mk build-aux/prefix.mk |
    sed -n 's/^\.PHONY: *//p' | tr -s ' ' '\n' | grep . | sort -u >"$work/phony"
while read -r target; do
    case $target in
    # Steps of other targets.
    help | fuzzers | commit-now | check-prefix | fuzz-build | install-studies | uninstall-studies | paper-runs) continue ;;
    esac
    grep -qx -- "$target" "$work/listed" || echo "make help does not list $target" >>"$found"
done <"$work/phony"
[ "$(wc -l <"$work/listed")" -ge 30 ] && [ ! -s "$found" ]
ok $? "make help lists all targets, and each exists"
echo "1..$count"
