/* SPDX-License-Identifier: Apache-2.0
 * figures/text.c: texts of figures: how wide they are, and how a terminal writes them. */
#include <config.h>

#include <string.h>

#include "base/text.h"
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

/* Bytes of the text that the next character or mark stands for. *shown: what is drawn for them, with
 * its bytes; a mark is made in `mark`, so that no name changes a page, and no two look alike. */
static size_t text_next(const char *text, char mark[PERP_TEXT_MARK], const char **shown,
                        size_t *bytes)
{
    uint32_t code = 0;

    *bytes = perp_text_character(text, &code);
    *shown = text;
    if (*bytes > 0 && !perp_text_is_control(code)) {
        return *bytes;
    }
    *shown = mark;
    code = (uint32_t)perp_text_mark(text, mark);
    *bytes = strlen(mark);
    return code;
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

/* Width of what is drawn: a character, or a mark of ASCII. */
static double text_shown_width(const char *shown, size_t bytes, const char *mark)
{
    double width = 0.0;

    if (shown != mark) {
        return text_advance(shown, bytes);
    }
    for (size_t k = 0; k < bytes; k++) {
        width += text_advance(shown + k, 1);
    }
    return width;
}

double figure_text_width(const char *text)
{
    char mark[PERP_TEXT_MARK];
    const char *shown = NULL;
    size_t bytes = 0;
    double width = 0.0;

    while (*text) {
        text += text_next(text, mark, &shown, &bytes);
        width += text_shown_width(shown, bytes, mark);
    }
    return width;
}

char *figure_text_fit(char *out, size_t length, const char *text, double width)
{
    static const char dots[] = "…";
    char mark[PERP_TEXT_MARK];
    const char *shown = NULL;
    size_t n = 0, bytes = 0;
    double used = 0.85;

    if (figure_text_width(text) <= width &&
        perp_text_show(out, length, text) + PERP_TEXT_MARK < length) {
        return out;
    }
    while (*text) {
        text += text_next(text, mark, &shown, &bytes);
        used += text_shown_width(shown, bytes, mark);
        if (used > width || n + bytes + sizeof dots > length) {
            break;
        }
        memcpy(out + n, shown, bytes);
        n += bytes;
    }
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

/* The terminals of gnuplot read a text as enhanced when one of these is in it, and else as it stands;
 * that for SVG reads every text so. Raised characters are written with one. */
static bool text_has_marks(const char *text)
{
    bool found = strpbrk(text, "{}^_@&~") != NULL;

    for (size_t bytes; *text && !found; text += bytes ? bytes : 1) {
        size_t k = SIGNS;

        bytes = perp_text_character(text, NULL);
        k = text_sign(text, bytes);
        found = k < SIGNS && signs[k].raised;
    }
    return found;
}

/* What a backslash does depends on the terminal, unless the text is enhanced; marks have one. */
static bool text_has_backslash(const char *text)
{
    return strchr(text, '\\') || text[perp_text_shown(text)];
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
        size_t bytes = perp_text_character(text + n, NULL);
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

/* A character of several bytes for LaTeX; letters of Latin-1 are known to inputenc, others have a
 * mark. */
static void text_sign_latex(FILE *out, const char *text, size_t bytes, bool tick)
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
        char mark[PERP_TEXT_MARK];

        perp_text_mark(text, mark);
        for (const char *c = mark; *c; c++) {
            text_latex(out, *c, tick);
        }
    }
}

/* A quote within quotes could be doubled, but gnuplot 5.4 does not read two of them in a row: an
 * apostrophe stands for it. */
void figure_text_write(FILE *out, const char *text, bool latex, bool tick)
{
    bool marks = text_has_marks(text),
         forced = !latex && !marks && text_has_backslash(text);
    bool enhanced = !latex && (marks || forced);
    char mark[PERP_TEXT_MARK];
    const char *shown = NULL;
    size_t bytes = 0;

    fputs(forced ? "'{}" : "'", out);
    while (*text) {
        size_t raised = text_exponent(out, text, latex);

        text += raised > 0 ? raised : text_next(text, mark, &shown, &bytes);
        if (raised > 0) {
            continue;
        }
        if (shown != mark && bytes > 1 && latex) {
            text_sign_latex(out, shown, bytes, tick);
        } else if (shown != mark && bytes > 1) {
            fwrite(shown, 1, bytes, out);
        }
        for (size_t k = 0; k < bytes && (shown == mark || bytes == 1); k++) {
            if (latex) {
                text_latex(out, shown[k], tick);
            } else {
                text_enhanced(out, shown[k], enhanced, tick);
            }
        }
    }
    fputc('\'', out);
}

void figure_text_plain(FILE *out, const char *text)
{
    char mark[PERP_TEXT_MARK];
    const char *shown = NULL;
    size_t bytes = 0;

    fputc('\'', out);
    while (*text) {
        text += text_next(text, mark, &shown, &bytes);
        if (*shown == '\'') {
            fputs("’", out);
        } else {
            fwrite(shown, 1, bytes, out);
        }
    }
    fputc('\'', out);
}
