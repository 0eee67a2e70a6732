## SPDX-License-Identifier: Apache-2.0

## perp_run (WORDS): run the command perp. Exit status 1 is an answer that is not a solution;
## a higher one is an error with the sentence of the command.

function perp_run (words)
  command = getenv ("PERP_EXECUTABLE");
  if (isempty (command))
    command = "perp";
  endif
  quoted = cellfun (@(word) ["'" strrep(word, "'", "'\\''") "'"], [{command}, words],
                    "UniformOutput", false);
  [status, said] = system (["NO_COLOR=1 " strjoin(quoted, " ") " 2>&1"]);
  if (status > 1)
    error ("%s", strtrim (said));
  endif
endfunction
