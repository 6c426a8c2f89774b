-- Outside a transaction.
-- Finds the accounts with due scores one after another, without reading the users of each.
CREATE INDEX CONCURRENTLY IF NOT EXISTS stale_scores_by_account ON stale_scores (account_id, due_at);
