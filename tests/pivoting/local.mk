# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/dantzig \
    %D%/dantzig_friction \
    %D%/ldlt \
    %D%/lemke \
    %D%/lemke_forms
