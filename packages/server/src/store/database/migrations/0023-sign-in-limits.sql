-- Wrong passwords slow the next attempts down, sessions end when they are not used, and an account may require an authenticator.

-- Failed attempts in a row, by the hash of what is counted: the email address that was given, the address they come from, or both. The next attempt
-- is possible from `open_at` on. The previous release keeps using `sign_in_failures`.
CREATE TABLE sign_in_attempts (
  key bytea PRIMARY KEY,
  failures integer NOT NULL,
  last_at timestamptz NOT NULL,
  open_at timestamptz NOT NULL
) WITH (fillfactor = 70, vacuum_truncate = off);

-- Addresses from which a dashboard user has signed in: wrong passwords that others enter do not slow them down there.
CREATE TABLE operator_addresses (
  operator_id uuid NOT NULL REFERENCES auth.operators ON DELETE CASCADE,
  address_hash bytea NOT NULL,
  signed_in_at timestamptz NOT NULL,
  PRIMARY KEY (operator_id, address_hash)
) WITH (fillfactor = 70, vacuum_truncate = off);

-- Sessions of the previous release have no `last_used_at`: their idle time starts when they are first used.
ALTER TABLE auth.sessions ADD COLUMN last_used_at timestamptz, ADD COLUMN confirmed_at timestamptz;

ALTER TABLE accounts ADD COLUMN require_authenticator boolean NOT NULL DEFAULT false;

GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_attempts, operator_addresses TO tributary_operator;
