/* SPDX-License-Identifier: Apache-2.0
 * formats/sequence_folder.c: a sequence as a folder: an index, and a file or folder a step in
 * any format that holds an instance.
 *
 *     sequence.json   {"format": "perp-sequence", "version": 1, "name": "wall",
 *                      "steps": [{"t": 0.01, "h": 0.01, "file": "step_00000.json",
 *                                 "format": "perp-golden", "item": 0,
 *                                 "keys": "1f 20 0 21"}, …]}
 *
 * Files are named from the folder and stay inside it. format (else detected), item (0) and
 * keys (none) may be missing; keys are hexadecimal, a word for each block of the set, since
 * JSON has no whole numbers of 64 bits. */
#include <config.h>

#include <sys/stat.h>

#include "sequence_file.h"
#include "sets.h"

static const char index_name[] = "sequence.json";

/* What is kept of a folder: its index, already checked. */
typedef struct folder_state {
    char *folder, *index; /* paths */
    json_t *root;
    const json_t *steps;
} folder_state;

static void folder_close(void *state)
{
    folder_state *s = state;

    json_decref(s->root);
    free(s->folder);
    free(s->index);
    free(s);
}

/* "folder/name", on the heap; NULL: no memory. */
static char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    size_t room = length + strlen(name) + 2;
    char *path = malloc(room);

    if (path) {
        snprintf(path, room, "%s%s%s", folder,
                 length && folder[length - 1] == '/' ? "" : "/", name);
    }
    return path;
}

/* Names of a file in the folder or below: no root, no step up. */
static bool stays_inside(const char *name)
{
    if (!name[0] || name[0] == '/') {
        return false;
    }
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0')) {
            return false;
        }
    }
    return true;
}

/* The words of a text as keys, at most `room` of them into keys (NULL: counted only); the
 * first bad word, or NULL. */
static const char *parse_keys(const char *text, uint64_t *keys, size_t room,
                              size_t *count)
{
    static const char digits[] = "0123456789abcdefABCDEF";

    *count = 0;
    for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
        size_t length = strspn(at, digits);

        if (length == 0 || length > 16 || (at[length] && at[length] != ' ')) {
            return at;
        }
        if (keys && *count < room) {
            keys[*count] = strtoull(at, NULL, 16);
        }
        (*count)++;
        at += length;
    }
    return NULL;
}

/* Where step i stands in the index: "steps[7]." */
enum { STEP_PLACE = 40 };
static void step_place(char place[STEP_PLACE], size_t i)
{
    snprintf(place, STEP_PLACE, "steps[%zu].", i);
}

/* What the index says of a step. */
typedef struct entry {
    const char *file, *format, *keys;
    size_t item;
    double t, h;
} entry;

static perp_status read_entry(const folder_state *s, size_t i, entry *e, perp_error *err)
{
    char at[STEP_PLACE];
    const json_t *o = json_array_get(s->steps, i);
    perp_status status = PERP_OK;

    step_place(at, i);
    if (!json_is_object(o)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: steps[%zu] is %s, expected an object",
                         s->index, i, perp_json_kind(o));
    }
    status = perp_json_real(&e->t, o, s->index, at, "t", err);
    status = status ? status : perp_json_real(&e->h, o, s->index, at, "h", err);
    status = status ? status : perp_json_text(&e->file, o, s->index, at, "file", err);
    status = status ? status : perp_json_text(&e->format, o, s->index, at, "format", err);
    status = status ? status : perp_json_text(&e->keys, o, s->index, at, "keys", err);
    return status ? status : perp_json_size(&e->item, o, s->index, at, "item", 0, err);
}

static perp_status check_entry(const folder_state *s, size_t i, perp_error *err)
{
    entry e = {0};
    size_t count = 0;
    const char *bad = NULL;
    perp_status status = read_entry(s, i, &e, err);

    if (status != PERP_OK) {
        return status;
    }
    if (!e.file || !stays_inside(e.file)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: steps[%zu].file is %s%.80s%s, expected a name inside the "
                         "folder",
                         s->index, i, e.file ? "\"" : "", e.file ? e.file : "missing",
                         e.file ? "\"" : "");
    }
    if (e.format && (!perp_format_find(e.format) ||
                     perp_format_find(e.format) == &perp_format_sequence)) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: steps[%zu].format is \"%.40s\", which holds no instance",
                         s->index, i, e.format);
    }
    bad = e.keys ? parse_keys(e.keys, NULL, 0, &count) : NULL;
    if (bad) {
        return perp_fail(err, PERP_ERR_FORMAT,
                         "%s: steps[%zu].keys: word %zu is \"%.*s\", expected at most 16 "
                         "hexadecimal digits",
                         s->index, i, count, (int)strcspn(bad, " ") % 40, bad);
    }
    return PERP_OK;
}

/* Identities for the blocks of a problem that was read. */
static perp_status give_keys(const folder_state *s, size_t i, const char *text,
                             perp_sequence_item *step, perp_error *err)
{
    size_t blocks = step->problem->set->count;
    size_t count = 0;

    step->keys = calloc(blocks + 1, sizeof *step->keys);
    if (!step->keys) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for %zu keys", s->index,
                         blocks);
    }
    if (!text) {
        return PERP_OK;
    }
    parse_keys(text, step->keys, blocks, &count);
    return count == blocks ? PERP_OK
                           : perp_fail(err, PERP_ERR_FORMAT,
                                       "%s: steps[%zu].keys has %zu words, expected %zu, "
                                       "one for each block of its set",
                                       s->index, i, count, blocks);
}

static perp_status folder_read(const void *state, size_t i, perp_sequence_item *step,
                               perp_error *err)
{
    const folder_state *s = state;
    entry e = {0};
    perp_read_options opt = {0};
    char *path = NULL;
    perp_status status = read_entry(s, i, &e, err);

    if (status != PERP_OK) {
        return status;
    }
    path = join(s->folder, e.file);
    if (!path) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for a path", s->index);
    }
    /* A step is an instance: a sequence inside a sequence would never end. */
    if (!e.format && perp_sequence_detect(path)) {
        status =
            perp_fail(err, PERP_ERR_FORMAT,
                      "%s: steps[%zu].file is a sequence itself, expected an instance",
                      s->index, i);
    }
    opt.format = e.format;
    opt.item = e.item;
    step->t = e.t;
    step->h = e.h;
    status = status ? status : perp_problem_read(&step->problem, path, &opt, NULL, err);
    status = status ? status : give_keys(s, i, e.keys, step, err);
    free(path);
    return status;
}

static const perp_sequence_store folder_store = {folder_read, folder_close};

static perp_status check_index(folder_state *s, const char **name, perp_error *err)
{
    const char *format = NULL;
    size_t version = 0;
    perp_status status = perp_json_text(&format, s->root, s->index, "", "format", err);

    if (status == PERP_OK && (!format || strcmp(format, SEQUENCE_FORMAT) != 0)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: format is \"%.40s\", expected \"%s\"",
                         s->index, format ? format : "", SEQUENCE_FORMAT);
    }
    status = status ? status
                    : perp_json_size(&version, s->root, s->index, "", "version", 0, err);
    if (status == PERP_OK && version != SEQUENCE_VERSION) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: version is %zu, expected %d",
                         s->index, version, SEQUENCE_VERSION);
    }
    status = status ? status : perp_json_text(name, s->root, s->index, "", "name", err);
    s->steps = json_object_get(s->root, "steps");
    if (status == PERP_OK && !json_is_array(s->steps)) {
        return perp_fail(err, PERP_ERR_FORMAT, "%s: steps is %s, expected an array",
                         s->index, perp_json_kind(s->steps));
    }
    for (size_t i = 0; i < json_array_size(s->steps) && status == PERP_OK; i++) {
        status = check_entry(s, i, err);
    }
    return status;
}

perp_status perp_sequence_folder_open(perp_sequence **out, const char *path,
                                      perp_error *err)
{
    folder_state *s = calloc(1, sizeof *s);
    const char *name = NULL;
    perp_status status = PERP_OK;

    *out = NULL;
    if (!s) {
        return perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", path);
    }
    s->folder = perp_text_new(path);
    s->index = join(path, index_name);
    status = s->folder && s->index
                 ? perp_json_load(&s->root, s->index, err)
                 : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", path);
    status = status ? status : check_index(s, &name, err);
    if (status != PERP_OK) {
        folder_close(s);
        return status;
    }
    return perp_sequence_new_stored(out, name, path, json_array_size(s->steps),
                                    &folder_store, s, err);
}

bool perp_sequence_folder_detect(const char *path)
{
    char *index = join(path, index_name);
    struct stat st;
    bool is = index && stat(index, &st) == 0 && S_ISREG(st.st_mode);

    free(index);
    return is;
}

/* "sequence.json", "step_00017", "step_00017.json": what this format puts into a folder. */
static bool owns(const char *name)
{
    size_t digits = strncmp(name, "step_", 5) == 0 ? strspn(name + 5, "0123456789") : 0;

    return strcmp(name, index_name) == 0 ||
           (digits >= 5 && (name[5 + digits] == '\0' || name[5 + digits] == '.'));
}

static void put_entry(FILE *f, const perp_sequence_item *step, const char *file,
                      const char *format)
{
    char t[PERP_NUMBER_LENGTH];
    char h[PERP_NUMBER_LENGTH];

    perp_number_print(t, step->t);
    perp_number_print(h, step->h);
    fprintf(f,
            "    {\"t\": %s, \"h\": %s, \"file\": \"%s\", \"format\": \"%s\",\n"
            "     \"keys\": \"",
            t, h, file, format);
    for (size_t k = 0; k < step->problem->set->count; k++) {
        fprintf(f, "%s%llx", k ? " " : "", (unsigned long long)step->keys[k]);
    }
    fputs("\"}", f);
}

/* Step i as a file of the folder, and its line of the index. */
static perp_status put_step(const perp_sequence *s, size_t i, const char *folder,
                            const perp_format *chosen, FILE *index, perp_error *err)
{
    perp_sequence_item step;
    const perp_format *format = chosen;
    char file[64];
    char *path = NULL;
    perp_status status = perp_sequence_get(s, i, &step, err);

    status = status ? status : perp_sequence_holds(&step, i, folder, err);
    if (status == PERP_OK) {
        if (!format) {
            format =
                step.problem->global ? &perp_format_matrix_market : &perp_format_golden;
        }
        snprintf(file, sizeof file, "step_%05zu%s", i, format->extension);
        path = join(folder, file);
        status = path ? perp_problem_write(step.problem, path, format->name, NULL, err)
                      : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", folder);
    }
    if (status == PERP_OK) {
        fputs(i ? ",\n" : "\n", index);
        put_entry(index, &step, file, format->name);
    }
    free(path);
    perp_sequence_item_clear(&step);
    return status;
}

static perp_status put_all(const perp_sequence *s, const char *folder,
                           const perp_format *format, perp_error *err)
{
    char *path = join(folder, index_name);
    perp_file_out out = {0};
    perp_status status = path ? perp_file_begin(&out, path, err)
                              : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory", folder);

    if (status == PERP_OK) {
        fprintf(out.f, "{\n  \"format\": \"%s\",\n  \"version\": %d,\n  \"name\": ",
                SEQUENCE_FORMAT, SEQUENCE_VERSION);
        perp_json_print_text(out.f, s->name);
        fputs(",\n  \"steps\": [", out.f);
        for (size_t i = 0; i < s->count && status == PERP_OK; i++) {
            status = put_step(s, i, folder, format, out.f, err);
        }
        fputs("\n  ]\n}\n", out.f);
        if (status == PERP_OK) {
            status = perp_file_commit(&out, err);
        } else {
            perp_file_abandon(&out);
        }
    }
    free(path);
    return status;
}

perp_status perp_sequence_folder_write(const perp_sequence *s, const char *path,
                                       const char *format_name, perp_error *err)
{
    const perp_format *format = perp_format_find(format_name);
    char place[PERP_FILE_PATH_LENGTH];
    char fresh[PERP_FILE_PATH_LENGTH + 64];
    size_t length = strlen(path);
    bool there = false;
    perp_status status = PERP_OK;

    if (format_name && (!format || !format->writes)) {
        return perp_fail(err, PERP_ERR_OPTION,
                         "format is \"%s\", expected one that writes instances",
                         format_name);
    }
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    if (length == 0 || length >= sizeof place) {
        return perp_fail(err, PERP_ERR_WRITE, "%.80s: no name of a folder", path);
    }
    memcpy(place, path, length);
    place[length] = '\0';
    status = perp_folder_place(place, owns, "sequence", &there, err);
    status = status ? status : perp_folder_beside(fresh, sizeof fresh, place, "tmp", err);
    if (status != PERP_OK) {
        return status;
    }
    status = put_all(s, fresh, format, err);
    if (status == PERP_OK) {
        status =
            perp_folder_install(fresh, place, there, owns, perp_matrix_market_owns, err);
    }
    if (status != PERP_OK) {
        perp_folder_remove(fresh, owns, perp_matrix_market_owns);
    }
    return status;
}
