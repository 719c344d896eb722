-- purpose: Upper end of the confidence interval of a count, as Poisson's; divide by what was counted over for a rate.
-- source:  As poisson_low. Less than 0.03 from the exact limit.
-- parameters:
--   k  BIGINT                        The count.
--   z  DOUBLE = 1.959963984540054e0  Quantile of the normal distribution; without it, for 95 %.
-- columns:
--   poisson_high  DOUBLE  The limit, about 3.7 for a count of 0.
select ((k + 1) * power(1 - 1 / (9.0::double * (k + 1)) + z / (3 * sqrt(k + 1)), 3))::double
