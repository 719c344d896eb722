-- purpose: Upper end of the confidence interval of a share, by Wilson; null when n is 0.
-- source:  As wilson_low.
-- parameters:
--   k  DOUBLE                        How many of the n, or points in n games; 0 to n.
--   n  BIGINT                        Of how many.
--   z  DOUBLE = 1.959963984540054e0  Quantile of the normal distribution; without it, for 95 %.
-- columns:
--   wilson_high  DOUBLE  From 0 to 1.
select
    case
        when n > 0
            then least(1, (k + z * z / 2 + z * sqrt(greatest(0, k * (n - k)::double / n) + z * z / 4)) / (n + z * z))::double
    end
