# exec:"julia lcp_julia.jl" with --instance-format siconos: an LCP from the text form of Siconos
# (n, five numbers that describe a full matrix, the rows of M, then q) by a damped Newton method for min(z, M z + q) = 0.
using LinearAlgebra

function residual(M, q, z)
    return min.(z, M * z + q)
end

function newton(M, q, z, most)
    n = length(q)
    for k in 1:most
        w = M * z + q
        r = min.(z, w)
        norm(r, Inf) <= 1e-13 * (1 + norm(q, Inf)) && return z, "solved", k
        J = Matrix{Float64}(I, n, n)
        rows = w .< z
        J[rows, :] = M[rows, :]
        step = J \ r
        t = 1.0
        while t > 1e-6 && norm(residual(M, q, z - t * step)) > (1 - 1e-4 * t) * norm(r)
            t /= 2
        end
        z = z - t * step
    end
    return z, "iteration limit", most
end

function main()
    numbers = parse.(Float64, split(read(ENV["PERP_INSTANCE"], String)))
    n = Int(numbers[1])
    if length(numbers) != 6 + n * n + n
        println(stderr, "expected an LCP in the text form of Siconos")
        exit(3)
    end
    M = permutedims(reshape(numbers[7:6+n*n], n, n))
    q = numbers[7+n*n:end]
    start = parse.(Float64, split(read(ENV["PERP_START"], String)))
    most = parse(Int, ENV["PERP_MAX_ITERATIONS"])
    seconds = @elapsed (z, claim, k) = newton(M, q, start, most == 0 ? 100 : most)
    open(ENV["PERP_SOLUTION"], "w") do f
        print(f, "{\"z\": [", join(z, ", "), "], \"claim\": \"", claim, "\", \"seconds\": ",
              seconds, ", \"iterations\": ", k, ", \"version\": \"Julia ", VERSION, "\"}")
    end
end

main()
