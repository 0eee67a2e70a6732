/* SPDX-License-Identifier: Apache-2.0
 * base/expression.c: expressions of numbers, evaluated as they are read.
 *
 *     expression := operand (OPERATOR operand)*    by the precedences of the table below
 *     operand    := ('-' | '+' | '!')* power
 *     power      := atom ['^' operand]             -2^2 is -4, 2^3^2 is 2^9
 *     atom       := NUMBER | '(' expression ')' | NAME
 *                 | FUNCTION '(' expression (',' expression)* ')'
 *
 * in double precision; angles are in rad. Scenes compute numbers with them, "{2*radius}",
 * and conditions are such expressions as well, "step%50==0 || failed". A truth value is 1 or
 * 0; every number but 0 and NaN is true. Braces may stand for parentheses. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "base/quantity.h"

enum {
    DEPTH = 32,    /* operands within operands */
    ARGUMENTS = 4, /* of a function */
    WORD = 64,     /* longest name of a function */
};

static const double pi = 3.14159265358979323846;

typedef enum expression_operator {
    OPERATOR_OR,
    OPERATOR_AND,
    OPERATOR_EQUAL,
    OPERATOR_UNEQUAL,
    OPERATOR_AT_MOST,
    OPERATOR_LESS,
    OPERATOR_AT_LEAST,
    OPERATOR_MORE,
    OPERATOR_ADD,
    OPERATOR_SUBTRACT,
    OPERATOR_MULTIPLY,
    OPERATOR_DIVIDE,
    OPERATOR_REMAINDER,
} expression_operator;

/* Longer texts first, where one starts with the other. */
static const struct {
    const char *text;
    expression_operator what;
    int precedence;
} operators[] = {
    {"||", OPERATOR_OR, 1},       {"&&", OPERATOR_AND, 2},     {"==", OPERATOR_EQUAL, 3},
    {"!=", OPERATOR_UNEQUAL, 3},  {"<=", OPERATOR_AT_MOST, 4}, {"<", OPERATOR_LESS, 4},
    {">=", OPERATOR_AT_LEAST, 4}, {">", OPERATOR_MORE, 4},     {"+", OPERATOR_ADD, 5},
    {"-", OPERATOR_SUBTRACT, 5},  {"*", OPERATOR_MULTIPLY, 6}, {"/", OPERATOR_DIVIDE, 6},
    {"%", OPERATOR_REMAINDER, 6},
};

/* An expression being read. After a failure every function returns at once. */
typedef struct expression {
    const perp_expression_names *names;
    const char *text, *at;
    unsigned depth;
    perp_status status;
    perp_error *err;
} expression;

typedef double expression_function(expression *e, const double *x, size_t count);

static double expression_climb(expression *e, int precedence);
static double expression_operand(expression *e);

static double expression_fail(expression *e, const char *at, const char *format, ...)
    PERP_PRINTF(3, 4);

/* "column N: …", counted from 1. */
static double expression_fail(expression *e, const char *at, const char *format, ...)
{
    char text[256];
    va_list args;

    if (e->status == PERP_OK) {
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        e->status = perp_fail(e->err, PERP_ERR_FORMAT, "column %zu: %s",
                              (size_t)(at - e->text) + 1, text);
    }
    return 0.0;
}

static double expression_expected(expression *e, const char *what)
{
    if (!*e->at) {
        return expression_fail(e, e->at, "the end, expected %s", what);
    }
    return expression_fail(e, e->at, "found '%c', expected %s",
                           isprint((unsigned char)*e->at) ? *e->at : '?', what);
}

static char expression_skip(expression *e)
{
    e->at += strspn(e->at, " \t\n");
    return *e->at;
}

/* -- functions ---------------------------------------------------------------------------- */

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

/* The stream of a random number: that of its place, or that of a third argument. */
static perp_random expression_stream(expression *e, const double *x, size_t count)
{
    int64_t number = 0;

    if (count == 3) {
        if (floor(x[2]) != x[2] || !(fabs(x[2]) < 1e15)) {
            expression_fail(e, e->at,
                            "found %.10g as the third argument of a random number, "
                            "expected a whole number",
                            x[2]);
            return (perp_random){0};
        }
        number = (int64_t)x[2];
    }
    return e->names->random(e->names->context, count == 3 ? &number : NULL);
}

static double call_random(expression *e, const double *x, size_t count)
{
    perp_random g = expression_stream(e, x, count);

    return perp_random_uniform(&g, x[0], x[1]);
}

/* By Box and Muller, of two numbers of one stream [box-muller-1958]. */
static double call_normal(expression *e, const double *x, size_t count)
{
    perp_random g = expression_stream(e, x, count);
    double radius = sqrt(-2.0 * log(1.0 - perp_random_unit(&g)));

    return x[0] + x[1] * radius * cos(2.0 * pi * perp_random_unit(&g));
}

static const struct {
    const char *name;
    size_t least, most; /* arguments */
    bool random;
    expression_function *call;
} functions[] = {
    {"abs", 1, 1, false, call_abs},         {"acos", 1, 1, false, call_acos},
    {"asin", 1, 1, false, call_asin},       {"atan", 1, 2, false, call_atan},
    {"ceil", 1, 1, false, call_ceil},       {"cos", 1, 1, false, call_cos},
    {"exp", 1, 1, false, call_exp},         {"floor", 1, 1, false, call_floor},
    {"log", 1, 1, false, call_log},         {"max", 1, ARGUMENTS, false, call_max},
    {"min", 1, ARGUMENTS, false, call_min}, {"mod", 2, 2, false, call_mod},
    {"normal", 2, 3, true, call_normal},    {"random", 2, 3, true, call_random},
    {"round", 1, 1, false, call_round},     {"sin", 1, 1, false, call_sin},
    {"sqrt", 1, 1, false, call_sqrt},       {"tan", 1, 1, false, call_tan},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

bool perp_expression_has(const char *name)
{
    for (size_t k = 0; k < FUNCTIONS; k++) {
        if (strcmp(functions[k].name, name) == 0) {
            return true;
        }
    }
    return strcmp(name, "pi") == 0;
}

/* -- the parser --------------------------------------------------------------------------- */

/* The values between a bracket that has just opened and the one that closes it. */
static size_t expression_arguments(expression *e, char close, double x[ARGUMENTS])
{
    size_t count = 0;

    do {
        double one = expression_climb(e, 1);

        x[count < ARGUMENTS ? count : ARGUMENTS - 1] = one;
        count++;
    } while (e->status == PERP_OK && expression_skip(e) == ',' && *e->at++);
    if (expression_skip(e) != close) {
        expression_expected(e,
                            close == ')' ? "an operator or ')'" : "an operator or '}'");
    }
    e->at += e->status == PERP_OK;
    return count;
}

/* NAME( was read. */
static double expression_call(expression *e, const char *name, const char *start)
{
    double x[ARGUMENTS] = {0};
    size_t count = 0;
    perp_nearest best;

    perp_nearest_start(&best, name);
    for (size_t k = 0; k < FUNCTIONS; k++) {
        if (functions[k].random && !e->names->random) {
            continue;
        }
        perp_nearest_offer(&best, functions[k].name);
        if (best.distance > 0) {
            continue;
        }
        count = expression_arguments(e, ')', x);
        if (count < functions[k].least || count > functions[k].most) {
            return expression_fail(e, start, "%s has %zu arguments, expected %zu .. %zu",
                                   name, count, functions[k].least, functions[k].most);
        }
        return e->status == PERP_OK ? functions[k].call(e, x, count) : 0.0;
    }
    return expression_fail(e, start, "unknown function \"%s\", %s", name,
                           perp_nearest_advice(&best));
}

static double expression_unknown(expression *e, const char *name)
{
    perp_nearest best;
    const char *known = NULL;

    perp_nearest_start(&best, name);
    for (size_t k = 0; (known = e->names->known(e->names->context, k)) != NULL; k++) {
        perp_nearest_offer(&best, known);
    }
    return expression_fail(e, e->at, "unknown name \"%s\"%s%s", name,
                           *best.name ? ", " : "",
                           *best.name ? perp_nearest_advice(&best) : "");
}

static bool expression_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static double expression_name(expression *e)
{
    const char *start = e->at;
    char word[WORD];
    size_t length = 0;
    double x = 0.0;

    while (expression_in_word(start[length])) {
        length++;
    }
    snprintf(word, sizeof word, "%.*s", (int)(length < WORD ? length : WORD - 1), start);
    e->at += length;
    if (expression_skip(e) == '(') {
        e->at++;
        return expression_call(e, word, start);
    }
    e->at = start;
    length = e->names->find(e->names->context, start, &x);
    if (length == 0 && strcmp(word, "pi") == 0) {
        length = 2;
        x = pi;
    }
    e->at += length;
    return length > 0 ? x : expression_unknown(e, word);
}

/* Digits, perhaps a point and digits, perhaps an exponent: "1.5e-3"; decimal alone, not what
 * strtod reads besides: "inf", "nan", "0x10". */
static double expression_number(expression *e)
{
    static const char digits[] = "0123456789";
    const size_t exact = 15; /* digits of any whole number that is a double */
    size_t whole = strspn(e->at, digits), length = strspn(e->at, "0123456789.");
    char text[WORD];
    double x = 0.0;

    if (e->at[length] == 'e' || e->at[length] == 'E') {
        size_t sign = e->at[length + 1] == '-' || e->at[length + 1] == '+';

        length += 1 + sign;
        length += strspn(e->at + length, digits);
    }
    if (expression_in_word(e->at[length]) || length + 2 > sizeof text) {
        return expression_expected(e, "a number");
    }
    if (length == whole && length <= exact) {
        for (; isdigit((unsigned char)*e->at); e->at++) {
            x = 10.0 * x + (*e->at - '0');
        }
        return x;
    }
    length = (size_t)snprintf(text, sizeof text, "%s%.*s", *e->at == '.' ? "0" : "",
                              (int)length, e->at);
    if (perp_quantity_number(text, length, &x) != PERP_OK || !isfinite(x)) {
        return expression_expected(e, "a number");
    }
    e->at += length - (*e->at == '.');
    return x;
}

static double expression_atom(expression *e)
{
    char c = expression_skip(e);
    double x[ARGUMENTS] = {0};

    if (c == '(' || c == '{') {
        const char *start = e->at++;

        return expression_arguments(e, c == '(' ? ')' : '}', x) == 1
                   ? x[0]
                   : expression_fail(e, start, "found a comma between the brackets");
    }
    if (isdigit((unsigned char)c) || c == '.') {
        return expression_number(e);
    }
    return expression_in_word(c) ? expression_name(e)
                                 : expression_expected(e, "a number, a name or '('");
}

static bool expression_is_true(double x)
{
    return x != 0.0 && !isnan(x);
}

static double expression_operand(expression *e)
{
    double x = 0.0;
    char sign = expression_skip(e);

    if (++e->depth > DEPTH) {
        return expression_fail(e, e->at, "nested deeper than %d", DEPTH);
    }
    if (sign == '-' || sign == '+' || sign == '!') {
        e->at++;
        x = expression_operand(e);
        x = sign == '!' ? !expression_is_true(x) : sign == '-' ? -x : x;
    } else {
        x = expression_atom(e);
        if (e->status == PERP_OK && expression_skip(e) == '^') {
            e->at++;
            x = pow(x, expression_operand(e));
        }
    }
    e->depth--;
    return x;
}

static double expression_combine(expression_operator what, double a, double b)
{
    switch (what) {
    case OPERATOR_OR:
        return expression_is_true(a) || expression_is_true(b);
    case OPERATOR_AND:
        return expression_is_true(a) && expression_is_true(b);
    case OPERATOR_EQUAL:
        return a == b;
    case OPERATOR_UNEQUAL:
        return a != b;
    case OPERATOR_AT_MOST:
        return a <= b;
    case OPERATOR_LESS:
        return a < b;
    case OPERATOR_AT_LEAST:
        return a >= b;
    case OPERATOR_MORE:
        return a > b;
    case OPERATOR_ADD:
        return a + b;
    case OPERATOR_SUBTRACT:
        return a - b;
    case OPERATOR_MULTIPLY:
        return a * b;
    case OPERATOR_DIVIDE:
        return a / b;
    case OPERATOR_REMAINDER:
        return fmod(a, b);
    }
    return 0.0;
}

/* The place in the table of the operator at the text, of at least this precedence; or -1. */
static long expression_operator_at(const char *text, int precedence)
{
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        if (strncmp(text, operators[k].text, strlen(operators[k].text)) == 0) {
            return operators[k].precedence >= precedence ? (long)k : -1;
        }
    }
    return -1;
}

/* Operands joined by operators of at least this precedence, from left to right. */
static double expression_climb(expression *e, int precedence)
{
    double x = expression_operand(e);

    while (e->status == PERP_OK) {
        long k = -1;

        expression_skip(e);
        k = expression_operator_at(e->at, precedence);
        if (k < 0) {
            break;
        }
        e->at += strlen(operators[k].text);
        x = expression_combine(operators[k].what, x,
                               expression_climb(e, operators[k].precedence + 1));
    }
    return x;
}

perp_status perp_expression_evaluate(const perp_expression_names *names, const char *text,
                                     const char **at, char close, double *value,
                                     perp_error *err)
{
    expression e = {.names = names, .text = text, .at = *at, .err = err};

    *value = expression_climb(&e, 1) + 0.0; /* + 0: there is no -0 */
    if (e.status == PERP_OK && expression_skip(&e) != close) {
        expression_expected(&e, close ? "an operator or '}'" : "an operator or the end");
    }
    *at = e.at + (e.status == PERP_OK && close != '\0');
    return e.status;
}
