# SPDX-License-Identifier: Apache-2.0
# page.gp: the residual against iterations on the instances of pages.sh; the grey line is 1e-8, and
# zero is drawn at 1e-17. The key stands below the axes, clear of the lines.
set encoding utf8
set terminal svg size 640,420 font 'sans,12' background rgb 'white'
set output out
set title solver noenhanced
set xlabel 'iterations + 1'
set ylabel 'residual'
set logscale xy
set mxtics 1
set mytics 1
set format x '10^{%T}'
set format y '10^{%T}'
set yrange [1e-17:10<*<1e6]
set xrange [1:*]
set border 3
set tics nomirror
set grid back lc rgb '#d8d8d8' lw 0.5 dt 1
set key below left Left reverse vertical noenhanced samplen 3
set arrow 1 from graph 0, first 1e-8 to graph 1, first 1e-8 nohead back lc rgb '#8a8a8a' lw 1.2
plot for [i = 0:count - 1] data index i using ($1):2 with linespoints pointnumber 10 lw 1.6 \
    lc rgb word('#0b4f8a #b0452c #3f7d3a', i + 1) dt int(word('1 2 4', i + 1)) \
    pt int(word('7 5 9', i + 1)) ps 0.6 title columnheader(1)
