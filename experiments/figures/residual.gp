# SPDX-License-Identifier: Apache-2.0
# residual.gp: the common residual on the way, against time and against products with A. The
# grey line is the tolerance; a cross marks where a run ended without reaching it.
file = 'data/' . name . '.dat'
set title heading offset 0, -0.5 noenhanced
set ylabel 'RES'
unset logscale
set logscale y 10
set format y '10^{%T}'
set yrange [1e-17 < * : *]
set key outside center bottom horizontal maxcols 2 noenhanced
array against[2] = ['time', 'work']
array axis[2] = ['solver time [s]', 'products with A']
do for [view = 1:2] {
    out = name . '_' . against[view]
    set xlabel axis[view] offset 0, 0.4
    set logscale x 10
    set xrange [*:*]
    set format x (view == 1 ? '10^{%T}' : '%g')
    # The start has no time and no work: it stands at the left edge.
    least = view == 1 ? first : 0.5
    do for [kind in terminals] {
        load 'gp/terminal.gp'
        plot tolerance with lines lc rgb '#9a9a9a' lw 1 dt 1 notitle, \
             for [i = 1:curves] file index (2 * i - 2) using (column(view) > least ? column(view) : least):3 with linespoints ls i pointinterval -8 title columnheader(1), \
             for [i = 1:curves] file index (2 * i - 1) using (column(view) > least ? column(view) : least):3 with points pt 2 ps 0.9 lw 1.5 lc rgb shade(i) notitle
        unset output
    }
}
unset logscale
