-- The tables of a separate key store (KEY_STORE_URL). raw_keys has the columns of the table in the main database.
-- Several processes may start at once.
SELECT pg_advisory_xact_lock(4917023);
CREATE TABLE IF NOT EXISTS raw_keys (
  id uuid PRIMARY KEY,
  user_id uuid CHECK (user_id = id),
  sealed bytea,
  created_at timestamptz NOT NULL,
  destroyed_at timestamptz,
  CHECK ((sealed IS NULL) = (destroyed_at IS NOT NULL))
);
CREATE INDEX IF NOT EXISTS raw_keys_of_pushes ON raw_keys (created_at) WHERE user_id IS NULL;
CREATE TABLE IF NOT EXISTS key_store (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  id uuid NOT NULL
);
INSERT INTO key_store (id) VALUES (gen_random_uuid()) ON CONFLICT DO NOTHING;
