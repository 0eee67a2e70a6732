/* SPDX-License-Identifier: Apache-2.0
 * cli/manual.c: man pages from the tables of verbs and options. */
#include <config.h>

#include <ctype.h>
#include <string.h>

#include <perp/solver_type.h>

#include "command/cli/help.h"
#include "command/cli/page.h"

/* Text escaped for roff: no line starts with a request, and dashes can be copied. */
static void roff(FILE *out, const char *text)
{
    bool start = true;

    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\'')) {
            fputs("\\&", out);
        }
        if (*text == '\\') {
            fputs("\\e", out);
        } else if (*text == '-') {
            fputs("\\-", out);
        } else {
            fputc(*text, out);
        }
        start = *text == '\n';
    }
}

/* Lines are ragged on the right and words are not broken, so that options and paths can
 * be copied. */
static void title(FILE *out, const char *verb)
{
    fputs(".TH PERP", out);
    for (const char *c = verb; c && *c; c++) {
        if (c == verb) {
            fputc('-', out);
        }
        fputc(toupper((unsigned char)*c), out);
    }
    fprintf(out, " 1 \"\" \"perp %s\" \"User Commands\"\n.nh\n.ad l\n", perp_version());
}

/* A usage line: literal words in bold, placeholders in italics. */
static void synopsis(FILE *out, const char *name, const char *usage)
{
    fprintf(out, ".SH SYNOPSIS\n\\fBperp %s\\fR ", name);
    while (*usage) {
        size_t length = strcspn(usage, " []|.,");
        char word[64];

        snprintf(word, sizeof word, "%.*s", (int)length, usage);
        if (length == 0) {
            fputc(*usage++, out);
        } else {
            bool plain = strcmp(word, "or") == 0;

            fputs(plain ? "" : isupper((unsigned char)*word) ? "\\fI" : "\\fB", out);
            roff(out, word);
            fputs(plain ? "" : "\\fR", out);
            usage += length;
        }
    }
    fputc('\n', out);
}

/* One option: its name in bold, its value in italics. */
static void option(FILE *out, char letter, const char *name, const char *value)
{
    fputs(".TP\n", out);
    if (letter) {
        fprintf(out, "\\fB\\-%c\\fR, ", letter);
    }
    fputs("\\fB\\-\\-", out);
    roff(out, name);
    fputs("\\fR", out);
    if (value) {
        fputs(" \\fI", out);
        roff(out, value);
        fputs("\\fR", out);
    }
    fputc('\n', out);
}

/* Only in the page of the whole command. */
static void solver_options(FILE *out)
{
    char usual[64], range[256];

    fputs(".SH OPTIONS OF EVERY SOLVER\n", out);
    for (const perp_option *o = perp_options_common; o->name; o++) {
        help_default(o, usual, sizeof usual);
        help_range(o, range, sizeof range);
        option(out, 0, o->name, help_kind(o));
        roff(out, o->help);
        fputs(" [", out);
        roff(out, usual);
        fputs("; ", out);
        roff(out, range);
        fputs("]\n", out);
    }
    fputs(".PP\nThe options of one solver: \\fBperp info\\fR \\fISOLVER\\fR; of all: "
          "\\fBperp info options\\fR.\n",
          out);
}

static void exit_status(FILE *out)
{
    fputs(".SH EXIT STATUS\n0 done, 1 not solved, 2 bad usage or input, 130 "
          "interrupted.\n",
          out);
}

/* The other pages: the command, then all other verbs. */
static void see_also(FILE *out, const cli_verb *const *all, const cli_verb *verb)
{
    bool first = true;

    fputs(".SH SEE ALSO\n", out);
    if (verb) {
        fputs(".BR perp (1)", out);
        first = false;
    }
    for (; *all; all++) {
        if (*all != verb) {
            fprintf(out, "%s.BR perp\\-%s (1)", first ? "" : ",\n", (*all)->name);
            first = false;
        }
    }
    fputc('\n', out);
}

static void paragraphs(FILE *out, const char *text)
{
    for (; *text; text++) {
        size_t length = strcspn(text, "\n");
        char part[2048];

        snprintf(part, sizeof part, "%.*s", (int)length, text);
        roff(out, part);
        fputs(text[length] && text[length + 1] ? "\n.PP\n" : "\n", out);
        text += length;
        if (!*text) {
            return;
        }
    }
}

void manual_verb(FILE *out, const cli_verb *verb, const cli_verb *const *all)
{
    title(out, verb->name);
    fprintf(out, ".SH NAME\nperp\\-%s \\- ", verb->name);
    roff(out, verb->summary);
    fputc('\n', out);
    synopsis(out, verb->name, verb->usage);
    if (verb->more) {
        fputs(".SH DESCRIPTION\n", out);
        paragraphs(out, verb->more);
    }
    fputs(".SH OPTIONS\n", out);
    for (const cli_option *o = verb->options; o->name; o++) {
        if (o->help) {
            char text[HELP_TEXT];

            help_text(o, text);
            option(out, o->letter, o->name, help_value(o));
            roff(out, text);
            fputc('\n', out);
        }
    }
    option(out, 'h', "help", NULL);
    fputs("print a summary of these options\n", out);
    if (verb->solver) {
        fputs(".PP\nThe options of every solver are described in \\fBperp\\fR(1).\n",
              out);
    }
    exit_status(out);
    see_also(out, all, verb);
}

/* A command to copy, and its effect. */
static void example(FILE *out, const char *command, const char *does)
{
    fputs(".TP\n\\fB", out);
    roff(out, command);
    fputs("\\fR\n", out);
    roff(out, does);
    fputc('\n', out);
}

static void examples(FILE *out)
{
    fputs(".SH EXAMPLES\n", out);
    example(out, "perp solve generate:spd:n=100 --solver lemke",
            "solve a generated problem");
    example(out, "perp solve pile.hdf5 --solver auto --tolerance 1e-12",
            "let perp choose the solver; the path shows its choice");
    example(out, "perp verify pile.hdf5 answer.json",
            "judge an answer, or check the certificate of a negative one");
    example(out, "perp compare quick -o results -j 2",
            "run a suite; results/report.html shows every run");
}

void manual_all(FILE *out, const cli_verb *const *verbs)
{
    title(out, NULL);
    fputs(
        ".SH NAME\nperp \\- compare solvers for linear complementarity and frictional "
        "contact\n.SH SYNOPSIS\n.B perp\n.I VERB\n[WORDS AND OPTIONS]\n"
        ".SH DESCRIPTION\nFind z in K with w = A z + b and \\-w in the normal cone of K "
        "at z: linear\ncomplementarity problems, boxes, Coulomb cones in two and three "
        "dimensions.\nMany solvers accept the same problem, one residual judges them "
        "all, "
        "and negative\nanswers have a certificate that can be checked.\n.SH VERBS\n",
        out);
    for (size_t k = 0; verbs[k]; k++) {
        fprintf(out, ".TP\n.BR perp\\-%s (1)\n", verbs[k]->name);
        roff(out, verbs[k]->summary);
        fputc('\n', out);
    }
    fputs(".SH RESIDUAL\nA point is solved when its residual is at most the tolerance, "
          "1e\\-8 by default: the\n",
          out);
    roff(out, help_residual);
    fputs("\nThe page \\fImeasures.md\\fR of the documentation describes it and all "
          "other measures; \\fBperp info metrics\\fR lists them.\n",
          out);
    fputs(".SH SOLVERS\n", out);
    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        fputs(".TP\n.B ", out);
        roff(out, (*s)->name);
        fputc('\n', out);
        roff(out, (*s)->summary);
        fputc('\n', out);
    }
    fputs(".PP\n\\fBperp info\\fR \\fISOLVER\\fR prints the page of one solver.\n", out);
    fputs(".SH OPTIONS\n", out);
    option(out, 'h', "help", NULL);
    fputs("list the verbs\n", out);
    option(out, 0, "version", NULL);
    fputs("print the version and the commit\n", out);
    option(out, 0, "completion", "SHELL");
    fputs(
        "print a script that completes words in a shell: bash, zsh or fish; make install "
        "puts it where the shell finds it\n",
        out);
    solver_options(out);
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colour, even on a terminal\n"
          ".TP\n.B COLUMNS\nwidth of the terminal, in place of the one that it reports\n"
          ".TP\n.B LC_ALL, LC_CTYPE, LANG\na locale of UTF-8: drawings in braille and "
          "blocks; else in ASCII\n"
          ".TP\n.B PERP_BLAS_THREADS\nnumber of threads of BLAS; 1 if not set, and the "
          "same "
          "bits then, whatever OPENBLAS_NUM_THREADS says\n"
          ".TP\n.B PERP_DATA_DIR\nfolder of suites and figure scripts\n",
          out);
    exit_status(out);
    examples(out);
    see_also(out, verbs, NULL);
}
