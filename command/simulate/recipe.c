/* SPDX-License-Identifier: Apache-2.0
 * simulate/recipe.c: the problem of one step of a scene: run to that step, export, keep.
 *
 * The file of a kept problem is named after the scene and a hash of the call and the text of
 * the scene: a scene that changed has another file. It is a sequence of the forms. */
#include <config.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/setting.h"
#include "command/cli/take.h"
#include "command/simulate/capture.h"
#include "command/simulate/catalogue.h"
#include "command/simulate/march.h"
#include "command/simulate/recipe.h"

enum { RECIPE_WORD = 96, RECIPE_TEXT = 1024 };
/* Forms of a problem, of the same rows: W in blocks, and global (M, H). */
enum { RECIPE_LOCAL, RECIPE_GLOBAL, RECIPE_FORMS };

static const char recipe_prefix[] = "scene:";

/* Settings of a run: as in a call, as options of perp simulate. */
static const char *const recipe_options[][2] = {
    {"by", "solver"}, {"iterations", "max-iterations"}, {"friction", "friction"}};

enum { RECIPE_OPTIONS = sizeof recipe_options / sizeof *recipe_options };

/* A call that was read, and the scene at its start. */
typedef struct recipe {
    const char *whole; /* "scene:stack:step=3" */
    const char *call;  /* behind "scene:" */
    char path[DATA_PATH];
    char parameters[RECIPE_TEXT]; /* of the scene */
    char when[RECIPE_WORD];
    bool at_step;                           /* when says "step==N" */
    char word[RECIPE_OPTIONS][RECIPE_WORD]; /* "--solver=nsgs" */
    char *words[RECIPE_OPTIONS];
    int word_count;
    perp_scene *scene;
    char *text; /* of the scene */
    cli_args args;
    sim_settings settings;
    sim_capture capture;
    perp_sequence_item item[RECIPE_FORMS];
    size_t forms;
    sim_summary summary;
    sim_end end;
    volatile int stop;
} recipe;

bool recipe_is_call(const char *path)
{
    return strncmp(path, recipe_prefix, sizeof recipe_prefix - 1) == 0;
}

const char *recipe_call(const char *path)
{
    return path + sizeof recipe_prefix - 1;
}

static perp_status recipe_too_long(const perp_setting *s, perp_error *err)
{
    return perp_fail(err, PERP_ERR_OPTION, "%.40s...: too long", s->item);
}

/* "step=3" */
static perp_status recipe_step(recipe *r, const char *value, perp_error *err)
{
    char *end = NULL;
    double n = strtod(value, &end);

    if (end == value || *end || !(n >= 1.0 && n <= 1e9) || n != floor(n)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "step is \"%s\", expected a whole number from 1 on", value);
    }
    snprintf(r->when, sizeof r->when, "step==%.0f", n);
    r->at_step = true;
    return PERP_OK;
}

/* One NAME=VALUE: of the run, else of the scene. */
static perp_status recipe_take(recipe *r, const perp_setting *s, perp_error *err)
{
    char name[CLI_NAME], value[RECIPE_WORD];
    size_t used = strlen(r->parameters);

    if (s->name_length == 0) {
        return perp_fail(err, PERP_ERR_OPTION, "found \"%.*s\", expected NAME=VALUE",
                         s->item_length < 80 ? (int)s->item_length : 80, s->item);
    }
    if (s->name_length >= sizeof name || s->value_length >= sizeof value - 32) {
        return recipe_too_long(s, err);
    }
    snprintf(name, sizeof name, "%.*s", (int)s->name_length, s->name);
    snprintf(value, sizeof value, "%.*s", (int)s->value_length, s->value);
    if (strcmp(name, "step") == 0 || strcmp(name, "when") == 0) {
        if (r->when[0]) {
            return perp_fail(err, PERP_ERR_OPTION, "step or when is given twice");
        }
        if (strcmp(name, "step") == 0) {
            return recipe_step(r, value, err);
        }
        snprintf(r->when, sizeof r->when, "%s", value);
        return PERP_OK;
    }
    if (strcmp(name, "model") == 0) {
        return perp_fail(err, PERP_ERR_OPTION, "model=%s is now friction=%s", value,
                         strcmp(value, "cone") == 0 ? "coulomb" : value);
    }
    for (size_t k = 0; k < RECIPE_OPTIONS; k++) {
        /* "friction=coulomb" is the law, "friction=0.3" a parameter of the scene */
        if (strcmp(name, recipe_options[k][0]) == 0 &&
            (strcmp(name, "friction") != 0 || isalpha((unsigned char)*value)) &&
            r->word_count < RECIPE_OPTIONS) {
            r->words[r->word_count] = r->word[r->word_count];
            snprintf(r->word[r->word_count++], RECIPE_WORD, "--%s=%.60s",
                     recipe_options[k][1], value);
            return PERP_OK;
        }
    }
    if (used + s->item_length + 2 > sizeof r->parameters) {
        return recipe_too_long(s, err);
    }
    sprintf(r->parameters + used, "%s%s=%s", used ? "," : "", name, value);
    return PERP_OK;
}

static perp_status recipe_read(recipe *r, const char *path, perp_error *err)
{
    const char *call = recipe_call(path), *rest = NULL;
    size_t length = strcspn(call, ":,");
    char name[DATA_PATH];
    perp_setting s;
    perp_status status = PERP_OK;

    r->whole = path;
    r->call = call;
    snprintf(name, sizeof name, "%.*s",
             (int)(length < DATA_PATH ? length : DATA_PATH - 1), call);
    status = scene_find("", name, r->path, err);
    rest = call + length + (call[length] != '\0');
    while (status == PERP_OK && perp_setting_next(&s, &rest, ",")) {
        status = recipe_take(r, &s, err);
    }
    return status == PERP_OK && !r->when[0] ? recipe_step(r, "1", err) : status;
}

static perp_status recipe_settings(recipe *r, perp_error *err)
{
    static const cli_option options[] = {SIM_SETTINGS_OPTIONS, CLI_OPTION_END};
    static const cli_verb verb = {
        .name = "simulate", .options = options, .settings = true, .solver = true};
    perp_status status = cli_args_read(&r->args, &verb, r->word_count, r->words, err);

    if (status == PERP_OK) {
        status = sim_settings_read(&r->settings, &r->args, r->scene, err);
    }
    if (status == PERP_OK) {
        status = sim_capture_when(&r->capture, r->when, err);
    }
    if (status == PERP_OK && r->at_step) {
        r->settings.steps = (size_t)strtod(r->when + strlen("step=="), NULL);
    }
    /* The problem of the first step does not depend on how that step is solved. */
    if (status == PERP_OK && r->settings.steps == 1 && r->settings.solver) {
        status = perp_options_set(&r->settings.opt, "max-iterations", "1", err);
    }
    return status;
}

static void recipe_free(recipe *r)
{
    if (r) {
        sim_capture_close(&r->capture);
        perp_sequence_item_clear(&r->item[RECIPE_LOCAL]);
        perp_sequence_item_clear(&r->item[RECIPE_GLOBAL]);
        perp_scene_free(r->scene);
        free(r->text);
        free(r);
    }
}

static perp_status recipe_open(recipe **out, const char *path, perp_error *err)
{
    recipe *r = take(1, sizeof *r);
    perp_error inner = {0};
    perp_status status = PERP_OK;

    *out = NULL;
    status = recipe_read(r, path, &inner);
    if (status == PERP_OK) {
        status = scene_load(&r->scene, r->path, r->parameters, &r->text, &inner);
    }
    if (status == PERP_OK) {
        status = recipe_settings(r, &inner);
    }
    if (status != PERP_OK) {
        recipe_free(r);
        return perp_fail(err, status, "%s: %s", path, inner.text);
    }
    *out = r;
    return PERP_OK;
}

perp_status recipe_check(const char *path, perp_error *err)
{
    recipe *r = NULL;
    perp_status status = recipe_open(&r, path, err);

    recipe_free(r);
    return status;
}

/* Rows of joints come first in the local form and last in what is made of the global one. */
static bool recipe_has_joints(const perp_problem *p)
{
    for (size_t k = 0; k < p->set->count; k++) {
        if (p->set->blocks[k].kind == PERP_SET_FREE) {
            return true;
        }
    }
    return false;
}

/* Ropes, limits and soft rows have no global form. */
static perp_status recipe_export(recipe *r, const sim_march *m, perp_error *err)
{
    const perp_system *system = perp_stepper_system(m->stepper);
    const perp_contacts *contacts = perp_stepper_contacts(m->stepper);
    perp_error inner = {0};
    perp_status status = PERP_OK;

    TRY(perp_system_export(system, m->world, contacts, PERP_STORAGE_BSR,
                           &r->item[RECIPE_LOCAL].problem, err));
    r->forms = 1;
    if (recipe_has_joints(r->item[RECIPE_LOCAL].problem)) {
        return PERP_OK;
    }
    status = perp_system_export_global(system, m->world, contacts,
                                       &r->item[RECIPE_GLOBAL].problem, &inner);
    if (status == PERP_ERR_UNSUITABLE) {
        return PERP_OK;
    }
    r->forms = RECIPE_FORMS;
    return status == PERP_OK ? PERP_OK : perp_fail(err, status, "%s", inner.text);
}

/* Ends the run at the step whose problem is asked for. */
static perp_status recipe_observe(void *context, const sim_march *m,
                                  const perp_report *report, perp_error *err)
{
    recipe *r = context;

    if (!sim_capture_holds(&r->capture, report)) {
        return PERP_OK;
    }
    r->stop = 1;
    if (report->rows == 0) {
        return perp_fail(err, PERP_ERR_DATA, "step %zu has no rows", report->step);
    }
    for (size_t k = 0; k < RECIPE_FORMS; k++) {
        r->item[k].t = report->t;
        r->item[k].h = m->dt;
    }
    TRY(recipe_export(r, m, err));
    for (size_t k = 0; k < r->forms; k++) {
        sim_capture_origin(r->item[k].problem, r->whole, report, m->dt);
    }
    return PERP_OK;
}

static perp_status recipe_run(recipe *r, perp_error *err)
{
    sim_march m = {.summary = &r->summary, .end = &r->end, .stop = &r->stop};
    perp_status status = sim_march_open(&m, r->scene, &r->settings, err);

    if (status == PERP_OK) {
        status = sim_march_run(&m, recipe_observe, r, err);
    }
    if (status == PERP_OK && r->end.early) {
        status = perp_fail(err, PERP_ERR_DATA, "%s", r->end.why);
    }
    if (status == PERP_OK && r->forms == 0) {
        status = perp_fail(err, PERP_ERR_DATA, "\"%s\" holds in none of %zu step%s",
                           r->when, m.step, perp_plural(m.step));
    }
    sim_march_close(&m);
    return status;
}

/* DIR/box-pyramid-0123456789abcdef.hdf5; false: nothing is kept. */
static bool recipe_file(const recipe *r, char file[DATA_PATH])
{
    const char *dir = getenv("PERP_CAPTURES");
    const char *name = strchr(r->scene->name, '/') ? "scene" : r->scene->name;
    uint64_t hash = perp_hash_bytes(PERP_HASH_START, r->call, strlen(r->call) + 1);

    hash = perp_hash_bytes(hash, r->text, strlen(r->text));
    return dir && *dir &&
           snprintf(file, DATA_PATH, "%s/%s-%016" PRIx64 ".hdf5", dir, name, hash) <
               DATA_PATH;
}

/* The form k of an open sequence, or the local one where it has no other. */
static perp_status recipe_get(recipe *r, const perp_sequence *s, size_t k,
                              perp_error *err)
{
    size_t count = perp_sequence_count(s);

    return perp_sequence_get(s, k < count ? k : RECIPE_LOCAL, &r->item[k], err);
}

/* Make the folder and the file of all forms; the item k is given back. */
static perp_status recipe_keep(recipe *r, const char *file, size_t k, perp_error *err)
{
    const char *dir = getenv("PERP_CAPTURES");
    perp_sequence *s = NULL;
    perp_status status = perp_sequence_new(&s, r->scene->name, err);

    if (status == PERP_OK && mkdir(dir, 0777) != 0 && errno != EEXIST) {
        status = perp_fail(err, PERP_ERR_WRITE, "%s: cannot make the folder: %s", dir,
                           strerror(errno));
    }
    for (size_t form = 0; form < r->forms && status == PERP_OK; form++) {
        status = perp_sequence_add(s, &r->item[form], err);
    }
    if (status == PERP_OK) {
        status = perp_sequence_write(s, file, err);
    }
    if (status == PERP_OK) {
        status = recipe_get(r, s, k, err);
    }
    perp_sequence_free(s);
    return status;
}

static perp_status recipe_fetch(recipe *r, const char *file, size_t k, perp_error *err)
{
    perp_sequence *s = NULL;
    perp_status status = perp_sequence_open(&s, file, err);

    if (status == PERP_OK) {
        status = recipe_get(r, s, k, err);
    }
    perp_sequence_free(s);
    return status;
}

/* The problem of the call in the form k, from its file or from a run. */
static perp_status recipe_problem(recipe *r, size_t k, perp_problem **p, perp_error *err)
{
    char file[DATA_PATH];
    bool keep = recipe_file(r, file);
    perp_sequence_item *item = NULL;
    perp_status status = PERP_OK;

    if (keep && data_is_file(file)) {
        status = recipe_fetch(r, file, k, err);
    } else {
        status = recipe_run(r, err);
        if (status == PERP_OK && keep) {
            status = recipe_keep(r, file, k, err);
        }
    }
    if (status != PERP_OK) {
        return status;
    }
    item = &r->item[r->item[k].problem ? k : RECIPE_LOCAL];
    *p = item->problem;
    item->problem = NULL;
    free((*p)->name);
    (*p)->name = take_text(r->call);
    return PERP_OK;
}

perp_status recipe_make(const char *path, bool global, perp_problem **p, perp_error *err)
{
    recipe *r = NULL;
    perp_error inner = {0};
    perp_status status = recipe_open(&r, path, err);

    *p = NULL;
    if (status != PERP_OK) {
        return status;
    }
    status = recipe_problem(r, global ? RECIPE_GLOBAL : RECIPE_LOCAL, p, &inner);
    if (status != PERP_OK) {
        perp_problem_free(*p);
        *p = NULL;
    }
    recipe_free(r);
    return status == PERP_OK ? PERP_OK
                             : perp_fail(err, status, "%s: %s", path, inner.text);
}
