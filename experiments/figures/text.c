/* SPDX-License-Identifier: Apache-2.0
 * figures/text.c: texts of figures: how wide they are, and how a terminal writes them. */
#include <config.h>

#include <string.h>

#include "text.h"

/* Advance widths of DejaVu Sans for the characters from blank to tilde, in 1/100 of the size. */
static const unsigned char widths[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36,  32, 34, 64, 64, 64,
    64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63,
    58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63,  61, 73, 68, 99, 69,
    61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,  63, 63, 28, 28, 58,
    28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59,  52, 64, 34, 64, 84};

/* A character beyond ASCII: in LaTeX; raised ones also as what stands in an exponent. */
static const struct {
    const char *utf8, *latex, *raised;
} signs[] = {
    {"⁰", "0", "0"},
    {"¹", "1", "1"},
    {"²", "2", "2"},
    {"³", "3", "3"},
    {"⁴", "4", "4"},
    {"⁵", "5", "5"},
    {"⁶", "6", "6"},
    {"⁷", "7", "7"},
    {"⁸", "8", "8"},
    {"⁹", "9", "9"},
    {"⁻", "-", "−"},
    {"⁺", "+", "+"},
    {"ⁿ", "n", "n"},
    {"₀", "_0", NULL},
    {"₁", "_1", NULL},
    {"₂", "_2", NULL},
    {"≤", "\\leq", NULL},
    {"≥", "\\geq", NULL},
    {"≠", "\\neq", NULL},
    {"≈", "\\approx", NULL},
    {"∝", "\\propto", NULL},
    {"×", "\\times", NULL},
    {"±", "\\pm", NULL},
    {"−", "-", NULL},
    {"∞", "\\infty", NULL},
    {"√", "\\surd", NULL},
    {"∑", "\\textstyle\\sum", NULL},
    {"∂", "\\partial", NULL},
    {"∈", "\\in", NULL},
    {"‖", "\\|", NULL},
    {"→", "\\to", NULL},
    {"·", "\\cdot", NULL},
    {"°", "{}^\\circ", NULL},
    {"½", "\\frac12", NULL},
    {"α", "\\alpha", NULL},
    {"β", "\\beta", NULL},
    {"γ", "\\gamma", NULL},
    {"δ", "\\delta", NULL},
    {"Δ", "\\Delta", NULL},
    {"ε", "\\varepsilon", NULL},
    {"η", "\\eta", NULL},
    {"θ", "\\theta", NULL},
    {"κ", "\\kappa", NULL},
    {"λ", "\\lambda", NULL},
    {"μ", "\\mu", NULL},
    {"µ", "\\mu", NULL},
    {"ν", "\\nu", NULL},
    {"π", "\\pi", NULL},
    {"ρ", "\\rho", NULL},
    {"σ", "\\sigma", NULL},
    {"Σ", "\\Sigma", NULL},
    {"τ", "\\tau", NULL},
    {"φ", "\\varphi", NULL},
    {"χ", "\\chi", NULL},
    {"ψ", "\\psi", NULL},
    {"ω", "\\omega", NULL},
    {"Ω", "\\Omega", NULL},
};
enum { SIGNS = sizeof signs / sizeof *signs };

/* Bytes of the character at the front of the text; 0: it is not valid UTF-8. */
static size_t text_bytes(const char *text)
{
    unsigned char c = (unsigned char)*text;
    size_t n = c < 0x80                 ? 1
               : c >= 0xC2 && c <= 0xDF ? 2
               : c >= 0xE0 && c <= 0xEF ? 3
               : c >= 0xF0 && c <= 0xF4 ? 4
                                        : 0;

    for (size_t k = 1; k < n; k++) {
        if (((unsigned char)text[k] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return n;
}

/* Position in `signs`, or SIGNS. */
static size_t text_sign(const char *text, size_t bytes)
{
    size_t k = 0;

    while (k < SIGNS &&
           (strlen(signs[k].utf8) != bytes || memcmp(signs[k].utf8, text, bytes) != 0)) {
        k++;
    }
    return k;
}

const char *figure_text_math(const char *text, size_t bytes, bool *raised)
{
    size_t sign = text_sign(text, bytes);

    *raised = sign < SIGNS && signs[sign].raised;
    return sign < SIGNS ? signs[sign].latex : NULL;
}

static double text_advance(const char *text, size_t bytes)
{
    size_t sign = bytes > 1 ? text_sign(text, bytes) : SIGNS;

    if (bytes == 1 && *text >= ' ' && *text <= '~') {
        return widths[*text - ' '] / 100.0;
    }
    return sign < SIGNS && signs[sign].raised ? 0.5 : bytes == 3 ? 0.85 : 0.65;
}

double figure_text_width(const char *text)
{
    double width = 0.0;

    while (*text) {
        size_t bytes = text_bytes(text);

        bytes = bytes ? bytes : 1;
        width += text_advance(text, bytes);
        text += bytes;
    }
    return width;
}

char *figure_text_fit(char *out, size_t length, const char *text, double width)
{
    static const char dots[] = "…";
    double used = 0.85;
    size_t n = 0;

    if (figure_text_width(text) <= width && strlen(text) < length) {
        memcpy(out, text, strlen(text) + 1);
        return out;
    }
    while (text[n]) {
        size_t bytes = text_bytes(text + n);

        bytes = bytes ? bytes : 1;
        used += text_advance(text + n, bytes);
        if (used > width || n + bytes + sizeof dots > length) {
            break;
        }
        n += bytes;
    }
    memcpy(out, text, n);
    memcpy(out + n, dots, sizeof dots);
    return out;
}

/* A character of ASCII for LaTeX. */
static void text_latex(FILE *out, char c, bool tick)
{
    static const struct {
        char c;
        const char *latex;
    } marks[] = {{'\\', "{\\textbackslash}"},
                 {'^', "{\\textasciicircum}"},
                 {'~', "{\\textasciitilde}"},
                 {'`', "{\\textasciigrave}"},
                 {'<', "$<$"},
                 {'>', "$>$"},
                 {'|', "$|$"},
                 {'-', "-{}"},
                 {'"', "{\\textquotedblright}"},
                 {'\'', "{\\textquoteright}"}};

    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        if (marks[k].c == c) {
            fputs(marks[k].latex, out);
            return;
        }
    }
    if (strchr("{}$&#%_", c)) {
        fputc('\\', out);
    }
    fputc(c, out);
    if (c == '%' && tick) {
        fputc('%', out);
    }
}

/* gnuplot reads a text as enhanced when one of these is in it, and else as it stands. */
static bool text_is_enhanced(const char *text)
{
    bool enhanced = strpbrk(text, "{}^_@&~") != NULL;

    for (; *text && !enhanced; text++) {
        size_t k = text_sign(text, text_bytes(text));

        enhanced = k < SIGNS && signs[k].raised;
    }
    return enhanced;
}

/* A character of ASCII for gnuplot. */
static void text_enhanced(FILE *out, char c, bool enhanced, bool tick)
{
    if (enhanced && strchr("{}^_@&~\\", c)) {
        fputc('\\', out);
    }
    fputs(c == '\'' ? "’" : (char[]){c, '\0'}, out);
    if (c == '%' && tick) {
        fputc(c, out);
    }
}

/* Bytes of the raised characters at the front of the text, written as one exponent. */
static size_t text_exponent(FILE *out, const char *text, bool latex)
{
    size_t n = 0;

    for (;;) {
        size_t bytes = text[n] ? text_bytes(text + n) : 0;
        size_t k = bytes > 1 ? text_sign(text + n, bytes) : SIGNS;

        if (k == SIGNS || !signs[k].raised) {
            break;
        }
        if (n == 0) {
            fputs(latex ? "${}^{" : "^{", out);
        }
        fputs(latex ? signs[k].latex : signs[k].raised, out);
        n += bytes;
    }
    if (n > 0) {
        fputs(latex ? "}$" : "}", out);
    }
    return n;
}

/* A character of several bytes for LaTeX; letters of Latin-1 are known to inputenc. */
static void text_sign_latex(FILE *out, const char *text, size_t bytes)
{
    size_t k = text_sign(text, bytes);
    unsigned char first = (unsigned char)*text;

    if (k < SIGNS) {
        fprintf(out, "$%s$", signs[k].latex);
    } else if (bytes == 3 && memcmp(text, "–", 3) == 0) {
        fputs("--", out);
    } else if (bytes == 3 && memcmp(text, "—", 3) == 0) {
        fputs("---", out);
    } else if (bytes == 3 && memcmp(text, "…", 3) == 0) {
        fputs("{\\dots}", out);
    } else if (bytes == 2 && first == 0xC3) {
        fwrite(text, 1, bytes, out);
    } else {
        fputc('?', out);
    }
}

/* A quote within quotes could be doubled, but gnuplot 5.4 does not read two of them in a row: an
 * apostrophe stands for it. */
void figure_text_write(FILE *out, const char *text, bool latex, bool tick)
{
    bool enhanced = !latex && text_is_enhanced(text);

    fputc('\'', out);
    while (*text) {
        size_t bytes = text_bytes(text);
        size_t raised = bytes > 1 ? text_exponent(out, text, latex) : 0;

        if (raised > 0) {
            text += raised;
            continue;
        }
        if (bytes == 0) {
            fputc('?', out);
        } else if (bytes > 1 && latex) {
            text_sign_latex(out, text, bytes);
        } else if (bytes > 1) {
            fwrite(text, 1, bytes, out);
        } else if ((unsigned char)*text < ' ' || *text == 127) {
            fputc(' ', out);
        } else if (latex) {
            text_latex(out, *text, tick);
        } else {
            text_enhanced(out, *text, enhanced, tick);
        }
        text += bytes ? bytes : 1;
    }
    fputc('\'', out);
}

void figure_text_plain(FILE *out, const char *text)
{
    fputc('\'', out);
    while (*text) {
        size_t bytes = text_bytes(text);

        if (bytes == 0 || (bytes == 1 && ((unsigned char)*text < ' ' || *text == 127))) {
            fputc(bytes ? ' ' : '?', out);
        } else {
            fwrite(*text == '\'' ? "’" : text, 1, *text == '\'' ? 3 : bytes, out);
        }
        text += bytes ? bytes : 1;
    }
    fputc('\'', out);
}
