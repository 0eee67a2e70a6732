/* SPDX-License-Identifier: Apache-2.0
 * formats/siconos.c: the Siconos text format: which kind of problem a file holds.
 *
 * The files do not name their kind. Each family of kinds is tried: their first numbers repeat
 * sizes in ways that exclude one another, so that the family that reads furthest is the right
 * one. Where this leaves a choice (an LCP followed by 2n numbers), the name of the file or of
 * its folder decides. */
#include <config.h>

#include <ctype.h>
#include <stdio.h>

#include "siconos.h"

typedef struct family {
    perp_status (*read)(siconos_reading *r);
    unsigned kinds; /* bits 1 << kind */
} family;

static const family families[] = {
    {perp_siconos_read_lcp, 1U << SICONOS_KIND_LCP | 1U << SICONOS_KIND_RELAY},
    {perp_siconos_read_contact, 1U << SICONOS_KIND_FC2D | 1U << SICONOS_KIND_FC3D |
                                    1U << SICONOS_KIND_GFC2D | 1U << SICONOS_KIND_GFC3D |
                                    1U << SICONOS_KIND_ROLLING},
    {perp_siconos_read_mlcp, 1U << SICONOS_KIND_MLCP},
    {perp_siconos_read_generic, 1U << SICONOS_KIND_GMP},
    {perp_siconos_read_soclcp, 1U << SICONOS_KIND_SOCLCP},
};

enum { FAMILIES = sizeof families / sizeof families[0] };

static const char *const kind_names[SICONOS_KIND_COUNT] = {
    [SICONOS_KIND_LCP] = "lcp",     [SICONOS_KIND_RELAY] = "relay",
    [SICONOS_KIND_MLCP] = "mlcp",   [SICONOS_KIND_FC2D] = "fc2d",
    [SICONOS_KIND_FC3D] = "fc3d",   [SICONOS_KIND_GFC2D] = "gfc2d",
    [SICONOS_KIND_GFC3D] = "gfc3d", [SICONOS_KIND_ROLLING] = "rolling",
    [SICONOS_KIND_GMP] = "gmp",     [SICONOS_KIND_SOCLCP] = "soclcp",
};

siconos_kind perp_siconos_kind_find(const char *name)
{
    for (siconos_kind k = SICONOS_KIND_ANY + 1; k < SICONOS_KIND_COUNT; k++) {
        if (strcmp(kind_names[k], name) == 0) {
            return k;
        }
    }
    return SICONOS_KIND_ANY;
}

const char *perp_siconos_kind_name(siconos_kind kind)
{
    return kind_names[kind];
}

/* The kind that a name suggests. */
static siconos_kind hint_in(const char *name, size_t length)
{
    static const struct {
        const char *word;
        siconos_kind kind;
    } words[] = {{"soclcp", SICONOS_KIND_SOCLCP}, {"mlcp", SICONOS_KIND_MLCP},
                 {"relay", SICONOS_KIND_RELAY},   {"gmp", SICONOS_KIND_GMP},
                 {"lcp", SICONOS_KIND_LCP},       {"rolling", SICONOS_KIND_ROLLING},
                 {"rfc", SICONOS_KIND_ROLLING},   {"gfc", SICONOS_KIND_GFC3D},
                 {"fc", SICONOS_KIND_FC3D}};
    char lower[256];
    size_t n = length < sizeof lower ? length : sizeof lower - 1;

    for (size_t i = 0; i < n; i++) {
        lower[i] = (char)tolower((unsigned char)name[i]);
    }
    lower[n] = '\0';
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        if (strstr(lower, words[k].word)) {
            return words[k].kind;
        }
    }
    return SICONOS_KIND_ANY;
}

/* From the name of the file, else from that of its folder. */
static siconos_kind path_hint(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *folder = slash;
    siconos_kind hint = hint_in(name, strlen(name));

    while (folder && folder > path && folder[-1] != '/') {
        folder--;
    }
    if (hint == SICONOS_KIND_ANY && folder) {
        hint = hint_in(folder, (size_t)(slash - folder));
    }
    return hint;
}

/* Try one family on the whole text. */
static perp_status try_family(const family *f, siconos_reading *r)
{
    perp_status status = perp_problem_new(&r->p, r->scan.err);

    if (status == PERP_OK) {
        status = f->read(r);
    }
    if (status != PERP_OK) {
        perp_problem_free(r->p);
        r->p = NULL;
    }
    return status;
}

/* The family that reads furthest decides, with a problem or with an error: a wrong one fails
 * at the first sizes, or ends after a few numbers. Among equals the suggested one wins. */
static perp_status try_families(siconos_reading *r, perp_error *err)
{
    siconos_reading best = {0};
    perp_error best_error = {0};
    perp_status status = PERP_OK;
    unsigned wanted = r->kind ? 1U << r->kind : ~0U;
    perp_scan first = r->scan;

    first.err = err;
    (void)perp_scan_next(&first);
    for (size_t k = 0; k < 2 * (size_t)FAMILIES; k++) {
        const family *f = &families[k % FAMILIES];
        bool hinted = (f->kinds & 1U << r->hint) != 0;
        siconos_reading trial = *r;
        perp_error error = {0};

        if (!(f->kinds & wanted) || hinted != (k < FAMILIES)) {
            continue;
        }
        trial.scan.err = &error;
        status = try_family(f, &trial);
        if (!best.scan.at || trial.scan.at > best.scan.at || status == PERP_ERR_MEMORY) {
            perp_problem_free(best.p);
            best = trial;
            best_error = error;
        } else {
            perp_problem_free(trial.p);
        }
        if (status == PERP_ERR_MEMORY) {
            break;
        }
    }
    if (!best.p && !r->kind && best.scan.at <= first.at &&
        best_error.status != PERP_ERR_MEMORY) {
        return perp_scan_fail(&first, PERP_ERR_FORMAT,
                              "found \"%s\", expected the sizes of an LCP, MLCP, relay, "
                              "contact or generic problem",
                              first.word);
    }
    *r = best;
    return best.p ? PERP_OK : perp_fail(err, best_error.status, "%s", best_error.text);
}

static perp_status siconos_options(siconos_reading *r, const perp_read_options *opt,
                                   perp_error *err)
{
    r->kind = opt->kind ? perp_siconos_kind_find(opt->kind) : SICONOS_KIND_ANY;
    return r->kind != SICONOS_KIND_ANY || !opt->kind
               ? PERP_OK
               : perp_fail(err, PERP_ERR_OPTION,
                           "kind is \"%s\", expected one of: lcp, relay, mlcp, fc2d, "
                           "fc3d, gfc2d, gfc3d, rolling, gmp, soclcp",
                           opt->kind);
}

static perp_status siconos_read(perp_source *from, const perp_read_options *opt,
                                perp_problem **p, perp_notes *notes, perp_error *err)
{
    siconos_reading r = {.hint = path_hint(from->name)};
    perp_status status = siconos_options(&r, opt, err);

    if (status == PERP_OK) {
        status = perp_source_load(from, err);
    }
    if (status == PERP_OK) {
        r.scan = perp_scan_start(from, NULL);
        status = try_families(&r, err);
        *p = r.p;
    }
    if (status != PERP_OK) {
        return status;
    }
    for (size_t k = 0; k < r.notes.count; k++) {
        perp_note(notes, "%s", r.notes.line[k]);
    }
    r.p->name = perp_path_stem(from->name);
    return r.p->name ? PERP_OK
                     : perp_fail(err, PERP_ERR_MEMORY, "%s: no memory for its name",
                                 from->name);
}

/* Two integers at the start: perhaps; certain when the name ends in .dat. */
static int siconos_detect(const perp_source *from)
{
    char bytes[512 + 1];
    size_t length = perp_source_peek(from, bytes, sizeof bytes - 1);
    perp_scan s = {.path = from->name, .at = bytes, .end = bytes + length, .line = 1};

    for (size_t i = 0; i < 2; i++) {
        int64_t k = -1;

        if (perp_scan_integer(&s, &k) != PERP_SCAN_GOOD || k < 0 || k > INT32_MAX) {
            return 0;
        }
    }
    return perp_path_ends(from->name, ".dat") ? 2 : 1;
}

const perp_format_type perp_format_siconos = {
    .format = {.name = "siconos",
               .summary = "text files of Siconos: LCP, MLCP, relay, local and global "
                          "contact, generic, second-order cones",
               .extension = ".dat",
               .reads = true,
               .writes = true,
               .memory = true},
    .detect = siconos_detect,
    .read = siconos_read,
    .write = perp_siconos_write,
};
