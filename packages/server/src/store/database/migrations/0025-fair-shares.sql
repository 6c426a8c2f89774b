-- Workers alternate between the accounts that have waiting work. Rows that a node of an earlier version writes, and those from before this
-- migration, belong to the account without an id: they get a share of their own until they are processed.
ALTER TABLE pending_batches ADD COLUMN account_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
ALTER TABLE stale_scores ADD COLUMN account_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';

-- Limits of one account, by name, that replace those of the configuration.
ALTER TABLE accounts ADD COLUMN limits jsonb NOT NULL DEFAULT '{}';

-- The uploads of an account on one UTC day. Nodes add theirs once per second.
CREATE TABLE account_usage (
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL,
  day date NOT NULL,
  uploads bigint NOT NULL,
  "values" bigint NOT NULL,
  PRIMARY KEY (account_id, environment, day)
) WITH (fillfactor = 50, vacuum_truncate = off);
ALTER TABLE account_usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_usage FORCE ROW LEVEL SECURITY;
CREATE POLICY operator ON account_usage TO tributary_operator USING (true) WITH CHECK (true);
CREATE POLICY own_tenant ON account_usage TO tributary_service
  USING (account_id = current_account() AND environment = current_environment());
GRANT SELECT ON account_usage TO tributary_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON account_usage TO tributary_operator;
