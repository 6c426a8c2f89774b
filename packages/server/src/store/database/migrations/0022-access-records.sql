-- Access records: who read data of which user, and when. Never what the data said.

-- A month is a table of its own, so that retention removes it at once.
CREATE TABLE access_records (
  account_id uuid NOT NULL,
  environment text NOT NULL,
  at timestamptz NOT NULL,
  id uuid NOT NULL,
  credential_type text NOT NULL,
  credential_id uuid NOT NULL,
  -- Null for a response about several users.
  user_id uuid,
  operation text NOT NULL,
  -- The days that were requested; null if the operation has none.
  first_day date,
  last_day date,
  outcome text NOT NULL,
  -- Lists by time use it, and it lets a write be repeated after a lost connection.
  PRIMARY KEY (account_id, environment, at, id)
) PARTITION BY RANGE (at);
CREATE INDEX access_records_by_user ON access_records (user_id, at, id) WHERE user_id IS NOT NULL;
CREATE INDEX access_records_by_credential ON access_records (credential_id, at, id);

-- Creates tables for this month and the next two, and drops months that ended longer ago than the retention. Waiting for a lock would make reads wait,
-- so it fails instead, and the next run repeats it.
CREATE FUNCTION maintain_access_records(retention_days integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public SET lock_timeout = '200ms' AS $$
DECLARE
  month date;
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('maintain_access_records', 0));
  FOR ahead IN 0..2 LOOP
    month := date_trunc('month', tributary_now() AT TIME ZONE 'UTC') + make_interval(months => ahead);
    name := 'access_records_' || to_char(month, 'YYYY_MM');
    IF to_regclass(name) IS NULL THEN
      -- Attached afterwards, which unlike PARTITION OF does not wait for readers and writers.
      EXECUTE format('CREATE TABLE %I (LIKE access_records INCLUDING INDEXES) WITH (vacuum_truncate = off)', name);
      -- Reads go through the parent and its policies; a month by itself shows nothing.
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
      EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
      EXECUTE format('ALTER TABLE access_records ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
        month::timestamp AT TIME ZONE 'UTC', (month + interval '1 month')::timestamp AT TIME ZONE 'UTC');
    END IF;
  END LOOP;
  FOR name IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'access_records'::regclass
      AND c.relname < 'access_records_' || to_char(tributary_now() AT TIME ZONE 'UTC' - make_interval(days => retention_days), 'YYYY_MM')
  LOOP
    EXECUTE format('DROP TABLE %I', name);
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION maintain_access_records(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION maintain_access_records(integer) TO tributary_operator;
SELECT maintain_access_records(400);

-- No role of the service changes or deletes a record.
GRANT SELECT ON access_records TO tributary_service;
GRANT SELECT, INSERT ON access_records TO tributary_operator;
ALTER TABLE access_records ENABLE ROW LEVEL SECURITY;
ALTER TABLE access_records FORCE ROW LEVEL SECURITY;
CREATE POLICY operator ON access_records TO tributary_operator USING (true) WITH CHECK (true);
CREATE POLICY own_tenant ON access_records FOR SELECT TO tributary_service
  USING (account_id = current_account() AND environment = current_environment());
