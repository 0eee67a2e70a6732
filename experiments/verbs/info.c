/* SPDX-License-Identifier: Apache-2.0
 * verbs/info.c: the content of a file, or the page of a solver. */
#include <config.h>

#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "experiments/cli/answer.h"
#include "experiments/cli/data.h"
#include "experiments/cli/page.h"
#include "experiments/verbs/list.h"
#include "experiments/verbs/parts.h"
#include "experiments/verbs/robots.h"
#include "experiments/verbs/scenes.h"
#include "experiments/verbs/verbs.h"

/* For more rows a singular value decomposition takes more than about a second. */
enum { INFO_RANK_ROWS = 500 };

static const cli_option info_options[] = {
    VERB_READ_OPTIONS,
    VERB_PROBLEM_OPTIONS,
    {"solver", 's', "NAME", "print the page of this solver instead"},
    SCENE_SET_OPTION,
    ROBOT_OPTIONS,
    {"joint", 0, "NAME", "describe this type of joint instead"},
    {"schema", 0, "NAME",
     "print the JSON schema of scene, problem or suite files instead"},
    {"markdown", 0, NULL,
     "print the page of a solver as Markdown; without a solver, the table of all"},
    {"json", 0, NULL, "print JSON"},
    CLI_OPTION_END,
};

typedef struct info_facts {
    const instance *in;
    double asymmetry;
    double mu[2], diagonal[2]; /* least and greatest; NaN: none */
    size_t blocks[8];          /* of each kind of set */
    bool ranked;
    size_t rank;
    double largest, smallest; /* singular values */
} info_facts;

static void info_widen(double range[2], double x)
{
    range[0] = fmin(range[0], x); /* fmin passes over NaN */
    range[1] = fmax(range[1], x);
}

/* The rank counts singular values above 1e-10 of the largest, as published tables do. */
static perp_status info_rank(info_facts *f, perp_error *err)
{
    const perp_operator *A = f->in->problem->A;
    size_t n = A->rows;
    perp_operator *dense = NULL;
    double *sigma = perp_reals_new(n + 1);
    double *rest = perp_reals_new(n + 1);
    perp_status status = PERP_OK;

    if (!sigma || !rest) {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu singular values", n);
    }
    if (status == PERP_OK) {
        status = perp_operator_convert(&dense, A, PERP_STORAGE_DENSE, 1, err);
    }
    if (status == PERP_OK &&
        LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', (lapack_int)n, (lapack_int)n, dense->x,
                       (lapack_int)dense->ld, sigma, NULL, 1, NULL, 1, rest) == 0) {
        f->ranked = true;
        f->largest = sigma[0];
        f->smallest = sigma[n - 1];
        for (size_t i = 0; i < n; i++) {
            f->rank += sigma[i] > 1e-10 * sigma[0];
        }
    }
    perp_operator_free(dense);
    free(sigma);
    free(rest);
    return status;
}

static perp_status info_gather(info_facts *f, const instance *in, perp_error *err)
{
    const perp_problem *p = in->problem;

    *f = (info_facts){.in = in, .mu = {NAN, NAN}, .diagonal = {NAN, NAN}};
    f->asymmetry = perp_operator_asymmetry(p->A);
    for (size_t i = 0; i < p->n; i++) {
        info_widen(f->diagonal, perp_operator_diagonal(p->A, i));
    }
    for (size_t k = 0; k < p->set->count; k++) {
        const perp_block *b = &p->set->blocks[k];

        if (b->kind & (PERP_SET_CONE | PERP_SET_ROLLING | PERP_SET_FRICTION)) {
            info_widen(f->mu, b->mu);
        }
        for (size_t bit = 0; bit < 8; bit++) {
            f->blocks[bit] += b->kind == 1u << bit;
        }
    }
    return p->n > 0 && p->n <= INFO_RANK_ROWS ? info_rank(f, err) : PERP_OK;
}

static json_t *info_range(const double range[2])
{
    return isnan(range[0])
               ? json_null()
               : json_pack("[o, o]", answer_real(range[0]), answer_real(range[1]));
}

static json_t *info_origin(const perp_origin *o)
{
    if (!o) {
        return json_null();
    }
    return json_pack("{s:s?, s:I, s:o, s:o, s:s?, s:o, s:s?, s:s?}", "source", o->source,
                     "step", (json_int_t)o->step, "time",
                     o->timed ? answer_real(o->time) : json_null(), "dt",
                     o->timed ? answer_real(o->dt) : json_null(), "version", o->version,
                     "hash", o->hash ? answer_hash(o->hash) : json_null(), "units",
                     o->units, "licence", o->licence);
}

static json_t *info_json(const info_facts *f)
{
    const perp_problem *p = f->in->problem;
    json_t *notes = json_array(), *sets = json_object();

    for (size_t k = 0; k < f->in->notes.count; k++) {
        json_array_append_new(notes, json_string(f->in->notes.line[k]));
    }
    for (unsigned bit = 0; bit < 7; bit++) {
        if (f->blocks[bit]) {
            json_object_set_new(sets, perp_set_kind_name((perp_set_kind)(1u << bit)),
                                json_integer((json_int_t)f->blocks[bit]));
        }
    }
    return json_pack(
        "{s:s, s:s?, s:s?, s:s, s:b, s:s, s:I, s:I, s:s, s:I, s:I, s:o, s:o, s:o, s:o, "
        "s:o, "
        "s:o, s:I, s:b, s:o, s:I, s:o}",
        "name", f->in->name, "title", f->in->given->title, "description",
        f->in->given->description, "kind", perp_kind_name(perp_problem_kind(p)), "global",
        f->in->given->global != NULL, "law",
        p->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb", "n", (json_int_t)p->n,
        "contacts", (json_int_t)perp_problem_contacts(p), "storage", p->A->type->name,
        "block_size", (json_int_t)p->A->block_size, "nonzeros",
        (json_int_t)perp_operator_nonzeros(p->A), "asymmetry", answer_real(f->asymmetry),
        "mu", info_range(f->mu), "diagonal", info_range(f->diagonal), "rank",
        f->ranked ? json_integer((json_int_t)f->rank) : json_null(), "hash",
        answer_hash(perp_problem_hash(p)), "sets", sets, "guesses",
        (json_int_t)f->in->given->guess_count, "solution", f->in->given->solution != NULL,
        "origin", info_origin(f->in->given->origin), "labels",
        (json_int_t)(f->in->given->labels ? f->in->given->labels->count : 0), "notes",
        notes);
}

static void info_print_range(const char *name, const double range[2])
{
    if (!isnan(range[0])) {
        output_fact(stdout, name, "%g .. %g", range[0], range[1]);
    }
}

/* "25: 10 contact, 15 joint" */
static void info_print_labels(const perp_labels *labels)
{
    size_t count[PERP_LABEL_AUXILIARY + 1] = {0};
    char text[256] = "";
    size_t used = 0;

    for (size_t k = 0; k < labels->count; k++) {
        count[labels->at[k].kind]++;
    }
    for (size_t kind = 0; kind <= PERP_LABEL_AUXILIARY; kind++) {
        if (count[kind] > 0) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu %s",
                                     used ? ", " : "", count[kind],
                                     perp_label_kind_name((perp_label_kind)kind));
        }
    }
    output_fact(stdout, "labels", "%zu: %s", labels->count, text);
}

static void info_print_origin(const perp_origin *o)
{
    if (o->source) {
        output_fact(stdout, "source", "%s", o->source);
    }
    if (o->step) {
        output_fact(stdout, "step", "%zu", o->step);
    }
    if (o->timed) {
        output_fact(stdout, "time", "%g s, dt %g s", o->time, o->dt);
    }
    if (o->version) {
        output_fact(stdout, "made by", "%s", o->version);
    }
    if (o->hash) {
        output_fact(stdout, "source hash", "%016llx", (unsigned long long)o->hash);
    }
    if (o->units) {
        output_fact(stdout, "units", "%s", o->units);
    }
    if (o->licence) {
        output_fact(stdout, "licence", "%s", o->licence);
    }
}

static void info_print_text(const info_facts *f)
{
    const perp_problem *p = f->in->problem;
    const perp_problem *given = f->in->given;
    char text[256];

    verb_describe(p, text, sizeof text);
    output_print(stdout, OUTPUT_STRONG, "%s", f->in->name);
    printf(": %s\n", text);
    if (given->title) {
        output_fact(stdout, "title", "%s", given->title);
    }
    if (given->global) {
        verb_describe(given, text, sizeof text);
        output_fact(stdout, "given as", "%s; condensed here", text);
    }
    for (unsigned bit = 0; bit < 7; bit++) {
        if (f->blocks[bit]) {
            output_fact(stdout, perp_set_kind_name((perp_set_kind)(1u << bit)), "%zu",
                        f->blocks[bit]);
        }
    }
    output_fact(stdout, "law", "%s",
                p->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb");
    output_fact(stdout, "asymmetry", "%.2g", f->asymmetry);
    info_print_range("mu", f->mu);
    info_print_range("diagonal", f->diagonal);
    if (f->ranked) {
        output_fact(stdout, "rank", "%zu of %zu, singular values %.2e .. %.2e", f->rank,
                    p->n, f->smallest, f->largest);
    }
    output_fact(stdout, "hash", "%016llx", (unsigned long long)perp_problem_hash(p));
    output_fact(stdout, "stored", "%zu guess%s, %s solution", given->guess_count,
                given->guess_count == 1 ? "" : "es", given->solution ? "a" : "no");
    if (given->origin) {
        info_print_origin(given->origin);
    }
    if (given->labels) {
        info_print_labels(given->labels);
    }
    for (size_t k = 0; k < f->in->notes.count; k++) {
        output_fact(stdout, "note", "%s", f->in->notes.line[k]);
    }
}

static perp_status info_solver(const cli_args *args, const char *name, perp_error *err)
{
    const perp_solver_type *type = NULL;
    perp_options opt;
    perp_status status = perp_solver_parse(name, &type, &opt, err);

    if (status != PERP_OK) {
        return status;
    }
    if (cli_args_given(args, "json")) {
        return output_json(stdout, list_solver_json(type), false, err);
    }
    if (cli_args_given(args, "markdown")) {
        page_markdown(stdout, type);
    } else {
        page_text(stdout, type, opt.inner);
    }
    return PERP_OK;
}

/* True for a word that is the name of a solver, and not of a file. */
static bool info_is_solver(const char *word)
{
    const perp_solver_type *type = NULL;
    perp_options opt;

    return access(word, F_OK) != 0 &&
           perp_solver_parse(word, &type, &opt, NULL) == PERP_OK;
}

/* A sequence as a whole; --item describes one step. */
static perp_status info_sequence(const cli_args *args, perp_error *err)
{
    perp_sequence *s = NULL;
    char text[256];
    perp_status status = perp_sequence_open(&s, args->word[0], err);

    if (status == PERP_OK) {
        status = perp_sequence_check(s, err);
    }
    if (status == PERP_OK) {
        status = verb_describe_sequence(s, text, sizeof text, err);
    }
    if (status == PERP_OK && cli_args_given(args, "json")) {
        status =
            output_json(stdout,
                        json_pack("{s:s, s:s, s:I, s:s}", "sequence", args->word[0],
                                  "name", perp_sequence_name(s), "count",
                                  (json_int_t)perp_sequence_count(s), "summary", text),
                        false, err);
    } else if (status == PERP_OK) {
        output_print(stdout, OUTPUT_STRONG, "%s", perp_sequence_name(s));
        printf(": %s\n", text);
    }
    perp_sequence_free(s);
    return status;
}

/* The schema of problems or of suites, a file that comes with perp. */
static perp_status info_schema(const char *what, perp_error *err)
{
    char file[64], path[DATA_PATH];
    char *text = NULL;
    size_t length = 0;
    perp_status status = PERP_OK;

    snprintf(file, sizeof file, "schemas/%s.json", what);
    status = data_find(file, path, err);

    if (status == PERP_OK) {
        status = perp_file_slurp(path, &text, &length, err);
    }
    if (status == PERP_OK) {
        fwrite(text, 1, length, stdout);
    }
    free(text);
    return status;
}

/* Describe a solver, a joint, a schema or a scene; false when the words name an instance.
 * */
static bool info_other(const cli_args *args, perp_status *status, perp_error *err)
{
    const char *word = args->word_count == 1 ? args->word[0] : NULL;
    const char *solver = cli_args_value(args, "solver");
    const char *joint = cli_args_value(args, "joint");
    const char *schema = cli_args_value(args, "schema");

    solver = !solver && word && info_is_solver(word) ? word : solver;
    if (solver) {
        *status = info_solver(args, solver, err);
    } else if (joint) {
        *status = parts_info_joint(args, joint, err);
    } else if (schema) {
        *status = strcmp(schema, "problem") == 0 || strcmp(schema, "suite") == 0
                      ? info_schema(schema, err)
                      : scene_info_schema(schema, err);
    } else if (word && !cli_args_given(args, "format") && scene_detect(word)) {
        *status = scene_info(args, word, err);
    } else {
        return false;
    }
    return true;
}

static int info_run(const cli_args *args, perp_error *err)
{
    instance *in = NULL;
    instance_request request;
    info_facts facts;
    perp_status status = PERP_OK;

    if (info_other(args, &status, err)) {
        return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
    }
    if (args->word_count == 0 && cli_args_given(args, "markdown")) {
        page_index(stdout);
        return CLI_DONE;
    }
    if (args->word_count == 0) {
        perp_fail(err, PERP_ERR_OPTION, "perp info: expected: perp info %s",
                  args->verb->usage);
        return CLI_BAD_INPUT;
    }
    if (!cli_args_given(args, "item") && perp_sequence_detect(args->word[0])) {
        return info_sequence(args, err) == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
    }
    status = verb_request(args, args->word[0], &request, err);
    if (status == PERP_OK) {
        status = instance_open(&in, &request, err);
    }
    if (status == PERP_OK) {
        status = info_gather(&facts, in, err);
    }
    if (status == PERP_OK && cli_args_given(args, "json")) {
        status = output_json(stdout, info_json(&facts), false, err);
    } else if (status == PERP_OK) {
        info_print_text(&facts);
    }
    instance_free(in);
    return status == PERP_OK ? CLI_DONE : CLI_BAD_INPUT;
}

const cli_verb verb_info = {
    .name = "info",
    .summary = "describe a file, a scene or a solver",
    .usage = "FILE, SCENE or SOLVER [--json]",
    .options = info_options,
    .least = 0,
    .most = 1,
    .run = info_run,
};
