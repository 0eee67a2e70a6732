/* SPDX-License-Identifier: Apache-2.0
 * simulate/condition.c: when a step is captured: a small, closed language of numbers.
 *
 * Precedence climbing writes code for a stack. Its depth is bounded: by the nesting that
 * the parser allows, and by the precedences, of which there are six. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "experiments/simulate/condition.h"

enum {
    CODE_NUMBER,
    CODE_NAME,
    CODE_NOT,
    CODE_MINUS,
    CODE_OR,
    CODE_AND,
    CODE_EQUAL,
    CODE_UNEQUAL,
    CODE_ATMOST,
    CODE_LESS,
    CODE_ATLEAST,
    CODE_MORE,
    CODE_ADD,
    CODE_SUBTRACT,
    CODE_TIMES,
    CODE_OVER,
    CODE_MODULO,
};

/* Longer texts first, where one starts with the other. */
static const struct {
    const char *text;
    int code, precedence;
} operators[] = {
    {"||", CODE_OR, 1},      {"&&", CODE_AND, 2},    {"==", CODE_EQUAL, 3},
    {"!=", CODE_UNEQUAL, 3}, {"<=", CODE_ATMOST, 4}, {"<", CODE_LESS, 4},
    {">=", CODE_ATLEAST, 4}, {">", CODE_MORE, 4},    {"+", CODE_ADD, 5},
    {"-", CODE_SUBTRACT, 5}, {"*", CODE_TIMES, 6},   {"/", CODE_OVER, 6},
    {"%", CODE_MODULO, 6},
};

typedef struct parser {
    condition *c;
    const char *text, *at;
    const char *const *names;
    size_t depth;
    perp_error *err;
} parser;

static size_t parser_column(const parser *p)
{
    return (size_t)(p->at - p->text) + 1;
}

static void parser_blanks(parser *p)
{
    p->at += strspn(p->at, " \t\n");
}

static perp_status parser_expected(const parser *p, const char *what)
{
    if (!*p->at) {
        return perp_fail(p->err, PERP_ERR_OPTION, "column %zu: the end, expected %s",
                         parser_column(p), what);
    }
    return perp_fail(p->err, PERP_ERR_OPTION, "column %zu: found '%c', expected %s",
                     parser_column(p), isprint((unsigned char)*p->at) ? *p->at : '?',
                     what);
}

static perp_status parser_emit(const parser *p, int what, double number, size_t name)
{
    condition *c = p->c;

    if (c->count == CONDITION_ROOM) {
        return perp_fail(p->err, PERP_ERR_OPTION,
                         "column %zu: more than %d numbers, names and signs",
                         parser_column(p), CONDITION_ROOM);
    }
    c->code[c->count++] = (condition_code){what, number, name};
    return PERP_OK;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The longest known name that stands here; "drift-length" is one, where it is known. */
static perp_status parser_name(parser *p)
{
    size_t found = SIZE_MAX, longest = 0, length = 0;
    char typed[64];
    perp_nearest best;

    for (size_t k = 0; p->names[k]; k++) {
        size_t n = strlen(p->names[k]);

        if (n > longest && strncmp(p->at, p->names[k], n) == 0 && !in_name(p->at[n])) {
            longest = n;
            found = k;
        }
    }
    if (found != SIZE_MAX) {
        p->at += longest;
        return parser_emit(p, CODE_NAME, 0.0, found);
    }
    while (in_name(p->at[length])) {
        length++;
    }
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 60 ? length : 60), p->at);
    perp_nearest_start(&best, typed);
    for (size_t k = 0; p->names[k]; k++) {
        perp_nearest_offer(&best, p->names[k]);
    }
    return perp_fail(p->err, PERP_ERR_OPTION,
                     "column %zu: unknown name \"%s\", the nearest is \"%s\"",
                     parser_column(p), typed, best.name);
}

/* Decimal only: strtod alone would take "inf", "nan" and hexadecimal numbers too. */
static perp_status parser_number(parser *p)
{
    size_t length = strspn(p->at, "0123456789.");
    char digits[64], *end = NULL;
    double x = 0.0;

    if (p->at[length] == 'e' || p->at[length] == 'E') {
        size_t sign = p->at[length + 1] == '-' || p->at[length + 1] == '+';

        length += 1 + sign + strspn(p->at + length + 1 + sign, "0123456789");
    }
    if (length >= sizeof digits || in_name(p->at[length])) {
        return parser_expected(p, "a number");
    }
    memcpy(digits, p->at, length);
    digits[length] = '\0';
    x = strtod(digits, &end);
    if (*end || !isfinite(x)) {
        return parser_expected(p, "a number");
    }
    p->at += length;
    return parser_emit(p, CODE_NUMBER, x, 0);
}

static perp_status parser_climb(parser *p, int precedence);

/* A number, a name, a sign before one, something in parentheses. */
static perp_status parser_operand(parser *p)
{
    perp_status status = PERP_OK;

    parser_blanks(p);
    if (++p->depth > CONDITION_DEPTH) {
        return perp_fail(p->err, PERP_ERR_OPTION, "column %zu: nested deeper than %d",
                         parser_column(p), CONDITION_DEPTH);
    }
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        status = parser_number(p);
    } else if (isalpha((unsigned char)*p->at) || *p->at == '_') {
        status = parser_name(p);
    } else if (*p->at == '!' || *p->at == '-') {
        int what = *p->at++ == '!' ? CODE_NOT : CODE_MINUS;

        status = parser_operand(p);
        status = status ? status : parser_emit(p, what, 0.0, 0);
    } else if (*p->at == '(') {
        p->at++;
        status = parser_climb(p, 1);
        if (status == PERP_OK && *p->at != ')') {
            status = parser_expected(p, "an operator or ')'");
        }
        p->at += status == PERP_OK;
    } else {
        status = parser_expected(p, "a number, a name or '('");
    }
    p->depth--;
    return status;
}

/* The number of the operator that stands here, of at least this precedence; or -1. */
static long parser_operator(const parser *p, int precedence)
{
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        if (strncmp(p->at, operators[k].text, strlen(operators[k].text)) == 0) {
            return operators[k].precedence >= precedence ? (long)k : -1;
        }
    }
    return -1;
}

/* Operands joined by operators of at least this precedence, from left to right. */
static perp_status parser_climb(parser *p, int precedence)
{
    perp_status status = parser_operand(p);

    while (status == PERP_OK) {
        long k = -1;

        parser_blanks(p);
        k = parser_operator(p, precedence);
        if (k < 0) {
            break;
        }
        p->at += strlen(operators[k].text);
        status = parser_climb(p, operators[k].precedence + 1);
        status = status ? status : parser_emit(p, operators[k].code, 0.0, 0);
    }
    return status;
}

/* A whole number alone: every so many steps. */
static bool is_every(const condition *c)
{
    return c->count == 1 && c->code[0].what == CODE_NUMBER;
}

static perp_status every(parser *p)
{
    double n = p->c->code[0].number;
    size_t step = 0;

    while (p->names[step] && strcmp(p->names[step], "step") != 0) {
        step++;
    }
    if (!(n >= 1.0) || n != floor(n) || !p->names[step]) {
        return perp_fail(
            p->err, PERP_ERR_OPTION,
            "column 1: found %g, expected a whole number of steps from 1, or "
            "a condition",
            n);
    }
    p->c->code[0] = (condition_code){CODE_NAME, 0.0, step};
    parser_emit(p, CODE_NUMBER, n, 0);
    parser_emit(p, CODE_MODULO, 0.0, 0);
    return parser_emit(p, CODE_NOT, 0.0, 0);
}

perp_status condition_parse(condition *c, const char *text, const char *const *names,
                            perp_error *err)
{
    parser p = {c, text, text, names, 0, err};
    perp_status status = PERP_OK;

    c->count = 0;
    status = parser_climb(&p, 1);
    if (status == PERP_OK && *p.at) {
        status = parser_expected(&p, "an operator or the end");
    }
    return status == PERP_OK && is_every(c) ? every(&p) : status;
}

static bool is_true(double x)
{
    return x != 0.0 && !isnan(x);
}

static double combine(int what, double a, double b)
{
    switch (what) {
    case CODE_OR:
        return is_true(a) || is_true(b);
    case CODE_AND:
        return is_true(a) && is_true(b);
    case CODE_EQUAL:
        return a == b;
    case CODE_UNEQUAL:
        return a != b;
    case CODE_ATMOST:
        return a <= b;
    case CODE_LESS:
        return a < b;
    case CODE_ATLEAST:
        return a >= b;
    case CODE_MORE:
        return a > b;
    case CODE_ADD:
        return a + b;
    case CODE_SUBTRACT:
        return a - b;
    case CODE_TIMES:
        return a * b;
    case CODE_OVER:
        return a / b;
    default:
        return fmod(a, b);
    }
}

double condition_value(const condition *c, const double *values)
{
    /* Each code pushes at most one number. */
    double stack[CONDITION_ROOM] = {0.0};
    size_t top = 0;

    for (size_t k = 0; k < c->count; k++) {
        const condition_code *code = &c->code[k];

        switch (code->what) {
        case CODE_NUMBER:
            stack[top++] = code->number;
            break;
        case CODE_NAME:
            stack[top++] = values[code->name];
            break;
        case CODE_NOT:
            stack[top - 1] = !is_true(stack[top - 1]);
            break;
        case CODE_MINUS:
            stack[top - 1] = -stack[top - 1];
            break;
        default:
            top--;
            stack[top - 1] = combine(code->what, stack[top - 1], stack[top]);
            break;
        }
    }
    return top == 1 ? stack[0] : 0.0;
}

bool condition_holds(const condition *c, const double *values)
{
    return is_true(condition_value(c, values));
}
