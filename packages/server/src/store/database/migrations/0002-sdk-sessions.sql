-- Sessions of the Mobile SDK: one for each installation of an app, from the bootstrap that a backend asks for to the tokens that a phone renews.

ALTER TABLE accounts ADD COLUMN sync_interval_seconds integer NOT NULL DEFAULT 900
  CHECK (sync_interval_seconds BETWEEN 60 AND 86400);

-- The users whose rows the running transaction may see, where one statement serves several of them.
CREATE FUNCTION current_user_ids() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT coalesce(nullif(current_setting('tributary.user_ids', true), ''), '{}')::uuid[] $$;

-- Tokens are kept as hashes. A client token is derived from the session and its generation. All refresh tokens of one exchange share a
-- family, by whose hash the session is found: so a token that was spent long ago is still recognised as one that was used twice.
CREATE TABLE sdk_sessions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('pending', 'active', 'revoked')),
  platform text,
  installation_id text,
  app_version text,
  device_model text,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT tributary_now(),
  last_seen_at timestamptz,
  revoked_at timestamptz,
  client_generation integer NOT NULL DEFAULT 0,
  client_token_hash bytea UNIQUE CHECK (length(client_token_hash) = 32),
  client_token_expires_at timestamptz,
  refresh_family_hash bytea UNIQUE CHECK (length(refresh_family_hash) = 32),
  refresh_generation integer NOT NULL DEFAULT 0,
  refresh_hash bytea CHECK (length(refresh_hash) = 32),
  previous_refresh_hash bytea CHECK (length(previous_refresh_hash) = 32),
  refresh_key_version smallint,
  refresh_request_id text,
  refreshed_at timestamptz,
  CHECK ((status = 'revoked') = (revoked_at IS NOT NULL)),
  CHECK (status <> 'active' OR (refresh_hash IS NOT NULL AND refreshed_at IS NOT NULL))
) WITH (fillfactor = 80); -- a renewal changes no index, so that it stays on its page
CREATE INDEX sdk_sessions_by_user ON sdk_sessions (user_id, id DESC);
-- One live session for each installation.
CREATE UNIQUE INDEX sdk_sessions_by_installation ON sdk_sessions (user_id, installation_id) WHERE status <> 'revoked';
CREATE INDEX sdk_sessions_pending ON sdk_sessions (client_token_expires_at) WHERE status = 'pending';
CREATE INDEX sdk_sessions_revoked ON sdk_sessions (revoked_at) WHERE status = 'revoked';

-- What a request with an Idempotency-Key was answered: all of the bootstrap but the client token, which is derived again.
CREATE TABLE sdk_session_requests (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  idempotency_key uuid NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  body_hash bytea NOT NULL CHECK (length(body_hash) = 32),
  session_id uuid NOT NULL,
  client_generation integer NOT NULL,
  key_version smallint NOT NULL,
  client_token_expires_at timestamptz NOT NULL,
  api_url text NOT NULL,
  sync_interval_seconds integer NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT tributary_now(),
  PRIMARY KEY (user_id, idempotency_key)
);
CREATE INDEX sdk_session_requests_by_age ON sdk_session_requests (created_at);

GRANT SELECT, INSERT, UPDATE ON sdk_sessions, sdk_session_requests TO tributary_service;
GRANT DELETE ON mobile_tokens TO tributary_service; -- spending one removes it
GRANT SELECT, INSERT, UPDATE, DELETE ON sdk_sessions, sdk_session_requests TO tributary_operator;

DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY['sdk_sessions', 'sdk_session_requests'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO tributary_service
      USING (account_id = current_account() AND environment = current_environment())', walled);
  END LOOP;
END
$$;

-- The sub-select is there for speed: the list is read once, and not again for every row.
CREATE POLICY own_users ON sdk_sessions FOR SELECT TO tributary_service
  USING (user_id = ANY ((SELECT current_user_ids())::uuid[]));
-- Whoever presents a token may see and lock the row of that token. Changing it takes the tenant that the row then tells.
CREATE POLICY presented ON sdk_sessions TO tributary_service
  USING (client_token_hash = current_credential() OR refresh_family_hash = current_credential()) WITH CHECK (false);
CREATE POLICY presented ON mobile_tokens TO tributary_service USING (hash = current_credential()) WITH CHECK (false);
