-- purpose: Lower end of the confidence interval of a count, as Poisson's; divide by what was counted over for a rate.
-- source:  Byar's approximation: Breslow and Day, Statistical Methods in Cancer Research II (IARC 1987). Less than 0.02 from the
--          exact limit.
-- parameters:
--   k  BIGINT                        The count.
--   z  DOUBLE = 1.959963984540054e0  Quantile of the normal distribution; without it, for 95 %.
-- columns:
--   poisson_low  DOUBLE  The limit, 0 for a count of 0.
select
    case
        when k = 0 then 0
        else k * power(greatest(0, 1 - 1 / (9.0::double * k) - z / (3 * sqrt(k))), 3)
    end::double
