/* SPDX-License-Identifier: Apache-2.0
 * tests/formats/labels.c: labels and origin travel with a problem into every format and back,
 * inside the file or in a side file. */
#include <config.h>

#include <math.h>

#include "files.h"
#include "formats/formats.h"
#include "instances.h"
#include "scarce.h"

static void label_contact(perp_label *l, size_t k)
{
    char name[64];

    snprintf(name, sizeof name, "box \"%zu\" µ", k);
    l->kind = PERP_LABEL_CONTACT;
    l->name = perp_text_new("contact floor/box");
    l->body[0] = perp_text_new("floor");
    l->body[1] = k % 2 ? NULL : perp_text_new(name);
    l->index = k;
    l->placed = true;
    for (size_t i = 0; i < 3; i++) {
        l->point[i] = (double)(k + i) / 3.0;
        l->normal[i] = i == 2 ? 1.0 : -0.0;
    }
    l->gap = -1e-6 / (double)(k + 3);
    l->mu = 0.1 + 0.2; /* needs 17 digits */
    l->key = UINT64_MAX - k;
}

/* A label for every block, of each kind in turn. */
static perp_problem *labelled(perp_problem *p)
{
    perp_error err = {0};

    OK(perp_labels_new(&p->labels, p->set->count, &err));
    OK(perp_origin_new(&p->origin, &err));
    for (size_t k = 0; k < p->labels->count; k++) {
        perp_label *l = &p->labels->at[k];

        l->kind = (perp_label_kind)(k % 7);
        if (l->kind == PERP_LABEL_CONTACT) {
            label_contact(l, k);
        } else if (l->kind != PERP_LABEL_OTHER) { /* OTHER: nothing is known */
            l->joint = perp_text_new("elbow\ttab");
        }
    }
    p->origin->source = perp_text_new("scene:wall:n=3");
    p->origin->version = perp_text_new("perp 1.2.3");
    p->origin->units = perp_text_new("z N s, w m/s");
    p->origin->licence = perp_text_new("Apache-2.0");
    p->origin->step = 12;
    p->origin->timed = true;
    p->origin->time = 0.1;
    p->origin->dt = 1.0 / 120.0;
    p->origin->hash = UINT64_C(0x8000000000000001);
    return p;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_label(const perp_label *a, const perp_label *b)
{
    return a->kind == b->kind && same_text(a->name, b->name) &&
           same_text(a->body[0], b->body[0]) && same_text(a->body[1], b->body[1]) &&
           same_text(a->joint, b->joint) && a->index == b->index &&
           a->placed == b->placed && memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0 && a->gap == b->gap &&
           a->mu == b->mu && a->key == b->key;
}

static bool same_labels(const perp_problem *p, const perp_problem *q)
{
    const perp_origin *a = p->origin;
    const perp_origin *b = q->origin;
    bool same = p->labels && q->labels && a && b && p->labels->count == q->labels->count;

    for (size_t k = 0; same && k < p->labels->count; k++) {
        same = same_label(&p->labels->at[k], &q->labels->at[k]);
    }
    return same && same_text(a->source, b->source) && same_text(a->version, b->version) &&
           same_text(a->units, b->units) && same_text(a->licence, b->licence) &&
           a->step == b->step && a->timed == b->timed && a->time == b->time &&
           a->dt == b->dt && a->hash == b->hash;
}

/* Contacts in space, which every format holds. */
static perp_problem *contacts(void)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/contactbench/sliding_cube.npz", test_datasets());
    perp_problem *p = test_read(path, NULL, NULL);
    return labelled(p);
}

/* Written twice: the same bytes; read: the same labels. */
static void comes_back(const perp_problem *p, const char *path, const char *format)
{
    perp_problem *q = NULL;
    perp_error err = {0};

    if (perp_problem_write(p, path, format, NULL, &err) != PERP_OK ||
        perp_problem_read(&q, path, &(perp_read_options){.format = format}, NULL, &err) !=
            PERP_OK ||
        !same_labels(p, q)) {
        test_note("%s: \"%s\"", path, err.text);
        CU_FAIL("labels and origin did not come back");
    }
    CU_ASSERT_EQUAL(perp_problem_hash(p), perp_problem_hash(q));
}

TEST(labels_and_origin_come_back_from_every_format)
{
    size_t count = 0;
    const perp_format *const *formats = perp_formats(&count);
    perp_problem *p = contacts();

    for (size_t k = 0; k < count; k++) {
        perp_problem *q = NULL;
        char name[64];

        snprintf(name, sizeof name, "labels-%s%s", formats[k]->name,
                 formats[k]->extension);
        const char *path = test_scratch(name);
        if (formats[k]->writes &&
            perp_problem_write(p, path, formats[k]->name, NULL, NULL) == PERP_OK &&
            perp_problem_read(&q, path, NULL, NULL, NULL) == PERP_OK) {
            comes_back(p, path, formats[k]->name);
        }
    }
    comes_back(p, test_scratch("labels.hdf5"), "fclib");
    comes_back(p, test_scratch("labels.dat"), "siconos");
    comes_back(p, test_scratch("labels-folder"), "matrix-market");
    if (perp_format_find("mat")) {
        comes_back(p, test_scratch("labels.mat"), "mat");
    }
    comes_back(p, test_scratch("labels.npz"), "npz");
    comes_back(p, test_scratch("labels.contactbench.npz"), "contactbench");
    comes_back(p, test_scratch("labels.json"), "json");
}

TEST(labels_of_every_set_come_back)
{
    perp_problem *p = labelled(files_every_set(PERP_STORAGE_CSR, PERP_LAW_COULOMB));

    comes_back(p, test_scratch("labels-sets.json"), "json");
    if (perp_format_find("mat")) {
        comes_back(p, test_scratch("labels-sets.mat"), "mat");
    }
    perp_labels_free(p->labels);
    p->labels = NULL; /* an origin alone */
    files_come_back(p, test_scratch("labels-origin.json"), "json", false);
}

/* Writing p again gives the bytes that `other`, the same file or its side file, has. */
static void same_bytes(const perp_problem *p, const char *path, const char *other)
{
    size_t first = 0;
    size_t second = 0;

    OK(perp_problem_write(p, path, NULL, NULL, NULL));
    char *before = files_get(other, &first);
    unlink(other);
    OK(perp_problem_write(p, path, NULL, NULL, NULL));
    char *after = files_get(other, &second);
    CU_ASSERT_TRUE(first == second && memcmp(before, after, first) == 0);
}

TEST(the_same_labels_give_the_same_bytes)
{
    static const char *const names[] = {"bytes.hdf5", "bytes.dat", "bytes.npz",
                                        "bytes.json"};
    perp_problem *p = contacts();

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        same_bytes(p, test_scratch(names[k]), test_scratch(names[k]));
    }
    same_bytes(p, test_scratch("bytes.dat"), test_scratch("bytes.meta.json"));
}

/* What reading a file notes, and whether it has labels. */
static perp_notes side_notes(const char *path, bool labels)
{
    perp_notes notes = {0};
    perp_problem *q = NULL;
    perp_error err = {0};

    if (perp_problem_read(&q, path, NULL, &notes, &err) != PERP_OK) {
        test_note("%s", err.text);
        CU_FAIL_FATAL("not read");
    }
    CU_ASSERT_EQUAL(q->labels != NULL, labels);
    CU_ASSERT_EQUAL(q->origin != NULL, labels);
    return notes;
}

TEST(a_side_file_belongs_to_one_problem)
{
    const char *path = test_scratch("side.dat");
    const char *side = test_scratch("side.meta.json");
    perp_problem *p = contacts();
    perp_notes notes;
    size_t length = 0;

    OK(perp_problem_write(p, path, NULL, NULL, NULL));
    char *text = files_get(side, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"format\": \"perp-meta\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"law\": \"coulomb\""));
    notes = side_notes(path, true);
    CU_ASSERT_EQUAL(notes.count, 0);
    /* another problem under the same name, without labels: the side file stays */
    perp_labels_free(p->labels);
    perp_origin_free(p->origin);
    p->labels = NULL;
    p->origin = NULL;
    p->b[0] += 1.0;
    OK(perp_problem_write(p, path, NULL, NULL, NULL));
    notes = side_notes(path, false);
    CU_ASSERT_EQUAL_FATAL(notes.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(
        notes.line[0], "belongs to another problem: its hash differs; it is not used"));
    files_put_text(side, "{\"format\": \"perp-meta\",\n \"labels\": [1}");
    notes = side_notes(path, false);
    CU_ASSERT_EQUAL_FATAL(notes.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(notes.line[0], "side.meta.json:2:"));
    unlink(side);
    notes = side_notes(path, false);
    CU_ASSERT_EQUAL(notes.count, 0);
}

TEST(a_problem_that_is_not_written_leaves_no_side_file)
{
    perp_problem *p = labelled(files_every_set(PERP_STORAGE_DENSE, PERP_LAW_COULOMB));

    CU_ASSERT_NOT_EQUAL(
        perp_problem_write(p, test_scratch("none.dat"), "siconos", NULL, NULL), PERP_OK);
    CU_ASSERT_NOT_EQUAL(access(test_scratch("none.dat"), F_OK), 0);
    CU_ASSERT_NOT_EQUAL(access(test_scratch("none.meta.json"), F_OK), 0);
}

TEST(what_a_number_of_json_cannot_hold_is_left_out)
{
    const char *path = test_scratch("infinite.json");
    perp_problem *p = contacts();

    p->labels->at[1].gap = INFINITY;
    p->labels->at[1].mu = NAN;
    p->origin->time = NAN;
    OK(perp_problem_write(p, path, NULL, NULL, NULL));
    perp_problem *q = test_read(path, NULL, NULL);
    CU_ASSERT_FALSE(q->labels->at[1].placed);
    CU_ASSERT_TRUE(q->labels->at[1].mu < 0.0);
    CU_ASSERT_FALSE(q->origin->timed);
}

TEST(each_fault_of_labels_is_reported_with_its_place)
{
    static const struct {
        const char *members, *words;
    } faults[] = {
        {"\"labels\": 3", "labels is a number, expected an array"},
        {"\"labels\": [{}]", "labels has 1 entries, expected one for each of 2 blocks"},
        {"\"labels\": [{}, 4]", "labels[1] is a number, expected an object"},
        {"\"labels\": [{\"kind\": \"wheel\"}, {}]",
         "labels[0].kind is \"wheel\", expected other, contact, joint, limit, motor"},
        {"\"labels\": [{}, {\"name\": 1}]",
         "labels[1].name is a number, expected a text"},
        {"\"labels\": [{\"bodies\": [\"a\"]}, {}]",
         "labels[0].bodies is an array, expected an array of two"},
        {"\"labels\": [{\"bodies\": [\"a\", 2]}, {}]",
         "labels[0].bodies[1] is a number, expected a text"},
        {"\"labels\": [{\"index\": -1}, {}]",
         "labels[0].index is -1, expected a whole number from 0"},
        {"\"labels\": [{\"point\": [0, 1]}, {}]",
         "labels[0].point has 2 entries, expected 3"},
        {"\"labels\": [{\"point\": [0, 1, 2]}, {}]", "labels[0].normal is missing"},
        {"\"labels\": [{\"point\": [0, 1, 2], \"normal\": [0, 0, 1]}, {}]",
         "labels[0].gap is missing"},
        {"\"labels\": [{\"key\": \"12z\"}, {}]",
         "labels[0].key is \"12z\", expected 1 to 16 hexadecimal digits"},
        {"\"labels\": [{\"key\": \"12345678901234567\"}, {}]", "expected 1 to 16 hex"},
        {"\"origin\": []", "origin is an array, expected an object"},
        {"\"origin\": {\"step\": 1.5}", "origin.step is 1.5, expected a whole number"},
        {"\"origin\": {\"time\": 1}", "origin.dt is missing"},
        {"\"origin\": {\"source\": 1}", "origin.source is a number, expected a text"},
        {"\"origin\": {\"hash\": \"\"}", "origin.hash is \"\", expected 1 to 16"},
    };

    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        const char *path = test_scratch("faults.json");
        char text[512];

        snprintf(text, sizeof text, "{\"M\": [[1, 0], [0, 1]], \"q\": [1, 1], %s}",
                 faults[k].members);
        files_put_text(path, text);
        files_refused(path, NULL, faults[k].words);
    }
}

TEST(a_problem_has_as_many_labels_as_blocks)
{
    perp_problem *p = contacts();
    perp_error err = {0};

    p->labels->count--;
    CU_ASSERT_EQUAL(perp_problem_check(p, &err), PERP_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "labels, expected one for each of"));
    p->sealed = true; /* labels may change afterwards */
    CU_ASSERT_EQUAL(perp_problem_write(p, test_scratch("few.json"), NULL, NULL, NULL),
                    PERP_ERR_DATA);
    p->labels->count++;
}

TEST(a_copy_has_labels_of_its_own)
{
    perp_problem *p = contacts();
    perp_problem *q = test_copy(p);

    CU_ASSERT_TRUE(same_labels(p, q));
    CU_ASSERT_TRUE(p->labels->at[1].name != q->labels->at[1].name);
    CU_ASSERT_STRING_EQUAL(perp_label_kind_name(PERP_LABEL_SPRING), "spring");
    CU_ASSERT_STRING_EQUAL(perp_label_kind_name((perp_label_kind)99), "other");
}

TEST(a_reformulation_of_the_same_rows_has_their_labels)
{
    perp_problem *p = contacts();
    perp_reform *scaled = NULL;
    perp_reform *boxes = NULL;
    perp_reform *pyramid = NULL;

    OK(perp_reform_store(&scaled, p, PERP_STORAGE_CSR, NULL));
    CU_ASSERT_TRUE(same_labels(p, scaled->to));
    /* each contact is three blocks of one row now */
    OK(perp_reform_box_friction(&boxes, p, NULL));
    CU_ASSERT_EQUAL_FATAL(boxes->to->labels->count, 3 * p->labels->count);
    for (size_t k = 0; k < boxes->to->labels->count; k++) {
        perp_label expected = p->labels->at[k / 3];

        expected.key = k % 3 ? 0 : expected.key;
        CU_ASSERT_TRUE(same_label(&boxes->to->labels->at[k], &expected));
    }
    CU_ASSERT_STRING_EQUAL(boxes->to->origin->source, p->origin->source);
    /* the rows of a contact are named after it (tests/reform/labels.c) */
    OK(perp_reform_pyramid(&pyramid, p, 4, NULL));
    CU_ASSERT_PTR_NOT_NULL(pyramid->to->labels);
    CU_ASSERT_STRING_EQUAL(pyramid->to->origin->source, p->origin->source);
}

/* Three steps of one source and one of another; the third has no origin. */
TEST(steps_of_a_sequence_share_their_origin)
{
    const char *path = test_scratch("shared.hdf5");
    perp_sequence *again = NULL;
    perp_sequence *s = test_new_sequence("shared");

    for (size_t k = 0; k < 4; k++) {
        perp_sequence_item item = {.t = (double)k, .h = 0.5, .problem = contacts()};
        perp_origin *o = item.problem->origin;

        o->step = k + 1;
        o->time = (double)k;
        if (k == 1) {
            free(o->licence);
            o->licence = NULL;
        } else if (k == 2) {
            perp_origin_free(o);
            item.problem->origin = NULL;
        } else if (k == 3) {
            free(o->source);
            o->source = perp_text_new("elsewhere");
        }
        OK(perp_sequence_add(s, &item, NULL));
    }
    OK(perp_sequence_write(s, path, NULL));
    OK(perp_sequence_open(&again, path, NULL));
    for (size_t k = 0; k < 4; k++) {
        perp_sequence_item x, y;

        OK(perp_sequence_get(s, k, &x, NULL));
        OK(perp_sequence_get(again, k, &y, NULL));
        if (k == 2) {
            CU_ASSERT_PTR_NULL(y.problem->origin);
        } else {
            CU_ASSERT_TRUE(same_labels(x.problem, y.problem));
        }
        perp_sequence_item_clear(&x);
        perp_sequence_item_clear(&y);
    }
}

/* Every call that makes, copies, writes or reads labels. */
static perp_status all_work(void *context, perp_error *err)
{
    const perp_problem *p = context;
    const char *paths[] = {test_scratch("scarce.dat"), test_scratch("scarce.json")};
    perp_problem *q = NULL;
    perp_reform *t = NULL;
    perp_status status = (perp_problem_copy)(&q, p, err);

    perp_problem_free(q);
    if (status == PERP_OK) {
        status = (perp_reform_box_friction)(&t, p, err);
        perp_reform_free(status == PERP_OK ? t : NULL);
    }
    for (size_t k = 0; status == PERP_OK && k < 2; k++) {
        q = NULL;
        status = perp_problem_write(p, paths[k], NULL, NULL, err);
        if (status == PERP_OK) {
            status = (perp_problem_read)(&q, paths[k], NULL, NULL, err);
        }
        perp_problem_free(status == PERP_OK ? q : NULL);
    }
    return status;
}

TEST(a_missing_allocation_of_labels_is_reported)
{
    perp_problem *p = contacts();

    scarce_everywhere(all_work, p, "labels");
}
