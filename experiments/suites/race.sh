#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# race.sh: prints a suite that races auto against every solver, family by family.
#
#     race.sh HALF SECONDS SIZES SEEDS SOLVERS FOLDER [CAPTURED]
#
# HALF is `learn` or `test`: the halves differ by their seeds, and by the sizes of scenes that
# draw nothing. The seeds of `test` were fixed before any of its problems was solved; if
# you change the table of auto by what they show, take new ones. SECONDS is the limit of a
# solve, SIZES the rows of the larger problems, above 64, in words ("100 200"); contact problems
# have a third as many contacts. SEEDS is the number of seeds, SOLVERS `all` or the names that
# are raced, in words; auto is always one of them. FOLDER is the source tree, CAPTURED a folder
# of more contact problems that were captured from scenes.
half=${1:-learn}
seconds=${2:-10}
sizes=${3:-100 200 400 800}
seeds=${4:-3}
solvers=${5:-all}
folder=${6:-../..}
captured=$7

case $half in
learn) first=1 levels="3 5 10" boxes="3 5 20" ;;
test) first=20001 levels="4 7 12" boxes="4 7 15" ;;
*) echo "race.sh: the half is \"$half\", expected learn or test" >&2; exit 2 ;;
esac
last=$((first + seeds - 1))
seeds=$first..$last

# Solvers in the order of `perp info solvers`; a wrapper runs with its usual inner solver.
linear="lemke dantzig keller murty bard bpp enumerate prox:bpp prox:dantzig jacobi pgs psor spgs
    nncg anderson mpgp kprgp spg apgd admm fb minmap ipm"
bounded="lemke dantzig murty bard bpp enumerate prox:bpp prox:dantzig jacobi pgs psor spgs nncg anderson mpgp kprgp
    spg apgd admm fb minmap ipm"
boxed_friction="dantzig friction-path prox:dantzig prox:friction-path tresca:dantzig lemke jacobi
    pgs psor nsgs nncg anderson prox-newton nsgs+newton fb ipm"
coulomb="jacobi pgs psor spgs nsgs nncg anderson ds:mpgp ds:kprgp ds:spg spg-inline ds:apgd apgd-inline ds:admm
    admm-ncp ac prox-newton nsgs+newton ipm-socp ipm-coulomb tresca panagiotopoulos staggered"
convex="jacobi pgs psor spgs nsgs nncg anderson mpgp kprgp spg spg-inline apgd admm admm-ncp ac
    prox-newton nsgs+newton ipm-socp"

# raced LIST: the names of LIST that are in SOLVERS, as JSON.
raced() {
    for s in $1 auto; do
        case " $solvers auto " in
        *" all "* | *" $s "*) printf ', "%s"' "$s" ;;
        esac
    done | sed 's/^, //'
}

# of_sizes CALL: the call with @N replaced by each size, @C by a third of it, @T by a tenth.
of_sizes() {
    for n in $sizes; do
        echo "$1" | sed "s/@N/$n/g; s/@C/$(((n + 2) / 3))/g; s/@T/$(((n + 9) / 10))/g"
    done
}

# set_of NAME SOLVERS [RULE]: a set of the instances on the input, one per line.
set_of() {
    printf '  {"name": "%s", %s\n   "instances": [\n' "$1" "$3"
    sed 's/.*/    "&"/; $!s/$/,/'
    printf '   ],\n   "solvers": [%s]}' "$(raced "$2")"
}

data=$folder/datasets
printf '{"name": "race-%s", "title": "auto against every solver, the half \\"%s\\"",\n' \
    "$half" "$half"
printf ' "limits": {"seconds": %s, "megabytes": 4096}, "repeats": 3, "history": false,\n' \
    "$seconds"
printf ' "sets": [\n'

{
    for n in 1 2 3 6 10 14 20 40 64; do
        echo "generate:spd:n=$n,seed=$seeds"
        echo "generate:normal-contacts:n=$n,seed=$seeds"
        echo "generate:harker-pang:n=$n,seed=$seeds"
        echo "generate:degenerate:n=$n,seed=$seeds"
    done
    echo "generate:pyramid:contacts=1,seed=$seeds"
    echo "generate:pyramid:contacts=3,seed=$seeds"
    echo "$data/siconos-lcp/lcp_*.dat"
} | set_of "small-LCP" "$linear"
printf ',\n'
{
    of_sizes "generate:spd:n=@N,seed=$seeds"
    of_sizes "generate:spd:n=@N,shift=0,condition=1e6,known=off,seed=$seeds"
    of_sizes "generate:spd:n=@N,shift=0,condition=1e10,known=off,seed=$seeds"
    of_sizes "generate:degenerate:n=@N,seed=$seeds"
} | set_of "positive-definite-LCP" "$linear"
printf ',\n'
{
    of_sizes "generate:normal-contacts:n=@N,seed=$seeds"
    of_sizes "generate:normal-contacts:n=@N,rank=0.2,active=0.8,seed=$seeds"
    of_sizes "generate:integer-psd:n=@N,rank=@C,seed=$seeds"
} | set_of "rank-deficient-LCP" "$linear"
printf ',\n'
{
    of_sizes "generate:pyramid:contacts=@T,seed=$seeds"
    of_sizes "generate:pyramid:contacts=@T,mu-high=1.2,density=6,seed=$seeds"
    of_sizes "generate:qp-kkt:variables=@C,constraints=@C,seed=$seeds"
} | set_of "LCP-with-a-zero-diagonal" "$linear"
printf ',\n'
{
    of_sizes "generate:harker-pang:n=@N,seed=$seeds"
    of_sizes "generate:harker-pang:n=@N,easy=on,seed=$seeds"
} | set_of "asymmetric-LCP" "$linear"
printf ',\n'
{
    of_sizes "generate:spd-sparse:n=@N,seed=$seeds"
    of_sizes "generate:obstacle:n=@N"
    of_sizes "generate:obstacle-2d:m=@T"
    of_sizes "generate:journal-bearing:n=@N"
    of_sizes "generate:american-put:n=@N"
    of_sizes "generate:ahn:n=@N"
} | set_of "sparse-LCP" "$linear"
printf ',\n'
{
    for n in 3 9 30; do
        echo "generate:boxed:n=$n,seed=$seeds"
    done
    of_sizes "generate:boxed:n=@N,seed=$seeds"
    of_sizes "generate:boxed:n=@N,shift=0,condition=1e6,seed=$seeds"
    echo "$data/siconos-relay/*.dat"
    echo "$data/siconos-mlcp/*_mlcp.dat"
} | set_of "bounds" "$bounded"
printf ',\n'
{
    for c in 1 3 10; do
        echo "generate:friction-cloud:contacts=$c,seed=$seeds"
    done
    of_sizes "generate:friction-cloud:contacts=@C,seed=$seeds"
    of_sizes "generate:friction-cloud:contacts=@C,density=2,seed=$seeds"
} | set_of "box-friction" "$boxed_friction"
contacts() {
    for c in 1 2 3 5 10 20; do
        echo "generate:contacts:contacts=$c,seed=$seeds"
        echo "generate:random-cloud:contacts=$c,bodies=$(((c + 1) / 2 + 1)),seed=$seeds"
    done
    for mu in 0.3 0.7; do
        echo "generate:incline:mu=$mu"
        echo "generate:table:mu=$mu"
        echo "generate:stack:n=8,ratio=10,mu=$mu"
    done
    for n in 2 3 5; do
        echo "generate:wall:nx=$n,nz=$n,seed=$seeds"
        echo "generate:wall:nx=$n,nz=$n,mu=1.2,push=1,seed=$seeds"
    done
    of_sizes "generate:contacts:contacts=@C,seed=$seeds"
    of_sizes "generate:contacts:contacts=@C,density=2,seed=$seeds"
    of_sizes "generate:contacts:contacts=@C,density=6,mu-low=1.2,mu-high=1.2,seed=$seeds"
}
# Problems of one step of a scene, 10 to 1000 contacts: at rest from the start, sliding, in
# impact, and settled in a run by few sweeps.
scenes() {
    for n in $levels; do
        echo "scene:box-pyramid:levels=$n"
        echo "scene:box-pyramid:levels=$n,friction=0.3,slide=1"
        echo "scene:card-house:levels=$n"
        echo "scene:masonry-bridge:stones=$((6 * n + 1))"
    done
    for n in $boxes; do
        echo "scene:towers:towers=3,boxes=$n"
        echo "scene:wall:courses=$n,bricks=4"
    done
    for k in $(seq $first $last); do
        echo "scene:box-pyramid:levels=4,shake=1,seed=$k"
        echo "scene:box-pyramid:levels=8,shake=1,seed=$k"
        echo "scene:towers:towers=3,boxes=5,shake=1,seed=$k"
        echo "scene:wall:courses=4,shake=1,seed=$k"
        echo "scene:kapla:levels=4,disorder=0.005,seed=$k"
        echo "scene:gravel:count=27,by=nsgs,iterations=50,step=150,seed=$k"
        echo "scene:gravel:count=64,by=nsgs,iterations=50,step=250,seed=$k"
        echo "scene:sphere-pack:count=27,friction=coulomb,by=nsgs,iterations=50,step=100,seed=$k"
        echo "scene:sphere-pack:count=125,friction=coulomb,by=nsgs,iterations=50,step=150,seed=$k"
    done
}
printf ',\n'
scenes | set_of "captured-contact" "$coulomb"
printf ',\n'
scenes | set_of "captured-associated-contact" "$convex" '"friction": "associated",'
printf ',\n'
{
    contacts
    echo "$data/siconos-fc3d/*.dat"
    echo "$data/siconos-fc2d/*.dat"
    echo "$data/siconos-gfc3d/*.dat"
    echo "$data/fclib/local_problem_test.hdf5"
    echo "$data/fclib/Capsules-i125-1213.hdf5"
    echo "$data/fclib/Box_Stacks-i0122-82-5.hdf5"
    test -z "$captured" || echo "$captured/*"
} | set_of "frictional-contact" "$coulomb"
printf ',\n'
contacts | set_of "associated-contact" "$convex" '"friction": "associated",'
printf ',\n'
{
    echo "$data/siconos-rolling/*.dat"
    echo "$data/fclib/Chute-ndof-768-nc-4-3.hdf5"
} | set_of "rolling-contact" "$coulomb"
printf '\n]}\n'
