/* SPDX-License-Identifier: Apache-2.0
 * collision/contacts.c: a growing list of contacts. */
#include <config.h>

#include <stdlib.h>

#include "collision/query.h"

void perp_contacts_clear(perp_contacts *contacts)
{
    free(contacts->at);
    memset(contacts, 0, sizeof *contacts);
}

perp_contact *perp_contacts_add(perp_contacts *contacts)
{
    contacts->open = 0; /* a new one takes their place */
    if (!GROW(contacts->at, contacts->room, contacts->count + 1)) {
        return NULL;
    }
    memset(&contacts->at[contacts->count], 0, sizeof *contacts->at);
    return &contacts->at[contacts->count++];
}

void perp_contacts_remove(perp_contacts *contacts, size_t k)
{
    if (k < contacts->count) {
        memmove(&contacts->at[k], &contacts->at[k + 1],
                (contacts->count + contacts->open - k - 1) * sizeof *contacts->at);
        contacts->count--;
    }
}
