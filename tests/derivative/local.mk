# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/sensitivity.c \
    %D%/ties.c
if COMMAND
test_files += \
    %D%/step_contacts.c \
    %D%/step_gradient.c
endif
test_helpers += \
    %D%/differences.c \
    %D%/differences.h
