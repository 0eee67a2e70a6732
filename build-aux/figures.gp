# SPDX-License-Identifier: Apache-2.0
# figures.gp: the style sheet of command/figures for pictures of the documentation that other
# programs draw: axes, ticks outside, solid grid, colours and markers of style.c in their order.
colours = '#0072B2 #D55E00 #009E73 #000000 #56B4E9 #CC79A7 #E69F00 #6B4E00 #8c8c8c'
markers = '7 5 9 13 11 15 4 6 8'
set border 3 lw 0.8 lc rgb '#303030'
set tics out scale 0.5,0.25 nomirror textcolor rgb '#303030'
set xlabel textcolor rgb '#303030'
set ylabel textcolor rgb '#303030'
set key textcolor rgb '#303030'
set grid xtics ytics back lt 1 lc rgb '#dcdcdc' lw 0.7 dt 1
