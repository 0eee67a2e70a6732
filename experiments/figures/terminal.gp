# SPDX-License-Identifier: Apache-2.0
# terminal.gp: set terminal and output for `kind` and `out`; sizes in inches.
if (kind eq 'svg') {
    set terminal svg size wide * 96, high * 96 font sprintf('%s,%g', face, points * 1.3) dashed
    set output out . '.svg'
} else { if (kind eq 'pngcairo' || kind eq 'png') {
    eval sprintf("set terminal %s size %d,%d font '%s,%g'", kind, wide * 200, high * 200, face, points * 2.2)
    set output out . '.png'
} else {
    eval sprintf("set terminal %s size %gin,%gin font '%s,%g'", kind, wide, high, face, points)
    ending = kind eq 'pdfcairo' ? '.pdf' : (kind eq 'epscairo' ? '.eps' : '.' . kind)
    set output out . ending
} }
