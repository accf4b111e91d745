-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/user/user_values.c.

-- Arguments of user events that have formats: argument.id, position from 1, format.
-- name: user_arguments
SELECT a.id, CAST(substr(a.name, 4) AS INTEGER), o.format FROM argument a JOIN operation o ON o.id = a.operation_id
WHERE o.type = 'user' AND o.format IS NOT NULL AND a.name GLOB 'arg[1-9]*' ORDER BY a.id

-- Inserts the label of an argument.
-- name: user_argument_add
INSERT INTO user_argument VALUES (?, ?)

-- Numbers given with user events, in the order of events: source, argument, thread, time, value; number: NULL where it is no finite
-- one.  An unsigned number is stored as the signed one of the same 64 bits, a NaN as NULL.
-- fragment: user_numbers
numeric(id, code, at_end) AS MATERIALIZED (
  SELECT a.id, a.code, a.phase = 'end' FROM argument a JOIN operation o ON o.id = a.operation_id
  WHERE o.type = 'user' AND a.code IN ('i', 'u', 'z', 'd')
), given AS (
  SELECT e.source_id, v.argument_id, e.thread_id, e.start_ns + iif(n.at_end, e.duration_ns, 0) AS at_ns, n.code,
    iif(n.code IN ('u', 'z') AND v.value < 0, v.value + 18446744073709551616.0, v.value) AS value
  FROM event_arg v CROSS JOIN numeric n ON n.id = v.argument_id CROSS JOIN event e ON e.id = v.id / 64
  WHERE EXISTS (SELECT 1 FROM numeric)
), number AS (
  SELECT *, iif(value BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308, value, NULL) AS number FROM given
)

-- The sums of one number.
-- fragment: user_sums
number IS NOT NULL, value IS NULL, value IS NOT NULL AND number IS NULL,
  iif(code <> 'd' AND typeof(number) = 'integer', number, NULL),
  coalesce(number, 0), coalesce(number, 0), 0, number, number

-- Adds a number to the sums of those before; mean and squares by Welford's recurrence.
-- fragment: add_user_sums
ON CONFLICT DO UPDATE SET
  squares = iif(excluded.n = 0, squares, squares + (excluded.mean - mean) * (excluded.mean - mean) * n / (n + 1)),
  mean = iif(excluded.n = 0, mean, mean + (excluded.mean - mean) / (n + 1)),
  integer_sum = iif(typeof(integer_sum + excluded.integer_sum) = 'integer', integer_sum + excluded.integer_sum, NULL),
  sum = sum + excluded.sum,
  minimum = coalesce(min(minimum, excluded.minimum), minimum, excluded.minimum),
  maximum = coalesce(max(maximum, excluded.maximum), maximum, excluded.maximum),
  n = n + excluded.n, not_numbers = not_numbers + excluded.not_numbers, infinite = infinite + excluded.infinite

-- Sums by line, argument and thread, and by line, argument and bin.  Row after row, as lock_totals.
-- name: user_values
INSERT INTO user_value
WITH @user_numbers
SELECT source_id, argument_id, thread_id, @user_sums FROM number WHERE true
@add_user_sums;
INSERT INTO user_value_bin
WITH @user_numbers, width AS (SELECT value AS ns FROM meta WHERE key = 'source_bin_ns' AND value > 0)
SELECT source_id, argument_id, at_ns / ns * ns, @user_sums FROM number CROSS JOIN width WHERE true
@add_user_sums
