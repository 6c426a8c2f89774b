-- Accounts, credentials and users, behind two walls: every query names its tenant, and row level security checks it again.

-- Roles. The login role owns the tables and migrates; the service works as one of these two, which own nothing.
--   tributary_service  sees one tenant at a time, and health data of one user at a time
--   tributary_operator sees all tenants: command line, schedules, sequencing
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['tributary_service', 'tributary_operator'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- another database of the same cluster made it at this moment
      END;
    END IF;
    IF NOT pg_has_role(current_user, wanted, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO current_user', wanted);
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', wanted);
  END LOOP;
END
$$;

-- Time. SQL takes it from tributary_now() alone. Tests move the offset; a production process refuses to start on one.
CREATE TABLE clock_offset (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  offset_ms bigint NOT NULL
);
CREATE FUNCTION tributary_now() RETURNS timestamptz
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN now() + coalesce((SELECT offset_ms * interval '1 millisecond' FROM clock_offset), interval '0');

-- Inside JSON, timestamps take the form of the API.
CREATE FUNCTION iso_timestamp(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- The first wall: queries say in_tenant(row's account, row's environment, caller's account, caller's environment).
-- A function, inlined by the planner, so that a test can take this wall away and prove that the second one holds alone.
CREATE FUNCTION in_tenant(row_account uuid, row_environment text, account uuid, environment text) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT row_account = account AND row_environment = environment $$;

-- The second wall: what the running transaction may see. Set with is_local, so that it ends with the transaction.
CREATE FUNCTION current_account() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('tributary.account', true), '')::uuid $$;
CREATE FUNCTION current_environment() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('tributary.environment', true), '') $$;
CREATE FUNCTION current_user_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('tributary.user_id', true), '')::uuid $$;
CREATE FUNCTION current_credential() RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT decode(nullif(current_setting('tributary.credential', true), ''), 'hex') $$;

CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  default_form smallint NOT NULL DEFAULT 1 CHECK (default_form IN (1, 2)),
  user_limit integer CHECK (user_limit >= 0),
  created_at timestamptz NOT NULL DEFAULT tributary_now()
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  hint text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT tributary_now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX api_keys_one_active ON api_keys (account_id, environment) WHERE revoked_at IS NULL;

-- Keys that sign user tokens. The private half is encrypted by the service; the newest signs, retired ones only verify.
CREATE TABLE signing_keys (
  id uuid PRIMARY KEY,
  public_key bytea NOT NULL,
  private_key bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT tributary_now(),
  retired_at timestamptz
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  reference_id text NOT NULL CHECK (char_length(reference_id) BETWEEN 1 AND 255),
  timezone text,
  profile jsonb NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deleting')),
  score_status text NOT NULL DEFAULT 'pending' CHECK (score_status IN ('pending', 'computing', 'ready')),
  last_batch_at timestamptz,
  last_sync_at timestamptz,
  last_score_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT tributary_now(),
  deleted_at timestamptz
) WITH (fillfactor = 90);
CREATE UNIQUE INDEX users_by_reference ON users (account_id, environment, reference_id) WHERE status = 'active';
CREATE INDEX users_newest_first ON users (account_id, environment, id DESC) WHERE status = 'active';

-- The exact number of active users, so that a total never costs a scan. Sixteen slots, so that creates seldom wait for one another.
CREATE TABLE user_counts (
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL,
  slot smallint NOT NULL,
  active bigint NOT NULL,
  PRIMARY KEY (account_id, environment, slot)
) WITH (fillfactor = 50);

CREATE FUNCTION user_slot(id uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT (get_byte(uuid_send(id), 15) & 15)::smallint $$;

CREATE FUNCTION count_inserted_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_counts AS c (account_id, environment, slot, active)
  SELECT account_id, environment, user_slot(id), count(*) FROM inserted WHERE status = 'active'
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 -- one lock order for all, or two bulk inserts could deadlock
  ON CONFLICT (account_id, environment, slot) DO UPDATE SET active = c.active + excluded.active;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_inserted AFTER INSERT ON users
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_users();

CREATE FUNCTION count_departed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE user_counts SET active = active - 1
  WHERE account_id = OLD.account_id AND environment = OLD.environment AND slot = user_slot(OLD.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER count_deleting AFTER UPDATE ON users
  FOR EACH ROW WHEN (OLD.status = 'active' AND NEW.status <> 'active') EXECUTE FUNCTION count_departed_user();
CREATE TRIGGER count_deleted AFTER DELETE ON users
  FOR EACH ROW WHEN (OLD.status = 'active') EXECUTE FUNCTION count_departed_user();

CREATE TABLE mobile_tokens (
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT tributary_now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX mobile_tokens_by_user ON mobile_tokens (user_id);
CREATE INDEX mobile_tokens_by_expiry ON mobile_tokens (expires_at);

-- Health tables start their key with the user and are walled by user.
CREATE TABLE devices (
  user_id uuid NOT NULL REFERENCES users,
  device_no smallint NOT NULL,
  id uuid NOT NULL UNIQUE,
  provider text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'active', 'suspect', 'expired')),
  connected_at timestamptz,
  last_sync_at timestamptz,
  PRIMARY KEY (user_id, device_no)
);

-- Batches that are acknowledged and not yet in the answers.
CREATE TABLE pending_batches (
  user_id uuid NOT NULL REFERENCES users,
  batch_id uuid NOT NULL,
  received_at timestamptz NOT NULL DEFAULT tributary_now(),
  PRIMARY KEY (user_id, batch_id)
);

GRANT SELECT ON clock_offset TO tributary_service, tributary_operator;
GRANT SELECT ON accounts, api_keys, signing_keys, devices, pending_batches TO tributary_service;
GRANT SELECT, INSERT, UPDATE ON users, user_counts TO tributary_service;
GRANT SELECT, INSERT ON mobile_tokens TO tributary_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  accounts, api_keys, signing_keys, users, user_counts, mobile_tokens, devices, pending_batches TO tributary_operator;

DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY[
    'accounts', 'api_keys', 'users', 'user_counts', 'mobile_tokens', 'devices', 'pending_batches'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
  END LOOP;
END
$$;

CREATE POLICY own_account ON accounts TO tributary_service USING (id = current_account());
-- Whoever presents a credential may see the row of that credential: this is how its tenant becomes known.
CREATE POLICY own_key ON api_keys TO tributary_service USING (hash = current_credential());
CREATE POLICY own_tenant ON users TO tributary_service
  USING (account_id = current_account() AND environment = current_environment());
CREATE POLICY own_tenant ON user_counts TO tributary_service
  USING (account_id = current_account() AND environment = current_environment());
CREATE POLICY own_tenant ON mobile_tokens TO tributary_service
  USING (account_id = current_account() AND environment = current_environment());
CREATE POLICY own_user ON devices TO tributary_service USING (user_id = current_user_id());
CREATE POLICY own_user ON pending_batches TO tributary_service USING (user_id = current_user_id());
