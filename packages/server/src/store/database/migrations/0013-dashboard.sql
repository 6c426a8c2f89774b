-- What the dashboard tells of many at once, counted as it changes, so that no page goes through a million rows.

-- How a device is doing, in one word: nothing of it comes while it is silent, or once its consent is over.
CREATE FUNCTION device_state(status text, sync_state text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN status = 'pending' THEN 'pending' WHEN status = 'expired' OR sync_state = 'revoked' THEN 'ended'
                    ELSE coalesce(sync_state, 'on_device') END $$;
CREATE FUNCTION is_idle(state text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT coalesce(state IN ('silent', 'ended'), false) $$;

-- How many devices a user has, and how many of them bring nothing.
ALTER TABLE users ADD COLUMN device_count smallint NOT NULL DEFAULT 0, ADD COLUMN idle_devices smallint NOT NULL DEFAULT 0;

-- Devices by provider and state, of users that were not erased. Sessions count in slots of their own, so that they seldom wait for one another:
-- only the sum of the slots means something.
CREATE FUNCTION count_slot() RETURNS smallint LANGUAGE sql STABLE PARALLEL RESTRICTED AS $$ SELECT (pg_backend_pid() % 64)::smallint $$;
CREATE TABLE device_counts (
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL,
  provider text NOT NULL,
  state text NOT NULL,
  slot smallint NOT NULL,
  devices integer NOT NULL,
  PRIMARY KEY (account_id, environment, provider, state, slot)
) WITH (fillfactor = 50, vacuum_truncate = off);

-- What was accepted in each of the last 24 hours: a ring, in which an hour takes the place of the one a day before.
CREATE TABLE accepted_hours (
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL,
  slot smallint NOT NULL,
  hour_of_day smallint NOT NULL,
  hour timestamptz NOT NULL,
  batches bigint NOT NULL,
  accepted bigint NOT NULL,
  PRIMARY KEY (account_id, environment, slot, hour_of_day)
) WITH (fillfactor = 50, vacuum_truncate = off);

GRANT SELECT, INSERT, UPDATE ON device_counts TO tributary_service;
GRANT SELECT ON accepted_hours TO tributary_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON device_counts, accepted_hours TO tributary_operator;
DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY['device_counts', 'accepted_hours'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO tributary_service
      USING (account_id = current_account() AND environment = current_environment())', walled);
  END LOOP;
END
$$;

CREATE FUNCTION count_device() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  old_state text := CASE WHEN TG_OP <> 'INSERT' AND OLD.removed_at IS NULL THEN device_state(OLD.status, OLD.sync_state) END;
  new_state text := CASE WHEN TG_OP <> 'DELETE' AND NEW.removed_at IS NULL THEN device_state(NEW.status, NEW.sync_state) END;
  device devices;
  whose users;
BEGIN
  IF TG_OP = 'DELETE' THEN device := OLD; ELSE device := NEW; END IF;
  IF old_state IS NOT DISTINCT FROM new_state THEN RETURN NULL; END IF;
  UPDATE users SET
    device_count = device_count + (new_state IS NOT NULL)::int - (old_state IS NOT NULL)::int,
    idle_devices = idle_devices + is_idle(new_state)::int - is_idle(old_state)::int
  WHERE id = device.user_id RETURNING * INTO whose;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO device_counts AS c (account_id, environment, provider, state, slot, devices)
  SELECT whose.account_id, whose.environment, device.provider, state, count_slot(), step
  FROM (VALUES (old_state, -1), (new_state, 1)) AS t (state, step) WHERE state IS NOT NULL ORDER BY state
  ON CONFLICT (account_id, environment, provider, state, slot) DO UPDATE SET devices = c.devices + excluded.devices;
  RETURN NULL;
END
$$;
-- When the transaction ends: the row of a user is locked after those of its devices, whatever else the transaction does.
CREATE CONSTRAINT TRIGGER count_device AFTER INSERT OR DELETE OR UPDATE OF status, sync_state, removed_at ON devices
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_device();

-- Those that stand already: one look at the devices.
UPDATE users u SET device_count = d.devices, idle_devices = d.idle
FROM (SELECT user_id, count(*) AS devices, count(*) FILTER (WHERE is_idle(device_state(status, sync_state))) AS idle
      FROM devices WHERE removed_at IS NULL GROUP BY user_id) AS d
WHERE u.id = d.user_id;
INSERT INTO device_counts (account_id, environment, provider, state, slot, devices)
SELECT u.account_id, u.environment, d.provider, device_state(d.status, d.sync_state), 0, count(*)
FROM devices d JOIN users u ON u.id = d.user_id WHERE d.removed_at IS NULL GROUP BY 1, 2, 3, 4;

CREATE FUNCTION count_accepted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO accepted_hours AS h (account_id, environment, slot, hour_of_day, hour, batches, accepted)
  SELECT u.account_id, u.environment, count_slot(), extract(hour FROM i.hour AT TIME ZONE 'UTC'), i.hour, sum(i.batches), sum(i.accepted)
  FROM (SELECT user_id, date_trunc('hour', processed_at, 'UTC') AS hour, count(*) AS batches, coalesce(sum(counts[1] + counts[2]), 0) AS accepted
        FROM inserted WHERE NOT failed GROUP BY 1, 2) AS i,
    LATERAL (SELECT account_id, environment FROM users WHERE id = i.user_id OFFSET 0) AS u
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4
  ON CONFLICT (account_id, environment, slot, hour_of_day) DO UPDATE SET hour = excluded.hour,
    batches = excluded.batches + CASE WHEN h.hour = excluded.hour THEN h.batches ELSE 0 END,
    accepted = excluded.accepted + CASE WHEN h.hour = excluded.hour THEN h.accepted ELSE 0 END;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_accepted AFTER INSERT ON receipts
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_accepted();

-- Lists that are narrowed go by reference, in the order of its bytes: from a beginning, or from the last one that was shown.
CREATE INDEX users_by_reference_start ON users (account_id, environment, reference_id text_pattern_ops) WHERE status = 'active';
CREATE INDEX users_not_syncing ON users (account_id, environment, reference_id text_pattern_ops) WHERE status = 'active' AND idle_devices > 0;
CREATE INDEX users_without_device ON users (account_id, environment, reference_id text_pattern_ops) WHERE status = 'active' AND device_count = 0;
CREATE INDEX users_deleting ON users (account_id, environment, reference_id text_pattern_ops, id) WHERE status = 'deleting';

-- When a consent was over, for those whose consent is; and what stood in the way of the last run, for those where something did.
ALTER TABLE connections ADD COLUMN ended_at timestamptz;
CREATE FUNCTION note_ended_consent() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN NEW.ended_at := CASE WHEN NEW.tokens IS NULL THEN tributary_now() END; RETURN NEW; END $$;
CREATE TRIGGER note_ended_consent BEFORE UPDATE OF tokens ON connections
  FOR EACH ROW WHEN ((OLD.tokens IS NULL) <> (NEW.tokens IS NULL)) EXECUTE FUNCTION note_ended_consent();
CREATE INDEX connections_of_tenant ON connections (account_id, environment, provider, device_id);
CREATE INDEX connections_ended ON connections (account_id, environment, provider, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX connections_failing ON connections (account_id, environment, provider, failure) WHERE failure IS NOT NULL;

-- The feed is read from its end too, also that of one user, and event by event.
DROP INDEX feed_by_user;
CREATE INDEX feed_by_user ON feed (user_id, position);
CREATE INDEX feed_by_id ON feed (id);

-- An invitation may be mailed again: the newest mail tells how it went. A welcome is mailed once.
ALTER TABLE mails DROP CONSTRAINT mails_invitation_id_kind_key;
CREATE UNIQUE INDEX mails_of_welcome ON mails (invitation_id) WHERE kind = 'welcome';
CREATE INDEX mails_of_invitation ON mails (invitation_id, kind, id);
