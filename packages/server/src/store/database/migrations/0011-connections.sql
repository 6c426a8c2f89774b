-- Connections to cloud providers: people's consents, what is read by them, and when.

-- Where people may be sent back to after connecting.
ALTER TABLE accounts ADD COLUMN redirect_urls text[] NOT NULL DEFAULT '{}' CHECK (cardinality(redirect_urls) <= 50);

-- How the connection of a device is doing; null for what comes from a phone.
ALTER TABLE devices ADD COLUMN sync_state text, ADD COLUMN sync_reason text;

-- Applications that the operator registered with providers, for the live environment; the sandbox has the lab's. Secrets are sealed.
CREATE TABLE provider_apps (
  provider text PRIMARY KEY,
  client_id text NOT NULL CHECK (char_length(client_id) BETWEEN 1 AND 1000),
  sealed bytea NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (vacuum_truncate = off);

-- How pushes of an application were set up with its provider: what has to be remembered of it, sealed.
CREATE TABLE push_set_ups (
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  provider text NOT NULL,
  sealed bytea,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (environment, provider)
) WITH (vacuum_truncate = off);

-- One for each device of a cloud provider. Its state is that of the device.
CREATE TABLE connections (
  device_id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  provider text NOT NULL,
  -- The provider's own id of the person; null until the person consented.
  external_id text,
  -- Tokens, sealed and bound to this row; null while there is no consent. The version counts how often they were replaced.
  tokens bytea,
  token_version integer NOT NULL DEFAULT 0,
  authorized_at timestamptz,
  -- Refreshes that the provider refused, one after another.
  refusals smallint NOT NULL DEFAULT 0,
  -- Tries to end the consent at the provider after the device was removed.
  revoke_tries smallint NOT NULL DEFAULT 0,
  -- Runs that failed, one after another, and the kind of the last failure.
  failures smallint NOT NULL DEFAULT 0,
  failure text,
  -- Which run holds it: what an older one still wants to write is refused.
  run_no integer NOT NULL DEFAULT 0,
  -- When something is to be done, when to poll next, and when was last looked far back; nothing without consent.
  due_at timestamptz,
  poll_at timestamptz,
  deep_at timestamptz,
  last_run_at timestamptz,
  last_success_at timestamptz,
  -- When something new was last read, and when the provider last pushed.
  last_news_at timestamptz,
  last_push_at timestamptz,
  -- History is read from the newest day back: what is left lies between these.
  history_due_at timestamptz,
  history_from timestamptz,
  history_to timestamptz,
  history_began_at timestamptz,
  history_top timestamptz,
  -- How many days the next piece has, and which streams of it are read.
  history_days smallint NOT NULL DEFAULT 14,
  history_streams text[] NOT NULL DEFAULT '{}',
  -- Streams that a poll has read which the limits of the provider cut off: the next run goes on behind them.
  poll_streams text[] NOT NULL DEFAULT '{}',
  CHECK (due_at IS NULL OR tokens IS NOT NULL),
  CHECK (history_due_at IS NULL OR (tokens IS NOT NULL AND history_from < history_to))
) WITH (fillfactor = 70, vacuum_truncate = off);
CREATE INDEX connections_of_user ON connections (user_id);
CREATE INDEX connections_of_person ON connections (environment, provider, external_id) WHERE tokens IS NOT NULL;
CREATE INDEX connections_due ON connections (account_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX connections_with_history ON connections (account_id, history_due_at) WHERE history_due_at IS NOT NULL;

-- What each stream told at the last look, as hashes of its documents, so that nothing is kept twice.
CREATE TABLE connection_streams (
  device_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  stream text NOT NULL,
  user_id uuid NOT NULL,
  seen bytea NOT NULL,
  PRIMARY KEY (device_id, stream)
) WITH (fillfactor = 70, vacuum_truncate = off);
CREATE INDEX connection_streams_of_user ON connection_streams (user_id);

-- Links by which a person connects: opened as often as one likes, continued once. The state comes back from the provider, once.
CREATE TABLE connect_links (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  user_id uuid NOT NULL,
  device_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  provider text NOT NULL,
  redirect_url text CHECK (char_length(redirect_url) <= 2000),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'continued', 'connected', 'cancelled', 'declined', 'failed')),
  link_hash bytea NOT NULL UNIQUE CHECK (length(link_hash) = 32),
  state_hash bytea UNIQUE CHECK (length(state_hash) = 32),
  -- What the browser that continued was given to be known again by, and the secret of the exchange, sealed.
  browser_hash bytea CHECK (length(browser_hash) = 32),
  sealed bytea,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK ((status = 'open') = (state_hash IS NULL) OR status = 'cancelled')
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX connect_links_of_user ON connect_links (user_id);
CREATE INDEX connect_links_of_device ON connect_links (device_id);
CREATE INDEX connect_links_past_end ON connect_links (expires_at);

-- Pushes that were committed and not worked on yet, packed.
CREATE TABLE provider_pushes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  provider text NOT NULL,
  received_at timestamptz NOT NULL,
  headers jsonb NOT NULL,
  body bytea NOT NULL
) WITH (vacuum_truncate = off);

-- What pushes told of a connection and what was not read yet.
CREATE TABLE sync_notices (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  device_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  user_id uuid NOT NULL,
  notice jsonb NOT NULL,
  received_at timestamptz NOT NULL
) WITH (vacuum_truncate = off);
CREATE INDEX sync_notices_of_device ON sync_notices (device_id);
CREATE INDEX sync_notices_of_user ON sync_notices (user_id);

-- The last runs of a connection.
CREATE TABLE sync_runs (
  id uuid PRIMARY KEY,
  device_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  user_id uuid NOT NULL,
  cause text NOT NULL CHECK (cause IN ('connected', 'push', 'poll', 'history')),
  outcome text NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  calls integer NOT NULL,
  documents integer NOT NULL,
  news integer NOT NULL,
  from_at timestamptz,
  to_at timestamptz
) WITH (vacuum_truncate = off);
CREATE INDEX sync_runs_of_device ON sync_runs (device_id, id);
CREATE INDEX sync_runs_of_user ON sync_runs (user_id);

-- How much of a provider's limits is used: the theoretical time of arrival of each rule, for the application or one person.
CREATE TABLE provider_limits (
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  provider text NOT NULL,
  subject text NOT NULL,
  rule smallint NOT NULL,
  arrival_at timestamptz NOT NULL,
  PRIMARY KEY (environment, provider, subject, rule)
) WITH (fillfactor = 50, vacuum_truncate = off);

-- Takes one call from every rule, or from none: answers null, or when to come back. Each rule is (subject, number, seconds between calls,
-- seconds of calls that may come at once); rule -1 is a pause that the provider asked for.
CREATE FUNCTION take_provider_call(
  of_environment text, of_provider text, subjects text[], rules smallint[], spacings float8[], bursts float8[]
) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := tributary_now();
  place integer;
  arrival timestamptz;
  arrivals timestamptz[] := '{}';
  back timestamptz;
BEGIN
  -- Always in the same order, so that nobody waits for each other.
  PERFORM pg_advisory_xact_lock(hashtextextended(of_environment || '/' || of_provider, 7));
  SELECT arrival_at INTO arrival FROM provider_limits
    WHERE environment = of_environment AND provider = of_provider AND subject = '' AND rule = -1;
  IF arrival > moment THEN RETURN arrival; END IF;
  FOR place IN 1 .. cardinality(rules) LOOP
    SELECT arrival_at INTO arrival FROM provider_limits
      WHERE environment = of_environment AND provider = of_provider AND subject = subjects[place] AND rule = rules[place];
    arrival := greatest(coalesce(arrival, moment), moment) + spacings[place] * interval '1 second';
    IF arrival - moment > bursts[place] * interval '1 second' THEN
      back := greatest(coalesce(back, moment), arrival - bursts[place] * interval '1 second');
    END IF;
    arrivals := arrivals || arrival;
  END LOOP;
  IF back IS NOT NULL THEN RETURN back; END IF;
  INSERT INTO provider_limits (environment, provider, subject, rule, arrival_at)
  SELECT of_environment, of_provider, s, r, a FROM unnest(subjects, rules, arrivals) AS t (s, r, a)
  ON CONFLICT (environment, provider, subject, rule) DO UPDATE SET arrival_at = excluded.arrival_at;
  RETURN NULL;
END
$$;

GRANT SELECT ON provider_apps, push_set_ups TO tributary_service;
GRANT INSERT ON devices, provider_pushes TO tributary_service;
GRANT SELECT, INSERT, UPDATE ON connections, connect_links TO tributary_service;
GRANT SELECT ON sync_runs TO tributary_service;
GRANT SELECT, INSERT, UPDATE ON provider_limits TO tributary_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON provider_apps, push_set_ups, connections, connection_streams, connect_links, provider_pushes,
  sync_notices, sync_runs, provider_limits TO tributary_operator;
DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY['connections', 'connection_streams', 'connect_links', 'provider_pushes', 'sync_notices', 'sync_runs'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
  END LOOP;
  FOREACH walled IN ARRAY ARRAY['connections', 'connect_links'] LOOP
    EXECUTE format('CREATE POLICY own_tenant ON %I TO tributary_service
      USING (account_id = current_account() AND environment = current_environment())', walled);
  END LOOP;
END
$$;
-- Whoever presents a link, or the state that came back from a provider, may see its row: this is how its tenant becomes known.
CREATE POLICY own_link ON connect_links FOR SELECT TO tributary_service
  USING (link_hash = current_credential() OR state_hash = current_credential());
CREATE POLICY own_user ON sync_runs FOR SELECT TO tributary_service USING (user_id = current_user_id());
-- Pushes come before anyone knows whose they are: the service can leave them, and read none.
CREATE POLICY leave ON provider_pushes FOR INSERT TO tributary_service WITH CHECK (true);
