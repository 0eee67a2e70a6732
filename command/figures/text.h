/* SPDX-License-Identifier: Apache-2.0
 * figures/text.h: texts of figures: how wide they are, and how a terminal writes them. */
#ifndef PERP_FIGURES_TEXT_H
#define PERP_FIGURES_TEXT_H

#include <stdio.h>

#include <perp/base.h>

/** Characters that are not shown (base/text.h) have marks in all of these: "\n", "\u202e". */

/** Width of a text in letters of size 1: that of DejaVu Sans, which is wider than most. */
double figure_text_width(const char *text);
/** At most `width` wide: what is longer ends in "…". Returns `out`. */
char *figure_text_fit(char *out, size_t length, const char *text, double width);

/** The first character, of so many bytes, in the math of LaTeX: "\\mu"; NULL: it has none.
 *  *raised: it belongs in an exponent. */
const char *figure_text_math(const char *text, size_t bytes, bool *raised);

/** Write the text as a string of gnuplot between quotes that executes nothing: for LaTeX,
 *  or with the marks of gnuplot's enhanced mode. In ticks a percent sign is a format. */
void figure_text_write(FILE *out, const char *text, bool latex, bool tick);
/** The same without any markup. */
void figure_text_plain(FILE *out, const char *text);

#endif
