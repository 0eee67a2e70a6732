# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += %D%/profile_contact.svg %D%/tutorial.md
