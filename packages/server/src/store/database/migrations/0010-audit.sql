-- The audit log: who did what to what, when, from where. Nothing of it is ever changed.

-- Entries are written here in the transaction of the change, and wait for one follower, which chains them and moves them on.
CREATE TABLE audit_intake (
  id uuid PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- The nil UUID for what concerns the service as a whole.
  account_id uuid NOT NULL,
  -- Null for what concerns the account as a whole.
  environment text CHECK (environment IN ('live', 'sandbox')),
  at timestamptz NOT NULL,
  actor_type text NOT NULL,
  actor_id text NOT NULL,
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text NOT NULL,
  -- From where, unless that is a person's address, which is text about a person.
  address text,
  request_id text,
  -- Names of fields, states, counts. Never a measured value, a secret, or text about a person.
  data json NOT NULL,
  -- Whose personal text belongs to it, and a commitment to that text, salted: it tells nothing once the text is gone.
  person uuid,
  text_hash bytea CHECK (length(text_hash) = 32)
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  vacuum_truncate = off, toast.vacuum_truncate = off);
CREATE INDEX audit_intake_in_order ON audit_intake (xid, id);

-- The log itself. Each hash covers its entry and the hash before it in the chain of the account.
CREATE TABLE audit_log (
  account_id uuid NOT NULL,
  position bigint NOT NULL,
  id uuid NOT NULL,
  environment text,
  at timestamptz NOT NULL,
  actor_type text NOT NULL,
  actor_id text NOT NULL,
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text NOT NULL,
  address text,
  request_id text,
  data json NOT NULL,
  person uuid,
  text_hash bytea,
  hash bytea NOT NULL,
  PRIMARY KEY (account_id, position)
) WITH (vacuum_truncate = off, toast.vacuum_truncate = off);
-- No entry is in the log twice, whatever becomes of the follower.
CREATE UNIQUE INDEX audit_log_by_id ON audit_log (id);
-- Lists are by time. The environment comes first, so that a list never wades through entries of the other one.
CREATE INDEX audit_log_by_time ON audit_log (account_id, environment, at, position);
CREATE INDEX audit_log_by_target ON audit_log (account_id, environment, target_id, at, position);
CREATE INDEX audit_log_by_action ON audit_log (account_id, environment, action, at, position);

-- Where each chain ends, signed with a key that is not in this database. Empty once something was found wrong: what was touched is never
-- signed again.
CREATE TABLE audit_heads (
  account_id uuid PRIMARY KEY,
  position bigint NOT NULL,
  hash bytea NOT NULL,
  signature bytea NOT NULL
) WITH (fillfactor = 50, vacuum_truncate = off);

-- What entries say about people: mail addresses, names, references. It goes when the person is forgotten; the entry stays.
CREATE TABLE audit_texts (
  entry_id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  environment text,
  person uuid NOT NULL,
  salt bytea NOT NULL,
  text json NOT NULL
) WITH (vacuum_truncate = off, toast.vacuum_truncate = off);
CREATE INDEX audit_texts_by_person ON audit_texts (person);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is never changed';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

GRANT SELECT ON audit_log, audit_texts TO tributary_service;
GRANT INSERT ON audit_intake, audit_texts TO tributary_service;
GRANT SELECT, INSERT ON audit_log TO tributary_operator;
GRANT SELECT, INSERT, DELETE ON audit_intake, audit_texts TO tributary_operator;
GRANT SELECT, INSERT, UPDATE ON audit_heads TO tributary_operator;
DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY['audit_intake', 'audit_log', 'audit_heads', 'audit_texts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
  END LOOP;
  -- What concerns the account as a whole shows in both of its environments.
  -- Not with OR, which the planner would look up by an index of its own, and so read and sort a whole chain for one page.
  FOREACH walled IN ARRAY ARRAY['audit_log', 'audit_texts'] LOOP
    EXECUTE format('CREATE POLICY own_tenant ON %I FOR SELECT TO tributary_service
      USING (account_id = current_account() AND coalesce(environment, current_environment()) = current_environment())', walled);
  END LOOP;
  FOREACH walled IN ARRAY ARRAY['audit_intake', 'audit_texts'] LOOP
    EXECUTE format('CREATE POLICY own_entry ON %I FOR INSERT TO tributary_service
      WITH CHECK (account_id = current_account() AND environment = current_environment())', walled);
  END LOOP;
END
$$;
