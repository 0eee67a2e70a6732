#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which room of the tree includes which: build-aux/rooms.sh, on this tree and on small ones.
set -u
suite=rooms
work=${PERP_BUILD:?}/tests/scratch/rooms
rm -rf "$work"
. "${PERP_SOURCE:?}/tests/support/tap.sh"

rooms() { # rooms TREE: its findings in $work/found
    sh "$PERP_SOURCE/build-aux/rooms.sh" "$1" >"$work/found" 2>&1
}
file() { # file PATH LINE: a file of one line in the small tree
    mkdir -p "$work/tree/${1%/*}"
    printf '%s\n' "$2" >"$work/tree/$1"
}
tree() { # a tree in which all is well
    rm -rf "$work/tree"
    file libsolvers/base/base.h '/* */'
    file libsolvers/core/core.h '#include "base/base.h"'
    file libdynamics/world/body.h '#include "base/base.h"'
    file libdynamics/step/step.c '#include "world/body.h"'
    file command/cli/args.c '#include "base/base.h"'
    file build-aux/rooms.txt '# rooms'
    printf '%s\n' libsolvers/base 'libsolvers/core libsolvers/base' \
        'libdynamics libsolvers/base' 'command/cli libsolvers/base' \
        >>"$work/tree/build-aux/rooms.txt"
}
finds() { # finds TEXT SENTENCE: the small tree is refused for that reason
    ! rooms "$work/tree" && grep -qF "$1" "$work/found"
    ok $? "$2"
}

rooms "$PERP_SOURCE"
ok $? "every include of this tree is one that build-aux/rooms.txt allows"

tree
rooms "$work/tree"
ok $? "a small tree that keeps to its table passes"

file command/cli/args.c '#include "core/core.h"'
finds 'command/cli/args.c:1: command/cli includes "core/core.h" of libsolvers/core' \
    "a private header of a library is found in the command"

tree
file libsolvers/base/base.h '#  include "core/core.h"'
finds 'libsolvers/base includes "core/core.h"' "an include against the direction is found"

tree
file libsolvers/core/core.h '#include <perp/dynamics/world.h>'
finds 'includes a header of libdynamics' "a header of the other library is found"

tree
file libdynamics/version.h '/* */'
file libdynamics/perp/dynamics/world.h '/* */'
file libdynamics/perp/dynamics/step.h '#include <perp/dynamics/world.h>'
printf '%s\n' 'libdynamics/world libsolvers/base' 'libdynamics/step libdynamics/world' \
    'headers libdynamics/world world' 'headers libdynamics/step step' \
    >>"$work/tree/build-aux/rooms.txt"
rooms "$work/tree"
ok $? "a public header that includes that of a lower room passes"
file libdynamics/world/body.h '#include <perp/dynamics/step.h>'
finds 'libdynamics/world includes <perp/dynamics/step.h> of libdynamics/step' \
    "a public header of a room above is found"

tree
file libsolvers/other/new.c '/* */'
finds 'no row of build-aux/rooms.txt' "a folder without a row is found"

tree
echo 'libsolvers/gone libsolvers/core' >>"$work/tree/build-aux/rooms.txt"
finds 'rooms.txt:6: no file in libsolvers/gone' "a row without a folder is found"

tree
echo 'libsolvers/base libsolvers/core' >>"$work/tree/build-aux/rooms.txt"
finds 'are a circle' "rooms that may include each other are found"

echo "1..$count"
