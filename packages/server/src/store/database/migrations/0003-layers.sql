-- The three layers. Every table starts its key with the user, is walled by user, and is written for a user only by who holds the user's
-- lock. Nothing here refers to users by foreign key: the check would lock the user's row at every upload. The list of what
-- an erasure removes is held complete by a test.

-- One writer a user: ingest, rebuilds and erasure all take this lock, which ends with their transaction. It lives in memory, so that
-- taking it writes nothing.
CREATE FUNCTION lock_user(user_id uuid) RETURNS void LANGUAGE sql VOLATILE
  AS $$ SELECT pg_advisory_xact_lock(1953654124, hashtext(user_id::text)) $$;
CREATE FUNCTION try_lock_user(user_id uuid) RETURNS boolean LANGUAGE sql VOLATILE
  AS $$ SELECT pg_try_advisory_xact_lock(1953654124, hashtext(user_id::text)) $$;

-- Raw: what arrived, as it arrived (zstd), never changed. A row here is the acknowledgement.
CREATE TABLE raw_batches (
  user_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  received_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL, -- by the phone's clock, corrected: decides between two readings of one moment
  scopes smallint NOT NULL,
  digest bytea NOT NULL,
  payload bytea NOT NULL,
  PRIMARY KEY (user_id, batch_id)
);
ALTER TABLE raw_batches ALTER COLUMN payload SET STORAGE EXTERNAL;

-- The truth behind the messages: batches that are committed and not yet in the answers, by partition of their user.
CREATE FUNCTION partition_of(user_id uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT (get_byte(uuid_send(user_id), 15) & 63)::smallint $$;
DROP TABLE pending_batches;
CREATE SEQUENCE pending_order AS bigint CACHE 32;
CREATE TABLE pending_batches (
  partition smallint NOT NULL,
  position bigint NOT NULL DEFAULT nextval('pending_order'),
  user_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  bytes integer NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  retry_at timestamptz,
  PRIMARY KEY (partition, position)
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- What became of each batch, as the receipt tells it.
CREATE TABLE receipts (
  user_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  processed_at timestamptz NOT NULL,
  failed boolean NOT NULL DEFAULT false,
  counts integer[] NOT NULL, -- new, updated, duplicate, rejected, deleted
  rejected jsonb,
  PRIMARY KEY (user_id, batch_id)
);

-- Batches that failed eight times, kept apart so that the rest go on.
CREATE TABLE dead_letters (
  user_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  attempts smallint NOT NULL,
  reason text NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT tributary_now(),
  PRIMARY KEY (user_id, batch_id)
);

-- Devices that come with an upload. What they are called and are is what their latest batch says.
ALTER TABLE devices
  ADD COLUMN stable_id text,
  ADD COLUMN on_device boolean NOT NULL DEFAULT false,
  ADD COLUMN kind text NOT NULL DEFAULT 'other',
  ADD COLUMN model text,
  ADD COLUMN name text,
  ADD COLUMN described_at timestamptz,
  ADD COLUMN described_by uuid,
  ADD COLUMN removed_at timestamptz;
ALTER TABLE devices DROP CONSTRAINT devices_user_id_fkey;
ALTER TABLE devices SET (fillfactor = 70);
ALTER TABLE users SET (fillfactor = 70);
CREATE UNIQUE INDEX devices_by_stable_id ON devices (user_id, provider, stable_id) WHERE removed_at IS NULL;

-- Normalized: each device apart.
CREATE TABLE sample_chunks (
  user_id uuid NOT NULL,
  metric_no smallint NOT NULL,
  device_no smallint NOT NULL,
  chunk integer NOT NULL, -- four hours, counted from 1970 UTC
  data bytea NOT NULL,
  PRIMARY KEY (user_id, metric_no, device_no, chunk)
) WITH (fillfactor = 65); -- a chunk is rewritten about six times: the next version should fit on its page
ALTER TABLE sample_chunks ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE device_days (
  user_id uuid NOT NULL,
  day date NOT NULL,
  device_no smallint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (user_id, day, device_no)
) WITH (fillfactor = 80);
ALTER TABLE device_days ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE device_sleep (
  user_id uuid NOT NULL,
  device_no smallint NOT NULL,
  source_id text NOT NULL,
  created_at timestamptz NOT NULL,
  batch_id uuid NOT NULL,
  start_at timestamptz, -- null once it was deleted
  end_at timestamptz,
  content jsonb,
  PRIMARY KEY (user_id, device_no, source_id)
);
CREATE INDEX device_sleep_by_start ON device_sleep (user_id, start_at) WHERE start_at IS NOT NULL;

CREATE TABLE device_workouts (
  user_id uuid NOT NULL,
  device_no smallint NOT NULL,
  source_id text NOT NULL,
  created_at timestamptz NOT NULL,
  batch_id uuid NOT NULL,
  start_at timestamptz, -- null once it was deleted
  end_at timestamptz,
  content jsonb,
  PRIMARY KEY (user_id, device_no, source_id)
);
CREATE INDEX device_workouts_by_start ON device_workouts (user_id, start_at) WHERE start_at IS NOT NULL;

-- Where records with an id of their own put their values, and which ids were deleted, by which batch.
CREATE TABLE device_records (
  user_id uuid NOT NULL,
  device_no smallint NOT NULL,
  source_id text NOT NULL,
  slots jsonb NOT NULL, -- [[metric, milliseconds since 1970], …]
  deleted_at timestamptz,
  deleted_by uuid,
  PRIMARY KEY (user_id, device_no, source_id)
);

-- Canonical: what the API answers with.
CREATE TABLE canonical_months (
  user_id uuid NOT NULL,
  metric_no smallint NOT NULL,
  month smallint NOT NULL, -- counted from January 1970
  printed text NOT NULL,   -- the days of the month as they are printed in metric units
  detail bytea NOT NULL,   -- the exact values and whose they are
  PRIMARY KEY (user_id, metric_no, month)
) WITH (fillfactor = 80);

CREATE TABLE canonical_sleep (
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  day date NOT NULL,
  is_main boolean NOT NULL,
  device_no smallint NOT NULL,
  source_id text NOT NULL,
  start_at timestamptz NOT NULL,
  end_at timestamptz NOT NULL,
  content jsonb NOT NULL,
  gave_way jsonb NOT NULL DEFAULT '[]', -- [[device, source id], …] of sessions that this one stands for
  PRIMARY KEY (user_id, id)
);
CREATE INDEX canonical_sleep_newest_first ON canonical_sleep (user_id, day DESC, start_at DESC, id DESC);

CREATE TABLE canonical_workouts (
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  day date NOT NULL,
  device_no smallint NOT NULL,
  source_id text NOT NULL,
  start_at timestamptz NOT NULL,
  end_at timestamptz NOT NULL,
  content jsonb NOT NULL,
  gave_way jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (user_id, id)
);
CREATE INDEX canonical_workouts_newest_first ON canonical_workouts (user_id, day DESC, start_at DESC, id DESC);

-- What happened, written with the change itself and its transaction's number, so that a follower can put events in order.
CREATE TABLE events (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  environment text NOT NULL,
  user_id uuid NOT NULL,
  type text NOT NULL,
  device_id uuid,
  metrics smallint[] NOT NULL DEFAULT '{}',
  data jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT tributary_now(),
  PRIMARY KEY (xid, id)
);
CREATE INDEX events_by_user ON events (user_id);

-- What an erasure removed, kept as proof: counts by table, no data.
CREATE TABLE erasures (
  user_id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  environment text NOT NULL,
  requested_at timestamptz NOT NULL,
  finished_at timestamptz,
  removed jsonb NOT NULL DEFAULT '{}'
);

GRANT USAGE ON SEQUENCE pending_order TO tributary_service, tributary_operator;
GRANT SELECT, INSERT ON raw_batches, pending_batches TO tributary_service;
GRANT SELECT ON receipts, canonical_months, canonical_sleep, canonical_workouts TO tributary_service;
GRANT UPDATE ON devices TO tributary_service;
GRANT INSERT ON events, erasures TO tributary_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  raw_batches, pending_batches, receipts, dead_letters, sample_chunks, device_days, device_sleep, device_workouts, device_records,
  canonical_months, canonical_sleep, canonical_workouts, events, erasures TO tributary_operator;

DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY[
    'raw_batches', 'pending_batches', 'receipts', 'dead_letters', 'sample_chunks', 'device_days', 'device_sleep',
    'device_workouts', 'device_records', 'canonical_months', 'canonical_sleep', 'canonical_workouts'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
    EXECUTE format('CREATE POLICY own_user ON %I TO tributary_service USING (user_id = current_user_id())', walled);
  END LOOP;
  FOREACH walled IN ARRAY ARRAY['events', 'erasures'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO tributary_service
      USING (account_id = current_account() AND environment = current_environment())', walled);
  END LOOP;
END
$$;

-- Uploads of several users are committed together, by a statement that names its users. The sub-select is there for speed: without it
-- the list would be read again for every row.
CREATE POLICY named_users ON raw_batches TO tributary_service USING (user_id = ANY ((SELECT current_user_ids())::uuid[]));
CREATE POLICY named_users ON pending_batches FOR INSERT TO tributary_service WITH CHECK (user_id = ANY ((SELECT current_user_ids())::uuid[]));
