# SPDX-License-Identifier: Apache-2.0
# profile.gp: the picture of README.md. Five curves of the performance profile of the study
# `accuracy`, whose points are in paper/results. `make front-picture` sets style, data and out.
set encoding utf8
load style
set terminal svg enhanced size 640,330 font 'Helvetica,13.33' background rgb 'white'
set output out
names = 'ac nsgs ipm-coulomb admm-ncp auto'
points(name) = sprintf("<awk -F, '$3 == \"\\\"%s\\\"\" {print $5, $6}' %s", name, data)
set logscale x 2
set xrange [1:1024]
set yrange [0:1.02]
set xtics ('1' 1, '4' 4, '16' 16, '64' 64, '256' 256, '1024' 1024)
set ytics ('0' 0, '0.25' 0.25, '0.5' 0.5, '0.75' 0.75, '1' 1)
set xlabel 'time of the solver / least time of 23 solvers'
set ylabel 'share of 19 problems solved'
set key bottom right Left reverse vertical noenhanced samplen 2.5 invert
plot for [i = 1:words(names)] points(word(names, i)) with steps lw 2.2 \
    lc rgb word(colours, 6 - i) dt int(word('1 5 4 2 1', i)) title word(names, i)
