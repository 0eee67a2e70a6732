% exec:"octave-cli -q lcp_octave.m" with --instance-format mat: an LCP by principal pivoting
% on blocks, without a guard against cycles.
p = load (getenv ("PERP_INSTANCE"));
if (isempty (strfind (p.perp, "\"kind\": \"lcp\"")))
  fprintf (stderr, "expected an LCP\n");
  exit (3);
end
n = numel (p.b);
z = load (getenv ("PERP_START"))(:);
most = max (str2double (getenv ("PERP_MAX_ITERATIONS")), 0);
if (most == 0)
  most = 100;
end

start = tic ();
active = z > 0;
claim = "iteration limit";
for k = 1:most
  z = zeros (n, 1);
  z(active) = -p.A(active, active) \ p.b(active);
  w = p.A * z + p.b;
  w(active) = 0;
  wrong = (active & z < 0) | (! active & w < 0);
  if (! any (wrong))
    claim = "solved";
    break;
  end
  active = xor (active, wrong);
end
seconds = toc (start);

f = fopen (getenv ("PERP_SOLUTION"), "w");
fprintf (f, "{\"z\": [%s], ", strjoin (arrayfun (@(x) sprintf ("%.17g", x), z', "UniformOutput", false), ", "));
fprintf (f, "\"claim\": \"%s\", \"seconds\": %.9g, \"iterations\": %d, \"version\": \"Octave %s\"}\n", claim, seconds, k, version ());
fclose (f);
