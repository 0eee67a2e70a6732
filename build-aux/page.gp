# SPDX-License-Identifier: Apache-2.0
# page.gp: the residual against iterations on the instances of pages.sh, in the style of
# command/figures; the dashed line is 1e-8, and zero is drawn at 1e-17.
set encoding utf8
load style
set terminal svg enhanced size 640,400 font 'Helvetica,13.33' background rgb 'white'
set output out
set xlabel 'iterations + 1'
set ylabel 'residual'
set logscale xy
set format x '10^{%T}'
set format y '10^{%T}'
set yrange [1e-17:10<*<1e6]
set xrange [1:*]
set key below left Left reverse vertical noenhanced samplen 3
set arrow 1 from graph 0, first 1e-8 to graph 1, first 1e-8 nohead back lc rgb '#8c8c8c' lw 1 \
    dt (2,1.4)
plot for [i = 0:count - 1] data index i using ($1):2 with linespoints pointnumber 8 lw 1.6 \
    lc rgb word(colours, i + 1) dt int(word('1 2 4', i + 1)) pt int(word(markers, i + 1)) ps 0.6 \
    title columnheader(1)
