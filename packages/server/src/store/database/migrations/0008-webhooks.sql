-- Webhooks: where events are sent, and what became of each.

CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  environment text NOT NULL,
  url text NOT NULL,
  -- Kinds of events; {*} for all of them, also those to come.
  events text[] NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'disabled', 'deleted')),
  -- Why the service itself disabled it.
  disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
  -- Changes of one user's data within so many seconds are told together.
  coalesce_seconds smallint NOT NULL,
  -- Deliveries a second, at most.
  rate_limit smallint,
  -- Encrypted; the one before stays valid for a while after a rotation.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  last_delivery_at timestamptz,
  -- Since when nothing but failures came back; null after a success.
  failing_since timestamptz
) WITH (fillfactor = 70, vacuum_truncate = off);
CREATE INDEX webhooks_by_tenant ON webhooks (account_id, environment, created_at) WHERE status <> 'deleted';

-- One row for each event and webhook, made with the event's place in the feed. What is sent is the event itself, or `sent`.
CREATE TABLE deliveries (
  webhook_id uuid NOT NULL,
  event_id uuid NOT NULL,
  account_id uuid NOT NULL,
  environment text NOT NULL,
  -- The event's place in the feed, and when it got it; null for a test event, which has none.
  position bigint,
  sequenced_at timestamptz,
  user_id uuid,
  type text NOT NULL,
  backfill boolean NOT NULL DEFAULT false,
  -- merged: told by a later event of the same user, `merged_into`.
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'succeeded', 'failed', 'merged')),
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  -- Attempts since it was last made pending: where in the schedule it is.
  tries smallint NOT NULL DEFAULT 0,
  -- The last attempts, oldest first: at, status, error, milliseconds, answer.
  attempts jsonb NOT NULL DEFAULT '[]',
  -- What is sent if it is not the event as the feed shows it: several events as one, or a test.
  sent json,
  merged_into uuid,
  ended_at timestamptz,
  PRIMARY KEY (webhook_id, event_id)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
  vacuum_truncate = off, toast.vacuum_truncate = off);
CREATE INDEX deliveries_due ON deliveries (webhook_id, due_at, position) WHERE state = 'pending';
CREATE INDEX deliveries_untried ON deliveries (webhook_id, user_id, position) WHERE state = 'pending' AND tries = 0;
CREATE INDEX deliveries_failed ON deliveries (webhook_id, event_id) WHERE state = 'failed';
CREATE INDEX deliveries_by_user ON deliveries (user_id);
CREATE INDEX deliveries_ended ON deliveries USING brin (ended_at);

GRANT SELECT, INSERT, UPDATE ON webhooks, deliveries TO tributary_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks, deliveries TO tributary_operator;
DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY['webhooks', 'deliveries'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO tributary_service
      USING (account_id = current_account() AND environment = current_environment())', walled);
  END LOOP;
END
$$;
