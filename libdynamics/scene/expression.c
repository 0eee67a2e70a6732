/* SPDX-License-Identifier: Apache-2.0
 * scene/expression.c: numbers that a scene computes: "{2*radius}", "ball {k+1}".
 *
 *     sum     := product (('+' | '-') product)*
 *     product := signed (('*' | '/') signed)*
 *     signed  := ('-' | '+')* power
 *     power   := atom ['^' signed]                 -2^2 is -4, 2^3^2 is 2^9
 *     atom    := NUMBER | '(' sum ')' | NAME | NAME '(' sum (',' sum)* ')'
 *
 * in double precision; angles are in rad. A name is an index of the repetition at hand,
 * the inner one first, a parameter, or pi. In a whole number ("count") braces may stand
 * for brackets. A number is printed with as few digits as read back to the same one. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"

enum {
    DEPTH = 32,    /* brackets in brackets */
    ARGUMENTS = 4, /* of a function */
};

/* An expression at work: what is left of it, and why it failed. */
typedef struct expression {
    const scene_reader *rd;
    const scene_at *at;
    const char *p;
    unsigned depth;
    unsigned *draws; /* random numbers of this text so far */
    char fault[160]; /* "": none */
} expression;

typedef double expression_function(expression *e, const double *x, size_t count);

static double sum(expression *e);

static double fail(expression *e, const char *format, ...) PERP_PRINTF(2, 3);

/* The first fault is kept. */
static double fail(expression *e, const char *format, ...)
{
    if (!e->fault[0]) {
        va_list args;

        va_start(args, format);
        vsnprintf(e->fault, sizeof e->fault, format, args);
        va_end(args);
    }
    return 0.0;
}

static char skip(expression *e)
{
    e->p += strspn(e->p, " ");
    return *e->p;
}

#define FUNCTION(name, value)                                                            \
    static double call_##name(expression *e, const double *x, size_t count)              \
    {                                                                                    \
        (void)e;                                                                         \
        (void)count;                                                                     \
        return value;                                                                    \
    }

FUNCTION(abs, fabs(x[0]))
FUNCTION(acos, acos(x[0]))
FUNCTION(asin, asin(x[0]))
FUNCTION(atan, count == 2 ? atan2(x[0], x[1]) : atan(x[0]))
FUNCTION(ceil, ceil(x[0]))
FUNCTION(cos, cos(x[0]))
FUNCTION(exp, exp(x[0]))
FUNCTION(floor, floor(x[0]))
FUNCTION(log, log(x[0]))
FUNCTION(mod, x[0] - x[1] * floor(x[0] / x[1])) /* of the sign of x[1] */
FUNCTION(round, round(x[0]))
FUNCTION(sin, sin(x[0]))
FUNCTION(sqrt, sqrt(x[0]))
FUNCTION(tan, tan(x[0]))

static double call_max(expression *e, const double *x, size_t count)
{
    double most = x[0];

    (void)e;
    for (size_t k = 1; k < count; k++) {
        most = fmax(most, x[k]);
    }
    return most;
}

static double call_min(expression *e, const double *x, size_t count)
{
    double least = x[0];

    (void)e;
    for (size_t k = 1; k < count; k++) {
        least = fmin(least, x[k]);
    }
    return least;
}

/* What it is drawn from: this call at this place, or the number that is given. */
static perp_random stream(expression *e, const double *x, size_t count)
{
    if (count == 3) {
        if (floor(x[2]) != x[2] || !(fabs(x[2]) < 1e15)) {
            fail(e, "has a random number of the number %.10g, which is not whole", x[2]);
            return (perp_random){0};
        }
        return scene_random_shared(e->rd, (int64_t)x[2]);
    }
    return scene_random_place(e->rd, e->at, (*e->draws)++);
}

static double call_random(expression *e, const double *x, size_t count)
{
    perp_random g = stream(e, x, count);

    return perp_random_uniform(&g, x[0], x[1]);
}

/* By Box and Muller, of two numbers of one stream [box-muller-1958]. */
static double call_normal(expression *e, const double *x, size_t count)
{
    const double pi = 3.14159265358979323846;
    perp_random g = stream(e, x, count);
    double radius = sqrt(-2.0 * log(1.0 - perp_random_unit(&g)));

    return x[0] + x[1] * radius * cos(2.0 * pi * perp_random_unit(&g));
}

static const struct {
    const char *name;
    size_t least, most; /* arguments */
    expression_function *call;
} functions[] = {
    {"abs", 1, 1, call_abs},         {"acos", 1, 1, call_acos},
    {"asin", 1, 1, call_asin},       {"atan", 1, 2, call_atan},
    {"ceil", 1, 1, call_ceil},       {"cos", 1, 1, call_cos},
    {"exp", 1, 1, call_exp},         {"floor", 1, 1, call_floor},
    {"log", 1, 1, call_log},         {"max", 1, ARGUMENTS, call_max},
    {"min", 1, ARGUMENTS, call_min}, {"mod", 2, 2, call_mod},
    {"normal", 2, 3, call_normal},   {"random", 2, 3, call_random},
    {"round", 1, 1, call_round},     {"sin", 1, 1, call_sin},
    {"sqrt", 1, 1, call_sqrt},       {"tan", 1, 1, call_tan},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

bool scene_name_taken(const char *name)
{
    for (size_t k = 0; k < FUNCTIONS; k++) {
        if (strcmp(functions[k].name, name) == 0) {
            return true;
        }
    }
    return strcmp(name, "pi") == 0;
}

/* A bracket has opened: what stands up to the one that closes it. */
static size_t arguments(expression *e, char close, double x[ARGUMENTS])
{
    size_t count = 0;

    if (++e->depth > DEPTH) {
        fail(e, "has more than %d brackets in brackets", DEPTH);
    }
    do {
        double one = e->fault[0] ? 0.0 : sum(e);

        x[count < ARGUMENTS ? count : ARGUMENTS - 1] = one;
        count++;
    } while (!e->fault[0] && skip(e) == ',' && *e->p++);
    e->depth--;
    if (skip(e) != close) {
        fail(e, "lacks a bracket");
    } else {
        e->p++;
    }
    return count;
}

static double call(expression *e, const char *name)
{
    double x[ARGUMENTS] = {0};
    const char *names[FUNCTIONS + 1] = {NULL};
    size_t count = arguments(e, ')', x);

    for (size_t k = 0; k < FUNCTIONS; k++) {
        names[k] = functions[k].name;
        if (strcmp(functions[k].name, name) != 0) {
            continue;
        }
        if (count < functions[k].least || count > functions[k].most) {
            return fail(e, "gives %s %zu numbers, and it takes %zu .. %zu", name, count,
                        functions[k].least, functions[k].most);
        }
        return e->fault[0] ? 0.0 : functions[k].call(e, x, count);
    }
    return fail(e, "calls %s, the nearest is %s", name, scene_nearest(name, names));
}

/* An index, the inner one first, a parameter, pi. */
static double named(expression *e, const char *name)
{
    const char *names[2 * SCENE_LEVELS + SCENE_PARAMETERS + 1] = {NULL};
    const perp_scene *s = e->rd->scene;
    size_t count = 0;

    for (size_t k = e->rd->level_count; k-- > 0;) {
        names[count++] = e->rd->levels[k].name;
        if (strcmp(e->rd->levels[k].name, name) == 0) {
            return (double)e->rd->levels[k].value;
        }
    }
    for (size_t k = 0; k < s->parameter_count; k++) {
        names[count++] = s->parameters[k].name;
        if (strcmp(s->parameters[k].name, name) == 0) {
            return s->parameters[k].value;
        }
    }
    if (strcmp(name, "pi") == 0) {
        return 3.14159265358979323846;
    }
    if (count == 0) {
        return fail(e, "names %s, and there is no index here and no parameter", name);
    }
    return fail(e, "names %s, which is no index here and no parameter, the nearest is %s",
                name, scene_nearest(name, names));
}

/* Digits, perhaps a point and digits, perhaps an exponent: "1.5e-3". */
static double literal(expression *e)
{
    static const char digits[] = "0123456789";
    const size_t exact = 15; /* digits of any whole number that is a double */
    size_t length = strspn(e->p, digits);
    double x = 0.0;

    if (length > exact || (e->p[length] && strchr(".eE", e->p[length]))) {
        size_t mark = 0;

        length += e->p[length] == '.';
        length += strspn(e->p + length, digits);
        mark = (e->p[length] == 'e' || e->p[length] == 'E') ? 1 : 0;
        mark += mark && e->p[length + mark] && strchr("+-", e->p[length + mark]);
        if (mark && isdigit((unsigned char)e->p[length + mark])) {
            length += mark + strspn(e->p + length + mark, digits);
        }
        if (scene_number(e->p, length, &x) != PERP_OK) {
            fail(e, "has \"%.*s\", which is no number", (int)(length < 24 ? length : 24),
                 e->p);
        }
        e->p += length;
        return x;
    }
    for (; isdigit((unsigned char)*e->p); e->p++) {
        x = 10.0 * x + (*e->p - '0');
    }
    return x;
}

static double atom(expression *e)
{
    double x[ARGUMENTS] = {0};
    char name[SCENE_WORD];
    size_t length = 0;

    skip(e);
    if (*e->p == '(' || *e->p == '{') {
        char close = *e->p++ == '(' ? ')' : '}';

        return arguments(e, close, x) == 1 ? x[0] : fail(e, "has a comma too many");
    }
    if (isdigit((unsigned char)*e->p)) {
        return literal(e);
    }
    while (isalnum((unsigned char)e->p[length]) || e->p[length] == '_') {
        length++;
    }
    if (length == 0) {
        return fail(e, "is no number or expression");
    }
    snprintf(name, sizeof name, "%.*s", (int)length, e->p);
    e->p += length;
    if (skip(e) == '(') {
        e->p++;
        return call(e, name);
    }
    return named(e, name);
}

static double signed_power(expression *e)
{
    double sign = 1.0;
    double x = 0.0;

    for (; skip(e) == '-' || *e->p == '+'; e->p++) {
        sign = *e->p == '-' ? -sign : sign;
    }
    x = atom(e);
    if (!e->fault[0] && skip(e) == '^') {
        e->p++;
        if (++e->depth > DEPTH) {
            return fail(e, "has more than %d powers in brackets", DEPTH);
        }
        x = pow(x, signed_power(e));
        e->depth--;
    }
    return sign * x;
}

static double product(expression *e)
{
    double x = signed_power(e);

    while (!e->fault[0] && (skip(e) == '*' || *e->p == '/')) {
        bool times = *e->p++ == '*';
        double y = signed_power(e);

        x = times ? x * y : x / y;
    }
    return x;
}

static double sum(expression *e)
{
    double x = product(e);

    while (!e->fault[0] && (skip(e) == '+' || *e->p == '-')) {
        double sign = *e->p++ == '+' ? 1.0 : -1.0;

        x += sign * product(e);
    }
    return x;
}

perp_status scene_evaluate(scene_reader *rd, const scene_at *at, const char *text,
                           const char **p, char close, unsigned *draws, double *x)
{
    expression e = {.rd = rd, .at = at, .p = *p, .draws = draws};

    *x = sum(&e) + 0.0; /* + 0: there is no -0 */
    if (skip(&e) != close) {
        fail(&e, close ? "lacks a bracket" : "is no number or expression");
    }
    if (e.fault[0]) {
        return scene_fail(rd, at, PERP_ERR_FORMAT,
                          " is \"%.80s\", which %s, expected an expression of numbers, "
                          "parameters and indices",
                          text, e.fault);
    }
    *p = e.p + (close != '\0');
    return isfinite(*x)
               ? PERP_OK
               : scene_fail(rd, at, PERP_ERR_DATA,
                            " is \"%.80s\" = %g, expected a finite number", text, *x);
}

void scene_print(double x, char text[SCENE_DIGITS])
{
    if (floor(x) == x && fabs(x) < 1e15) {
        snprintf(text, SCENE_DIGITS, "%.0f", x);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        double back = 0.0;

        snprintf(text, SCENE_DIGITS, "%.*g", digits, x);
        for (char *c = text; *c; c++) { /* the locale may have a comma */
            *c = isdigit((unsigned char)*c) || strchr("+-e", *c) ? *c : '.';
        }
        if (digits == 17 ||
            (scene_number(text, strlen(text), &back) == PERP_OK && back == x)) {
            return;
        }
    }
}
