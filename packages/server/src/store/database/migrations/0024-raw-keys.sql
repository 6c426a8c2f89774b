-- Raw payloads are encrypted with a key per user, and waiting pushes with a key each. Erasing the user destroys the key.

-- The keys, sealed by ENCRYPTION_KEYS. They are here unless KEY_STORE_URL names a separate key store, which has the same table.
CREATE TABLE raw_keys (
  -- The user, or what `provider_pushes.key_id` refers to.
  id uuid PRIMARY KEY,
  -- Null for the key of a push.
  user_id uuid CHECK (user_id = id),
  -- Null once destroyed. The row stays, so that no node creates another key for the user.
  sealed bytea,
  created_at timestamptz NOT NULL,
  destroyed_at timestamptz,
  CHECK ((sealed IS NULL) = (destroyed_at IS NOT NULL))
) WITH (vacuum_truncate = off);
CREATE INDEX raw_keys_of_pushes ON raw_keys (created_at) WHERE user_id IS NULL;
ALTER TABLE raw_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE raw_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY operator ON raw_keys TO tributary_operator USING (true) WITH CHECK (true);

-- The separate key store in use. No row: there is none.
CREATE TABLE key_store (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  id uuid NOT NULL
) WITH (vacuum_truncate = off);

-- Since when payloads are encrypted, and how far `tributary raw encrypt` has encrypted the earlier ones.
CREATE TABLE raw_encryption (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  started_at timestamptz,
  finished_at timestamptz,
  last_user uuid,
  last_batch uuid,
  scanned bigint NOT NULL DEFAULT 0,
  encrypted bigint NOT NULL DEFAULT 0
) WITH (vacuum_truncate = off);
-- Nodes of the previous release cannot read encrypted payloads, so an existing installation begins with that command.
INSERT INTO raw_encryption (started_at) VALUES (CASE WHEN NOT EXISTS (SELECT FROM accounts) THEN tributary_now() END);

-- The key of the body; null if it is not encrypted.
ALTER TABLE provider_pushes ADD COLUMN key_id uuid;

GRANT SELECT, INSERT, UPDATE, DELETE ON raw_keys TO tributary_operator;
GRANT SELECT, INSERT ON key_store TO tributary_operator;
GRANT SELECT, UPDATE ON raw_encryption TO tributary_operator;
