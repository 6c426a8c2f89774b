-- The feed: what happened, in one order that no reader has to doubt.

-- Events wait in `events` until every transaction that could still commit an earlier one has ended; then a sequencer gives them their
-- place here, without gaps, for each account and environment. A month is a table of its own, so that what is too old goes at once.
CREATE TABLE feed (
  account_id uuid NOT NULL,
  environment text NOT NULL,
  position bigint NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  type text NOT NULL,
  device_id uuid,
  metrics smallint[] NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  sequenced_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, environment, position, sequenced_at)
) PARTITION BY RANGE (sequenced_at);
CREATE INDEX feed_by_user ON feed (user_id);

-- The last place that was given.
CREATE TABLE feed_heads (
  account_id uuid NOT NULL,
  environment text NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (account_id, environment)
) WITH (fillfactor = 50);

-- A queue: rows come and go.
ALTER TABLE events SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Makes tables for this month and the next two, and drops months that ended longer ago than that. The service itself may not change tables.
CREATE FUNCTION tend_feed(retention_days integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  month date;
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('tend_feed', 0));
  FOR at IN 0..2 LOOP
    month := date_trunc('month', tributary_now() AT TIME ZONE 'UTC') + make_interval(months => at);
    name := 'feed_' || to_char(month, 'YYYY_MM');
    IF to_regclass(name) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF feed FOR VALUES FROM (%L) TO (%L) WITH (vacuum_truncate = off)', name,
        month::timestamp AT TIME ZONE 'UTC', (month + interval '1 month')::timestamp AT TIME ZONE 'UTC');
      -- Reads go through the feed and its policies; a month by itself shows nothing.
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
      EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    END IF;
  END LOOP;
  FOR name IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'feed'::regclass
      AND c.relname < 'feed_' || to_char(tributary_now() AT TIME ZONE 'UTC' - make_interval(days => retention_days), 'YYYY_MM')
  LOOP
    EXECUTE format('DROP TABLE %I', name);
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION tend_feed(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tend_feed(integer) TO tributary_operator;
SELECT tend_feed(400);

GRANT SELECT ON feed, feed_heads TO tributary_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON feed, feed_heads TO tributary_operator;
DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY['feed', 'feed_heads'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO tributary_service
      USING (account_id = current_account() AND environment = current_environment())', walled);
  END LOOP;
END
$$;

-- A vacuum that waits until it can shorten a table holds a transaction number, for many seconds where there is much traffic, and with it the
-- feed. Space at the end of a table is used again anyway.
DO $$
DECLARE
  ours regclass;
BEGIN
  FOR ours IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
    EXECUTE format('ALTER TABLE %s SET (vacuum_truncate = off, toast.vacuum_truncate = off)', ours);
  END LOOP;
END
$$;
