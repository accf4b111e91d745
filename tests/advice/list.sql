-- SPDX-License-Identifier: GPL-3.0-or-later
-- The view advice (sql/advice.sql) as the table of docs/advice.md.
SELECT printf('| %s | %s | %s | %s |', words, coalesce(model, 'any'), advice, coalesce(holds_when, 'always')) FROM advice;
