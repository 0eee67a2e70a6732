#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# systems.sh SOURCE FOLDER STEPS SUITE...: the first steps of a user (arguments of quickstart; "start" means none) on
# bare Debian systems in FOLDER, as root. Prints one line per suite and step: time and result.
# FOLDER/SUITE.base is the bare system and stays; FOLDER/SUITE is a copy of it; FOLDER/SUITE-STEP.log has the output.
# MIRROR is the source of packages; default: that of apt on this machine.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
steps=$3
shift 3

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null 2>&1; then
    echo 'systems: needs root and debootstrap (apt-get install debootstrap)'
    exit 77
fi
: "${MIRROR=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' | head -n 1)}"

# inside ROOT COMMAND: in a name space of its own, so that mounts and processes end with it.
inside() {
    # shellcheck disable=SC2016 # the inner shell expands $1 and $2
    unshare --mount --pid --fork --kill-child sh -euc '
        mount -t proc proc "$1/proc"
        for place in dev sys; do mount --rbind "/$place" "$1/$place"; done
        exec chroot "$1" env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -euc "$2"
    ' inside "$1" "$2" </dev/null
}

fresh() { # SUITE: a bare system with the files of this checkout in /perp
    base=$folder/$1.base
    if [ ! -d "$base" ]; then
        rm -rf "$base.new"
        debootstrap --variant=minbase "$1" "$base.new" "$MIRROR" >"$folder/$1-base.log" 2>&1 ||
            { tail -n 5 "$folder/$1-base.log"; return 1; }
        mv "$base.new" "$base"
    fi
    rm -rf "${folder:?}/$1"
    cp -a "$base" "$folder/$1"
    cp /etc/resolv.conf "$folder/$1/etc/resolv.conf"
    mkdir "$folder/$1/perp"
    (cd "$source" && git ls-files -z --cached --others --exclude-standard | tar --null --no-recursion --ignore-failed-read -cf - -T -) | tar -xf - -C "$folder/$1/perp"
}

status=0
for suite; do
    fresh "$suite" || { status=1; continue; }
    for step in $steps; do
        log=$folder/$suite-$step.log
        words=$step
        [ "$step" != start ] || words=
        begin=$(date +%s)
        end='passed'
        inside "$folder/$suite" "cd /perp && ./quickstart $words" >"$log" 2>&1 || { end='FAILED'; status=1; }
        seconds=$(($(date +%s) - begin))
        printf '%-10s quickstart %-8s %2d min %2d s  %s  %s\n' "$suite" "$words" $((seconds / 60)) $((seconds % 60)) "$end" \
            "$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" || tail -n 1 "$log")"
    done
done
exit $status
