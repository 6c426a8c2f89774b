-- Scores, and users of the sandbox.

-- Users whose scores may be different, because answers they depend on changed. Written in the transaction of the change; removed in the
-- transaction that has worked the scores out again, by who holds the user's lock.
CREATE TABLE stale_scores (
  user_id uuid PRIMARY KEY,
  due_at timestamptz NOT NULL,
  days int4multirange NOT NULL, -- counted from 1970-01-01
  urgent_days int4multirange NOT NULL DEFAULT '{}', -- published at once: another main sleep, or history that was worked out again
  again int4multirange NOT NULL DEFAULT '{}' -- without new data: what was held back may be shown, or a day closes
) WITH (fillfactor = 70);
CREATE INDEX stale_scores_by_due ON stale_scores (due_at);

-- One row a day: the scores with their factors, and what samples gave to them, so that later days need not look at samples again.
CREATE TABLE score_days (
  user_id uuid NOT NULL,
  day date NOT NULL,
  scores jsonb NOT NULL DEFAULT '{}', -- {type: [tenths, [[factor, tenths], …], computed at in ms, [local day, times published on it]]}
  facts bytea NOT NULL,
  norms jsonb, -- what five minutes awake and at rest usually were before the day: see StoredNorms
  stress bytea, -- the stress of each five minutes
  strains jsonb NOT NULL DEFAULT '{}', -- {workout: strain in tenths}
  hold_until timestamptz, -- until when more of what is measured all day long need not be looked at
  PRIMARY KEY (user_id, day)
) WITH (fillfactor = 80);

-- Whose data are made up for a user of the sandbox: {"seed", "archetype", "firstDay", "untilMs"}, and by how many days its today is ahead of ours.
ALTER TABLE users ADD COLUMN sandbox jsonb;
ALTER TABLE users ADD COLUMN days_ahead integer NOT NULL DEFAULT 0;

-- Whoever has data already is scored once, from the first month to the last.
INSERT INTO stale_scores (user_id, due_at, days)
SELECT m.user_id, tributary_now(), int4multirange(int4range(
    (date '1970-01-01' + make_interval(months => min(m.month)))::date - date '1970-01-01',
    (date '1970-01-01' + make_interval(months => max(m.month) + 1))::date - date '1970-01-01'))
FROM canonical_months m JOIN users u ON u.id = m.user_id AND u.status = 'active' GROUP BY m.user_id;

GRANT SELECT ON score_days, stale_scores TO tributary_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON stale_scores, score_days TO tributary_operator;
DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY['stale_scores', 'score_days'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
    EXECUTE format('CREATE POLICY own_user ON %I TO tributary_service USING (user_id = current_user_id())', walled);
  END LOOP;
END
$$;
