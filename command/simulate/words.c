/* SPDX-License-Identifier: Apache-2.0
 * simulate/words.c: the texts of a run as numbers: how many steps the path has and how many more it
 * does not list, then four bytes per number of the reason and of each step, each ended by a 0. */
#include <config.h>

#include <string.h>

#include "command/simulate/words.h"

enum { WORDS_HEAD = 2, WORDS_BYTES = 4 };

/* The text of index k: the reason, then the steps of the path. */
static const char *words_text(const sim_end *end, size_t k)
{
    return k == 0 ? end->reason : end->ran.step[k - 1];
}

size_t sim_words_size(const sim_end *end)
{
    size_t bytes = 0;

    for (size_t k = 0; k <= end->ran.count; k++) {
        bytes += strlen(words_text(end, k)) + 1;
    }
    return WORDS_HEAD + (bytes + WORDS_BYTES - 1) / WORDS_BYTES;
}

void sim_words_save(const sim_end *end, double *numbers)
{
    size_t at = 0;

    memset(numbers, 0, sim_words_size(end) * sizeof *numbers);
    numbers[0] = (double)end->ran.count;
    numbers[1] = (double)end->ran.more;
    for (size_t k = 0; k <= end->ran.count; k++) {
        for (const char *c = words_text(end, k);; c++) {
            const uint32_t byte = (unsigned char)*c;

            numbers[WORDS_HEAD + at / WORDS_BYTES] +=
                (double)(byte << 8 * (at % WORDS_BYTES));
            at++;
            if (!*c) {
                break;
            }
        }
    }
}

/* The next text, from byte *at on. False: it has no end within `room`, or is no text. */
static bool words_next(const double *numbers, size_t size, size_t *at, char *text,
                       size_t room)
{
    for (size_t k = 0; k < room; k++, (*at)++) {
        const size_t place = WORDS_HEAD + *at / WORDS_BYTES;
        const double number = place < size ? numbers[place] : -1.0;

        if (!(number >= 0.0 && number <= (double)UINT32_MAX)) {
            return false;
        }
        text[k] = (char)((uint32_t)number >> 8 * (*at % WORDS_BYTES) & 0xff);
        if (!text[k]) {
            (*at)++;
            return true;
        }
    }
    return false;
}

perp_status sim_words_load(sim_end *end, const double *numbers, size_t size,
                           perp_error *err)
{
    size_t at = 0;
    bool good = size >= WORDS_HEAD && numbers[0] >= 0.0 && numbers[0] <= PERP_PATH_MAX &&
                numbers[1] >= 0.0 && numbers[1] <= (double)UINT32_MAX;

    if (size == 0) {
        return PERP_OK;
    }
    if (good) {
        end->ran.more = (size_t)numbers[1];
        good = words_next(numbers, size, &at, end->reason, sizeof end->reason);
    }
    for (size_t k = 0; good && k < (size_t)numbers[0]; k++) {
        good = words_next(numbers, size, &at, end->ran.step[k], PERP_PATH_LENGTH);
        end->ran.count += good;
    }
    return good ? PERP_OK
                : perp_fail(err, PERP_ERR_FORMAT,
                            "/state/values: found no texts behind the state");
}
