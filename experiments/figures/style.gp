# SPDX-License-Identifier: Apache-2.0
# style.gp: lines that differ in black and white, too: dash, point and shade vary, each with its
# own period, so that the first sixty lines differ in at least one of them.
set encoding utf8
if (!exists('into')) into = ''
set border 3 lw 0.8
set tics nomirror scale 0.5
set grid back lc rgb '#d8d8d8' lw 0.5 dt 1
set key samplen 3 spacing 1.05
shades = '#000000 #0b4f8a #b0452c #3f7d3a #7a4f9a #8a8a8a #c08a00 #2f8f9a #5a2d0c #b05a90 #44546a #9aa000'
dashes = '1 2 4 5 3'
marks = '7 5 9 13 11 6 4 8 12 10 15'
pick(list, i) = word(list, (i - 1) % words(list) + 1)
do for [i = 1:60] {
    set style line i lc rgb pick(shades, i) lw 1.6 dt int(pick(dashes, i)) pt int(pick(marks, i)) ps 0.55
}
style_of(i) = (i - 1) % 60 + 1
# Text longer than a line of the figure is cut, with an ellipsis.
line_length = int(wide * 72.0 / (0.6 * points))
cut(text, length) = strlen(text) > length ? text[1:length - 1] . '…' : text
# A shortened label keeps the power that was fitted.
cut_label(text, length) = (k = strstrt(text, ': n^'), \
    k ? cut(text[1:k - 1], length - strlen(text) + k - 1) . text[k:] : cut(text, length))
label_length = line_length - 14
# The key is below the figure, in as many columns as its widest entry permits. A figure whose key
# needs more than six rows is drawn higher than requested.
key_columns(entries, widest) = (k = int(line_length / (widest + 10.0)), \
    k < 1 ? 1 : (k > 4 ? 4 : (k > entries ? entries : k)))
key_rows(entries, widest) = (k = key_columns(entries, widest), (entries + k - 1) / k)
tall(rows) = high + (rows > 6 ? 1.45 * (rows - 6) * points / 72.0 : 0)
# Share of the height of the figure taken by the x labels, their title and the rows of the key.
key_height(rows) = (3.6 + 1.45 * rows) * points / 72.0 / tall(rows)
