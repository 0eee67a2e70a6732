/* SPDX-License-Identifier: Apache-2.0
 * interop/capture/capture_contacts.h: contacts from step to step; between the files of
 * capture. */
#ifndef PERP_COMMAND_CAPTURE_CONTACTS_H
#define PERP_COMMAND_CAPTURE_CONTACTS_H

/** A step of this world starts on this thread: capture_contact speaks of its contacts. */
void capture_contacts_start(const void *world);
/** The step ends: contacts of its world that were not seen in it are forgotten. */
void capture_contacts_end(void);

#endif
