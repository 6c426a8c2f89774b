-- Refreshes of provider tokens that a process wants and a keeper does. A row exists until the tokens are new.
CREATE TABLE token_renewals (
  device_id uuid PRIMARY KEY REFERENCES connections ON DELETE CASCADE,
  -- The version of the tokens that no longer work.
  seen_version integer NOT NULL,
  requested_at timestamptz NOT NULL,
  -- Committed before the provider is called: from then on, the stored tokens may no longer be valid.
  started_at timestamptz,
  -- The provider's failure: kind, message and when to try again. Null until it has failed.
  failure jsonb
) WITH (fillfactor = 70, vacuum_truncate = off);
CREATE INDEX token_renewals_waiting ON token_renewals (requested_at) WHERE failure IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON token_renewals TO tributary_operator;
