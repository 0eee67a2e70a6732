/* SPDX-License-Identifier: Apache-2.0
 * runner/record_steps.c: the steps of a sequence in the record of a run: arrays by step, so
 * that a run stays one line, and every point judged here, one step in memory at a time. */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "experiments/runner/answer.h"
#include "experiments/runner/call.h"
#include "experiments/runner/record_steps.h"

double record_solves(const record_problem *p, const suite_run *run)
{
    bool twice =
        run->instance->sequence && (run->arm == ARM_ORACLE || run->arm == ARM_PERTURBED);

    return (double)p->steps * (twice ? 2.0 : 1.0);
}

/* Step i as asked. */
static perp_status steps_open(const perp_sequence *s, size_t i, const suite_run *run,
                              instance **in, perp_error *err)
{
    const suite_rules *rules = &run->set->rules;
    const instance_request request = {.path = run->instance->file,
                                      .law = rules->law,
                                      .formulation = rules->formulation};
    perp_sequence_item step;
    perp_problem *p = NULL;
    perp_status status = perp_sequence_get(s, i, &step, err);

    *in = NULL;
    if (status != PERP_OK) {
        return status;
    }
    p = step.problem;
    step.problem = NULL;
    perp_sequence_item_clear(&step);
    return instance_take(in, p, &request, err);
}

static void steps_widen(size_t *most, size_t x)
{
    *most = x > *most ? x : *most;
}

static perp_status steps_survey(record_problem *p, const suite_run *run, perp_error *err)
{
    p->hash = PERP_HASH_START;
    for (size_t i = 0; i < perp_sequence_count(p->sequence); i++) {
        instance *in = NULL;
        uint64_t hash = 0;

        if (steps_open(p->sequence, i, run, &in, err) != PERP_OK) {
            return err->status;
        }
        hash = perp_problem_hash(in->problem);
        for (int byte = 0; byte < 8; byte++) { /* FNV-1a over the hashes */
            const unsigned char low = (unsigned char)(hash >> 8 * byte & 0xFF);

            p->hash = perp_hash_bytes(p->hash, &low, 1);
        }
        steps_widen(&p->n, in->problem->n);
        steps_widen(&p->contacts, perp_problem_contacts(in->problem));
        steps_widen(&p->nonzeros, perp_operator_nonzeros(in->problem->A));
        p->kind = perp_kind_name(perp_problem_kind(in->problem));
        p->law = in->problem->law == PERP_LAW_ASSOCIATED ? "associated" : "coulomb";
        instance_free(in);
    }
    return perp_sequence_count(p->sequence)
               ? PERP_OK
               : perp_fail(err, PERP_ERR_DATA, "%s: holds no step", run->instance->file);
}

perp_status record_sequence_open(record_problem *p, const suite_run *run, perp_error *err)
{
    perp_status status = call_open_sequence(&p->sequence, run->instance->file, &p->err);

    status = status ? status : steps_survey(p, run, &p->err);
    if (status == PERP_OK) {
        p->steps = perp_sequence_count(p->sequence);
        return PERP_OK;
    }
    return status == PERP_ERR_MEMORY ? perp_fail(err, status, "%s", p->err.text)
                                     : PERP_OK;
}

/* The residual of a point in JSON; INFINITY when it is no point of this problem. */
static perp_status steps_residual(const perp_problem *p, const json_t *point,
                                  double tolerance, double *residual, perp_error *err)
{
    double *z = NULL;
    perp_judge *judge = NULL;
    perp_measures m;
    perp_status status = PERP_OK;

    *residual = INFINITY;
    if (!json_is_array(point) || json_array_size(point) != p->n) {
        return PERP_OK;
    }
    z = perp_reals_new(p->n);
    if (!z) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", p->n);
    }
    for (size_t i = 0; i < p->n; i++) {
        const json_t *x = json_array_get(point, i);

        z[i] = json_is_number(x) ? json_number_value(x) : NAN;
    }
    status = perp_judge_new(&judge, p, err);
    if (status == PERP_OK) {
        perp_judge_measure(judge, z, tolerance, &m);
        *residual = m.residual;
    }
    perp_judge_free(judge);
    free(z);
    return status;
}

/* Append what the answer says of a step, or null. */
static int steps_copy(json_t *arrays, const json_t *step, const char *key)
{
    json_t *value = json_object_get(step, key);

    return json_array_append_new(json_object_get(arrays, key),
                                 value ? json_incref(value) : json_null());
}

static int steps_append(record_steps *out, const json_t *step, double residual,
                        double tolerance)
{
    static const char *const copied[] = {"iterations", "seconds", "outcome", "matched"};
    bool solved = residual <= tolerance;
    int failed = 0;

    for (size_t k = 0; k < sizeof copied / sizeof *copied; k++) {
        failed += steps_copy(out->arrays, step, copied[k]);
    }
    failed += json_array_append_new(json_object_get(out->arrays, "residual"),
                                    answer_real(residual));
    failed += json_array_append_new(json_object_get(out->arrays, "solved"),
                                    json_boolean(solved));
    out->solved += solved;
    out->worst = fmax(out->worst, residual);
    return failed;
}

perp_status record_steps_judge(record_steps *out, const record_problem *p,
                               const suite_run *run, const json_t *answer,
                               perp_error *err)
{
    const json_t *steps = json_object_get(answer, "steps");
    perp_status status = PERP_OK;

    *out = (record_steps){.whole = json_array_size(steps) == p->steps};
    out->arrays = json_pack("{s:[], s:[], s:[], s:[], s:[], s:[]}", "iterations",
                            "seconds", "residual", "solved", "outcome", "matched");
    if (!out->arrays) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu steps", p->steps);
    }
    for (size_t i = 0; i < p->steps && status == PERP_OK; i++) {
        const json_t *step = json_array_get(steps, i);
        instance *in = NULL;
        double residual = INFINITY;

        status = steps_open(p->sequence, i, run, &in, err);
        status = status ? status
                        : steps_residual(in->problem, json_object_get(step, "z"),
                                         run->tolerance, &residual, err);
        if (status == PERP_OK && steps_append(out, step, residual, run->tolerance) != 0) {
            status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu steps", p->steps);
        }
        instance_free(in);
    }
    return status;
}
