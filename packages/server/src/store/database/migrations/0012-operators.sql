-- Operators: colleagues who sign in to the dashboard of an account.

-- The library that checks passwords, sessions and authenticator apps works as a role of its own, which sees the schema `auth` and nothing else.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tributary_sign_in') THEN
    BEGIN
      CREATE ROLE tributary_sign_in NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- another database of the same cluster made it at this moment
    END;
  END IF;
  IF NOT pg_has_role(current_user, 'tributary_sign_in', 'MEMBER') THEN
    GRANT tributary_sign_in TO current_user;
  END IF;
END
$$;

CREATE SCHEMA auth;
GRANT USAGE ON SCHEMA auth TO tributary_sign_in, tributary_operator;

-- As better-auth asks for them, from services/operators/auth-options.ts; a test compares.
CREATE TABLE auth.operators (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  email_verified boolean NOT NULL,
  image text,
  created_at timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
  two_factor_enabled boolean
) WITH (vacuum_truncate = off);
CREATE TABLE auth.sessions (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  expires_at timestamptz NOT NULL,
  token text NOT NULL UNIQUE,
  created_at timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  operator_id uuid NOT NULL REFERENCES auth.operators ON DELETE CASCADE
) WITH (vacuum_truncate = off);
CREATE TABLE auth.credentials (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  operator_id uuid NOT NULL REFERENCES auth.operators ON DELETE CASCADE,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (vacuum_truncate = off);
CREATE TABLE auth.verifications (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL
) WITH (vacuum_truncate = off);
CREATE TABLE auth.authenticators (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  operator_id uuid NOT NULL REFERENCES auth.operators ON DELETE CASCADE,
  verified boolean,
  failed_verification_count integer,
  locked_until timestamptz
) WITH (vacuum_truncate = off);
CREATE INDEX sessions_operator_id_idx ON auth.sessions (operator_id);
CREATE INDEX credentials_operator_id_idx ON auth.credentials (operator_id);
CREATE INDEX verifications_identifier_idx ON auth.verifications (identifier);
CREATE INDEX authenticators_secret_idx ON auth.authenticators (secret);
CREATE INDEX authenticators_operator_id_idx ON auth.authenticators (operator_id);

-- What the library leaves to others. An operator belongs to one account.
CREATE TABLE operator_roles (
  operator_id uuid PRIMARY KEY REFERENCES auth.operators ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts,
  role text NOT NULL CHECK (role IN ('owner', 'developer', 'viewer')),
  joined_at timestamptz NOT NULL
) WITH (vacuum_truncate = off);
CREATE INDEX operator_roles_of_account ON operator_roles (account_id);

-- Links that are for one person and one use: `owner` makes the first operator of an account and is shown at the command line; an invitation and
-- a new password come by mail. The link itself is made again from its id, and only its hash is kept.
CREATE TABLE operator_links (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  kind text NOT NULL CHECK (kind IN ('owner', 'invitation', 'password')),
  email text CHECK (char_length(email) <= 320),
  role text CHECK (role IN ('owner', 'developer', 'viewer')),
  operator_id uuid REFERENCES auth.operators ON DELETE CASCADE,
  invited_by uuid REFERENCES auth.operators ON DELETE SET NULL,
  link_hash bytea NOT NULL UNIQUE,
  link_key_version smallint NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'used', 'revoked')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK ((kind = 'password') = (operator_id IS NOT NULL)),
  CHECK ((kind = 'password') = (role IS NULL)),
  CHECK (kind <> 'invitation' OR email IS NOT NULL)
) WITH (vacuum_truncate = off);
CREATE INDEX operator_links_of_account ON operator_links (account_id, id);
CREATE UNIQUE INDEX operator_links_open_invitation ON operator_links (account_id, lower(email)) WHERE kind = 'invitation' AND status = 'pending';

-- Wrong passwords in a row, by the hash of the address that was given, whether or not there is such an operator. `last_at` stands still while
-- the address is locked.
CREATE TABLE sign_in_failures (
  email_hash bytea PRIMARY KEY,
  failures integer NOT NULL,
  last_at timestamptz NOT NULL
) WITH (fillfactor = 70, vacuum_truncate = off);

-- Codes of authenticator apps that were given already: each counts once.
CREATE TABLE spent_codes (
  operator_id uuid NOT NULL REFERENCES auth.operators ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  spent_at timestamptz NOT NULL,
  PRIMARY KEY (operator_id, code_hash)
) WITH (vacuum_truncate = off);

-- The secret that signs cookies and seals authenticators, sealed with the newest encryption key.
CREATE TABLE sign_in_secrets (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  sealed bytea NOT NULL
) WITH (vacuum_truncate = off);

-- Who made a key, and who used it last: told on the page of keys.
ALTER TABLE api_keys ADD COLUMN created_by text, ADD COLUMN last_used_at timestamptz, ADD COLUMN last_used_address text;

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA auth TO tributary_sign_in, tributary_operator;
GRANT SELECT, INSERT, UPDATE, DELETE ON operator_roles, operator_links, sign_in_failures, spent_codes, sign_in_secrets TO tributary_operator;
DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY['operator_roles', 'operator_links'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
  END LOOP;
END
$$;
