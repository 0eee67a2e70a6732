# SPDX-License-Identifier: Apache-2.0
# style.gp: lines that stay apart in black and white: dash, point and shade all vary.
set encoding utf8
set border 3 lw 0.8
set tics nomirror scale 0.5
set grid back lc rgb '#d8d8d8' lw 0.5 dt 1
set key samplen 2.6 spacing 1.05
shades = '#000000 #0b4f8a #b0452c #3f7d3a #7a4f9a #8a8a8a #c08a00 #2f8f9a #5a2d0c #b05a90 #44546a #9aa000'
dashes = '1 2 4 5 3 1 2 4 5 3 1 2'
marks = '7 5 9 13 11 6 4 8 12 10 1 2'
shade(i) = word(shades, (i - 1) % 12 + 1)
dash(i) = int(word(dashes, (i - 1) % 12 + 1))
mark(i) = int(word(marks, (i - 1) % 12 + 1))
do for [i = 1:12] {
    set style line i lc rgb shade(i) lw 1.6 dt dash(i) pt mark(i) ps 0.45
}
