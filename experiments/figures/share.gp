# SPDX-License-Identifier: Apache-2.0
# share.gp: of all problems of a set, how many each solver solved, and how the rest ended.
file = 'data/' . name . '.dat'
out = name
set title heading offset 0, -0.5 noenhanced
unset logscale
unset xlabel
set ylabel 'share of all problems'
set xrange [-0.6:curves - 0.4]
set yrange [0:1]
set format x '%s'
set format y '%g'
set style data histograms
set style histogram rowstacked
set style fill pattern border lc rgb '#000000'
set boxwidth 0.7
set xtics rotate by -30 noenhanced scale 0
set key outside center bottom horizontal maxcols 2
do for [kind in terminals] {
    load 'gp/terminal.gp'
    plot file every ::1 using 2:xtic(1) fs solid 1.0 lc rgb '#1f3f66' title 'solved', \
         '' every ::1 using 3 fs pattern 4 lc rgb '#4f7fb0' title 'solved its model only', \
         '' every ::1 using 4 fs solid 0.35 lc rgb '#b0452c' title 'failed', \
         '' every ::1 using 5 fs pattern 0 lc rgb '#8a8a8a' title 'unsuitable or not run'
    unset output
}
set xtics norotate autofreq enhanced scale default
set style data points
