-- The schema that the migrations create, dumped from PostgreSQL 15. Written by `npm run schema -- --write`; never edit it.

CREATE SCHEMA auth;

CREATE FUNCTION public.count_accepted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.count_departed_user() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE user_counts SET active = active - 1
  WHERE account_id = OLD.account_id AND environment = OLD.environment AND slot = user_slot(OLD.id);
  RETURN NULL;
END
$$;

CREATE FUNCTION public.count_device() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.count_inserted_users() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO user_counts AS c (account_id, environment, slot, active)
  SELECT account_id, environment, user_slot(id), count(*) FROM inserted WHERE status = 'active'
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 -- one lock order for all, or two bulk inserts could deadlock
  ON CONFLICT (account_id, environment, slot) DO UPDATE SET active = c.active + excluded.active;
  RETURN NULL;
END
$$;

CREATE FUNCTION public.count_returned_user() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO user_counts AS c (account_id, environment, slot, active)
  VALUES (NEW.account_id, NEW.environment, user_slot(NEW.id), 1)
  ON CONFLICT (account_id, environment, slot) DO UPDATE SET active = c.active + 1;
  RETURN NULL;
END
$$;

CREATE FUNCTION public.count_slot() RETURNS smallint
    LANGUAGE sql STABLE PARALLEL RESTRICTED
    AS $$ SELECT (pg_backend_pid() % 64)::smallint $$;

CREATE FUNCTION public.count_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN NEW.data_version := OLD.data_version + 1; RETURN NEW; END $$;

CREATE FUNCTION public.current_account() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT nullif(current_setting('tributary.account', true), '')::uuid $$;

CREATE FUNCTION public.current_credential() RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT decode(nullif(current_setting('tributary.credential', true), ''), 'hex') $$;

CREATE FUNCTION public.current_environment() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT nullif(current_setting('tributary.environment', true), '') $$;

CREATE FUNCTION public.current_user_id() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT nullif(current_setting('tributary.user_id', true), '')::uuid $$;

CREATE FUNCTION public.current_user_ids() RETURNS uuid[]
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT coalesce(nullif(current_setting('tributary.user_ids', true), ''), '{}')::uuid[] $$;

CREATE FUNCTION public.device_state(status text, sync_state text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN status = 'pending' THEN 'pending' WHEN status = 'expired' OR sync_state = 'revoked' THEN 'ended'
                    ELSE coalesce(sync_state, 'on_device') END $$;

CREATE FUNCTION public.in_account(row_account uuid, account uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT row_account = account $$;

CREATE FUNCTION public.in_tenant(row_account uuid, row_environment text, account uuid, environment text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT row_account = account AND row_environment = environment $$;

CREATE FUNCTION public.is_idle(state text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT coalesce(state IN ('silent', 'ended'), false) $$;

CREATE FUNCTION public.iso_timestamp(at timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

CREATE FUNCTION public.lock_user(user_id uuid) RETURNS void
    LANGUAGE sql
    AS $$ SELECT pg_advisory_xact_lock(1953654124, hashtext(user_id::text)) $$;

CREATE FUNCTION public.maintain_access_records(retention_days integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public'
    SET lock_timeout TO '200ms'
    AS $$
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

CREATE FUNCTION public.note_ended_consent() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN NEW.ended_at := CASE WHEN NEW.tokens IS NULL THEN tributary_now() END; RETURN NEW; END $$;

CREATE FUNCTION public.partition_of(user_id uuid) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT (get_byte(uuid_send(user_id), 15) & 63)::smallint $$;

CREATE FUNCTION public.refuse_audit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is never changed';
END
$$;

CREATE FUNCTION public.take_provider_call(of_environment text, of_provider text, subjects text[], rules smallint[], spacings double precision[], bursts double precision[]) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.tend_feed(retention_days integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public'
    AS $$
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

CREATE TABLE public.clock_offset (
    only_row boolean DEFAULT true NOT NULL,
    offset_ms bigint NOT NULL,
    CONSTRAINT clock_offset_only_row_check CHECK (only_row)
)
WITH (vacuum_truncate=off);

CREATE FUNCTION public.tributary_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (now() + COALESCE((SELECT ((clock_offset.offset_ms)::double precision * '00:00:00.001'::interval) FROM public.clock_offset), '00:00:00'::interval));

CREATE FUNCTION public.try_lock_user(user_id uuid) RETURNS boolean
    LANGUAGE sql
    AS $$ SELECT pg_try_advisory_xact_lock(1953654124, hashtext(user_id::text)) $$;

CREATE FUNCTION public.user_slot(id uuid) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT (get_byte(uuid_send(id), 15) & 15)::smallint $$;

CREATE TABLE auth.authenticators (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    secret text NOT NULL,
    backup_codes text NOT NULL,
    operator_id uuid NOT NULL,
    verified boolean,
    failed_verification_count integer,
    locked_until timestamp with time zone
)
WITH (vacuum_truncate=off);

CREATE TABLE auth.credentials (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    account_id text NOT NULL,
    provider_id text NOT NULL,
    operator_id uuid NOT NULL,
    access_token text,
    refresh_token text,
    id_token text,
    access_token_expires_at timestamp with time zone,
    refresh_token_expires_at timestamp with time zone,
    scope text,
    password text,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone NOT NULL
)
WITH (vacuum_truncate=off);

CREATE TABLE auth.operators (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_verified boolean NOT NULL,
    image text,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    two_factor_enabled boolean
)
WITH (vacuum_truncate=off);

CREATE TABLE auth.sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    token text NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    ip_address text,
    user_agent text,
    operator_id uuid NOT NULL,
    last_used_at timestamp with time zone,
    confirmed_at timestamp with time zone
)
WITH (vacuum_truncate=off);

CREATE TABLE auth.verifications (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
)
WITH (vacuum_truncate=off);

CREATE TABLE public.accepted_hours (
    account_id uuid NOT NULL,
    environment text NOT NULL,
    slot smallint NOT NULL,
    hour_of_day smallint NOT NULL,
    hour timestamp with time zone NOT NULL,
    batches bigint NOT NULL,
    accepted bigint NOT NULL
)
WITH (fillfactor='50', vacuum_truncate=off);

ALTER TABLE ONLY public.accepted_hours FORCE ROW LEVEL SECURITY;

CREATE TABLE public.access_records (
    account_id uuid NOT NULL,
    environment text NOT NULL,
    at timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    credential_type text NOT NULL,
    credential_id uuid NOT NULL,
    user_id uuid,
    operation text NOT NULL,
    first_day date,
    last_day date,
    outcome text NOT NULL
)
PARTITION BY RANGE (at);

ALTER TABLE ONLY public.access_records FORCE ROW LEVEL SECURITY;

CREATE TABLE public.account_usage (
    account_id uuid NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    uploads bigint NOT NULL,
    "values" bigint NOT NULL
)
WITH (fillfactor='50', vacuum_truncate=off);

ALTER TABLE ONLY public.account_usage FORCE ROW LEVEL SECURITY;

CREATE TABLE public.accounts (
    id uuid NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    default_form smallint DEFAULT 1 NOT NULL,
    user_limit integer,
    created_at timestamp with time zone DEFAULT public.tributary_now() NOT NULL,
    sync_interval_seconds integer DEFAULT 900 NOT NULL,
    organization_name text,
    contact_email text,
    redirect_urls text[] DEFAULT '{}'::text[] NOT NULL,
    require_authenticator boolean DEFAULT false NOT NULL,
    limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT accounts_contact_email_check CHECK (((char_length(contact_email) >= 3) AND (char_length(contact_email) <= 254))),
    CONSTRAINT accounts_default_form_check CHECK ((default_form = ANY (ARRAY[1, 2]))),
    CONSTRAINT accounts_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT accounts_organization_name_check CHECK (((char_length(organization_name) >= 1) AND (char_length(organization_name) <= 100))),
    CONSTRAINT accounts_redirect_urls_check CHECK ((cardinality(redirect_urls) <= 50)),
    CONSTRAINT accounts_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text]))),
    CONSTRAINT accounts_sync_interval_seconds_check CHECK (((sync_interval_seconds >= 60) AND (sync_interval_seconds <= 86400))),
    CONSTRAINT accounts_user_limit_check CHECK ((user_limit >= 0))
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.accounts FORCE ROW LEVEL SECURITY;

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    hash bytea NOT NULL,
    hint text NOT NULL,
    created_at timestamp with time zone DEFAULT public.tributary_now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    created_by text,
    last_used_at timestamp with time zone,
    last_used_address text,
    CONSTRAINT api_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT api_keys_hash_check CHECK ((length(hash) = 32))
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.api_keys FORCE ROW LEVEL SECURITY;

CREATE TABLE public.audit_heads (
    account_id uuid NOT NULL,
    "position" bigint NOT NULL,
    hash bytea NOT NULL,
    signature bytea NOT NULL
)
WITH (fillfactor='50', vacuum_truncate=off);

ALTER TABLE ONLY public.audit_heads FORCE ROW LEVEL SECURITY;

CREATE TABLE public.audit_intake (
    id uuid NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    account_id uuid NOT NULL,
    environment text,
    at timestamp with time zone NOT NULL,
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
    CONSTRAINT audit_intake_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT audit_intake_text_hash_check CHECK ((length(text_hash) = 32))
)
WITH (fillfactor='90', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.audit_intake FORCE ROW LEVEL SECURITY;

CREATE TABLE public.audit_log (
    account_id uuid NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    environment text,
    at timestamp with time zone NOT NULL,
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
    hash bytea NOT NULL
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.audit_log FORCE ROW LEVEL SECURITY;

CREATE TABLE public.audit_texts (
    entry_id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text,
    person uuid NOT NULL,
    salt bytea NOT NULL,
    text json NOT NULL
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.audit_texts FORCE ROW LEVEL SECURITY;

CREATE TABLE public.canonical_months (
    user_id uuid NOT NULL,
    metric_no smallint NOT NULL,
    month smallint NOT NULL,
    printed text NOT NULL,
    detail bytea NOT NULL
)
WITH (fillfactor='80', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.canonical_months FORCE ROW LEVEL SECURITY;

CREATE TABLE public.canonical_sleep (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    day date NOT NULL,
    is_main boolean NOT NULL,
    device_no smallint NOT NULL,
    source_id text NOT NULL,
    start_at timestamp with time zone NOT NULL,
    end_at timestamp with time zone NOT NULL,
    content jsonb NOT NULL,
    gave_way jsonb DEFAULT '[]'::jsonb NOT NULL
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.canonical_sleep FORCE ROW LEVEL SECURITY;

CREATE TABLE public.canonical_workouts (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    day date NOT NULL,
    device_no smallint NOT NULL,
    source_id text NOT NULL,
    start_at timestamp with time zone NOT NULL,
    end_at timestamp with time zone NOT NULL,
    content jsonb NOT NULL,
    gave_way jsonb DEFAULT '[]'::jsonb NOT NULL
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.canonical_workouts FORCE ROW LEVEL SECURITY;

CREATE TABLE public.connect_links (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    user_id uuid NOT NULL,
    device_id uuid NOT NULL,
    provider text NOT NULL,
    redirect_url text,
    status text DEFAULT 'open'::text NOT NULL,
    link_hash bytea NOT NULL,
    state_hash bytea,
    browser_hash bytea,
    sealed bytea,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    scopes smallint DEFAULT 127 NOT NULL,
    CONSTRAINT connect_links_browser_hash_check CHECK ((length(browser_hash) = 32)),
    CONSTRAINT connect_links_check CHECK ((((status = 'open'::text) = (state_hash IS NULL)) OR (status = 'cancelled'::text))),
    CONSTRAINT connect_links_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT connect_links_link_hash_check CHECK ((length(link_hash) = 32)),
    CONSTRAINT connect_links_redirect_url_check CHECK ((char_length(redirect_url) <= 2000)),
    CONSTRAINT connect_links_state_hash_check CHECK ((length(state_hash) = 32)),
    CONSTRAINT connect_links_status_check CHECK ((status = ANY (ARRAY['open'::text, 'continued'::text, 'connected'::text, 'cancelled'::text, 'declined'::text, 'failed'::text])))
)
WITH (fillfactor='90', vacuum_truncate=off);

ALTER TABLE ONLY public.connect_links FORCE ROW LEVEL SECURITY;

CREATE TABLE public.connection_streams (
    device_id uuid NOT NULL,
    stream text NOT NULL,
    user_id uuid NOT NULL,
    seen bytea NOT NULL
)
WITH (fillfactor='70', vacuum_truncate=off);

ALTER TABLE ONLY public.connection_streams FORCE ROW LEVEL SECURITY;

CREATE TABLE public.connections (
    device_id uuid NOT NULL,
    user_id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    provider text NOT NULL,
    external_id text,
    tokens bytea,
    token_version integer DEFAULT 0 NOT NULL,
    authorized_at timestamp with time zone,
    refusals smallint DEFAULT 0 NOT NULL,
    revoke_tries smallint DEFAULT 0 NOT NULL,
    failures smallint DEFAULT 0 NOT NULL,
    failure text,
    run_no integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    poll_at timestamp with time zone,
    deep_at timestamp with time zone,
    last_run_at timestamp with time zone,
    last_success_at timestamp with time zone,
    last_news_at timestamp with time zone,
    last_push_at timestamp with time zone,
    history_due_at timestamp with time zone,
    history_from timestamp with time zone,
    history_to timestamp with time zone,
    history_began_at timestamp with time zone,
    history_top timestamp with time zone,
    history_days smallint DEFAULT 14 NOT NULL,
    history_streams text[] DEFAULT '{}'::text[] NOT NULL,
    poll_streams text[] DEFAULT '{}'::text[] NOT NULL,
    ended_at timestamp with time zone,
    scopes smallint DEFAULT 127 NOT NULL,
    CONSTRAINT connections_check CHECK (((due_at IS NULL) OR (tokens IS NOT NULL))),
    CONSTRAINT connections_check1 CHECK (((history_due_at IS NULL) OR ((tokens IS NOT NULL) AND (history_from < history_to)))),
    CONSTRAINT connections_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
)
WITH (fillfactor='70', vacuum_truncate=off);

ALTER TABLE ONLY public.connections FORCE ROW LEVEL SECURITY;

CREATE TABLE public.dead_letters (
    user_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    attempts smallint NOT NULL,
    reason text NOT NULL,
    failed_at timestamp with time zone DEFAULT public.tributary_now() NOT NULL
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.dead_letters FORCE ROW LEVEL SECURITY;

CREATE TABLE public.deliveries (
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    "position" bigint,
    sequenced_at timestamp with time zone,
    user_id uuid,
    type text NOT NULL,
    backfill boolean DEFAULT false NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    tries smallint DEFAULT 0 NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    sent json,
    merged_into uuid,
    ended_at timestamp with time zone,
    CONSTRAINT deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'merged'::text])))
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='5000', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.deliveries FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_counts (
    account_id uuid NOT NULL,
    environment text NOT NULL,
    provider text NOT NULL,
    state text NOT NULL,
    slot smallint NOT NULL,
    devices integer NOT NULL
)
WITH (fillfactor='50', vacuum_truncate=off);

ALTER TABLE ONLY public.device_counts FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    device_no smallint NOT NULL,
    data bytea NOT NULL
)
WITH (fillfactor='80', vacuum_truncate=off, toast.vacuum_truncate=off);
ALTER TABLE ONLY public.device_days ALTER COLUMN data SET STORAGE EXTERNAL;

ALTER TABLE ONLY public.device_days FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_records (
    user_id uuid NOT NULL,
    device_no smallint NOT NULL,
    source_id text NOT NULL,
    slots jsonb NOT NULL,
    deleted_at timestamp with time zone,
    deleted_by uuid
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.device_records FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_sleep (
    user_id uuid NOT NULL,
    device_no smallint NOT NULL,
    source_id text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    batch_id uuid NOT NULL,
    start_at timestamp with time zone,
    end_at timestamp with time zone,
    content jsonb
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.device_sleep FORCE ROW LEVEL SECURITY;

CREATE TABLE public.device_workouts (
    user_id uuid NOT NULL,
    device_no smallint NOT NULL,
    source_id text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    batch_id uuid NOT NULL,
    start_at timestamp with time zone,
    end_at timestamp with time zone,
    content jsonb
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.device_workouts FORCE ROW LEVEL SECURITY;

CREATE TABLE public.devices (
    user_id uuid NOT NULL,
    device_no smallint NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL,
    status text NOT NULL,
    connected_at timestamp with time zone,
    last_sync_at timestamp with time zone,
    stable_id text,
    on_device boolean DEFAULT false NOT NULL,
    kind text DEFAULT 'other'::text NOT NULL,
    model text,
    name text,
    described_at timestamp with time zone,
    described_by uuid,
    removed_at timestamp with time zone,
    sync_state text,
    sync_reason text,
    CONSTRAINT devices_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'suspect'::text, 'expired'::text])))
)
WITH (fillfactor='70', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.devices FORCE ROW LEVEL SECURITY;

CREATE TABLE public.erasures (
    user_id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    removed jsonb DEFAULT '{}'::jsonb NOT NULL
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.erasures FORCE ROW LEVEL SECURITY;

CREATE TABLE public.events (
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    user_id uuid NOT NULL,
    type text NOT NULL,
    device_id uuid,
    metrics smallint[] DEFAULT '{}'::smallint[] NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.tributary_now() NOT NULL
)
WITH (fillfactor='90', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.events FORCE ROW LEVEL SECURITY;

CREATE TABLE public.feed (
    account_id uuid NOT NULL,
    environment text NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    type text NOT NULL,
    device_id uuid,
    metrics smallint[] NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sequenced_at timestamp with time zone NOT NULL
)
PARTITION BY RANGE (sequenced_at);

ALTER TABLE ONLY public.feed FORCE ROW LEVEL SECURITY;

CREATE TABLE public.feed_2026_11 (
    account_id uuid NOT NULL,
    environment text NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    type text NOT NULL,
    device_id uuid,
    metrics smallint[] NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sequenced_at timestamp with time zone NOT NULL
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.feed_2026_11 FORCE ROW LEVEL SECURITY;

CREATE TABLE public.feed_2026_12 (
    account_id uuid NOT NULL,
    environment text NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    type text NOT NULL,
    device_id uuid,
    metrics smallint[] NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sequenced_at timestamp with time zone NOT NULL
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.feed_2026_12 FORCE ROW LEVEL SECURITY;

CREATE TABLE public.feed_2027_01 (
    account_id uuid NOT NULL,
    environment text NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    type text NOT NULL,
    device_id uuid,
    metrics smallint[] NOT NULL,
    data jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sequenced_at timestamp with time zone NOT NULL
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.feed_2027_01 FORCE ROW LEVEL SECURITY;

CREATE TABLE public.feed_heads (
    account_id uuid NOT NULL,
    environment text NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='50', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.feed_heads FORCE ROW LEVEL SECURITY;

CREATE TABLE public.key_store (
    only_row boolean DEFAULT true NOT NULL,
    id uuid NOT NULL,
    CONSTRAINT key_store_only_row_check CHECK (only_row)
)
WITH (vacuum_truncate=off);

CREATE TABLE public.mails (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    kind text NOT NULL,
    invitation_id uuid NOT NULL,
    user_id uuid NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    refusal text,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT mails_check CHECK (((status = 'waiting'::text) = (ended_at IS NULL))),
    CONSTRAINT mails_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT mails_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'welcome'::text]))),
    CONSTRAINT mails_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'cancelled'::text])))
)
WITH (fillfactor='90', vacuum_truncate=off);

ALTER TABLE ONLY public.mails FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mobile_tokens (
    hash bytea NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    user_id uuid NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT public.tributary_now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT mobile_tokens_hash_check CHECK ((length(hash) = 32))
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.mobile_tokens FORCE ROW LEVEL SECURITY;

CREATE TABLE public.operator_addresses (
    operator_id uuid NOT NULL,
    address_hash bytea NOT NULL,
    signed_in_at timestamp with time zone NOT NULL
)
WITH (fillfactor='70', vacuum_truncate=off);

CREATE TABLE public.operator_links (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    kind text NOT NULL,
    email text,
    role text,
    operator_id uuid,
    invited_by uuid,
    link_hash bytea NOT NULL,
    link_key_version smallint NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT operator_links_check CHECK (((kind = 'password'::text) = (operator_id IS NOT NULL))),
    CONSTRAINT operator_links_check1 CHECK (((kind = 'password'::text) = (role IS NULL))),
    CONSTRAINT operator_links_check2 CHECK (((kind <> 'invitation'::text) OR (email IS NOT NULL))),
    CONSTRAINT operator_links_email_check CHECK ((char_length(email) <= 320)),
    CONSTRAINT operator_links_kind_check CHECK ((kind = ANY (ARRAY['owner'::text, 'invitation'::text, 'password'::text]))),
    CONSTRAINT operator_links_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'viewer'::text]))),
    CONSTRAINT operator_links_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'used'::text, 'revoked'::text])))
)
WITH (vacuum_truncate=off);

ALTER TABLE ONLY public.operator_links FORCE ROW LEVEL SECURITY;

CREATE TABLE public.operator_roles (
    operator_id uuid NOT NULL,
    account_id uuid NOT NULL,
    role text NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    CONSTRAINT operator_roles_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'viewer'::text])))
)
WITH (vacuum_truncate=off);

ALTER TABLE ONLY public.operator_roles FORCE ROW LEVEL SECURITY;

CREATE SEQUENCE public.pending_order
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 32;

CREATE TABLE public.pending_batches (
    partition smallint NOT NULL,
    "position" bigint DEFAULT nextval('public.pending_order'::regclass) NOT NULL,
    user_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    bytes integer NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    retry_at timestamp with time zone,
    progress integer[],
    account_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL
)
WITH (fillfactor='90', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0', vacuum_truncate=off);

ALTER TABLE ONLY public.pending_batches FORCE ROW LEVEL SECURITY;

CREATE TABLE public.provider_apps (
    provider text NOT NULL,
    client_id text NOT NULL,
    sealed bytea NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT provider_apps_client_id_check CHECK (((char_length(client_id) >= 1) AND (char_length(client_id) <= 1000)))
)
WITH (vacuum_truncate=off);

CREATE TABLE public.provider_limits (
    environment text NOT NULL,
    provider text NOT NULL,
    subject text NOT NULL,
    rule smallint NOT NULL,
    arrival_at timestamp with time zone NOT NULL,
    CONSTRAINT provider_limits_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
)
WITH (fillfactor='50', vacuum_truncate=off);

CREATE TABLE public.provider_pushes (
    id bigint NOT NULL,
    environment text NOT NULL,
    provider text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    headers jsonb NOT NULL,
    body bytea NOT NULL,
    key_id uuid,
    failures integer DEFAULT 0 NOT NULL,
    retry_at timestamp with time zone,
    CONSTRAINT provider_pushes_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
)
WITH (vacuum_truncate=off);

ALTER TABLE ONLY public.provider_pushes FORCE ROW LEVEL SECURITY;

ALTER TABLE public.provider_pushes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.provider_pushes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.push_set_ups (
    environment text NOT NULL,
    provider text NOT NULL,
    sealed bytea,
    checked_at timestamp with time zone NOT NULL,
    CONSTRAINT push_set_ups_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
)
WITH (vacuum_truncate=off);

CREATE TABLE public.raw_batches (
    user_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    received_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    scopes smallint NOT NULL,
    digest bytea NOT NULL,
    payload bytea NOT NULL,
    kind text
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);
ALTER TABLE ONLY public.raw_batches ALTER COLUMN payload SET STORAGE EXTERNAL;

ALTER TABLE ONLY public.raw_batches FORCE ROW LEVEL SECURITY;

CREATE TABLE public.raw_encryption (
    only_row boolean DEFAULT true NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    last_user uuid,
    last_batch uuid,
    scanned bigint DEFAULT 0 NOT NULL,
    encrypted bigint DEFAULT 0 NOT NULL,
    CONSTRAINT raw_encryption_only_row_check CHECK (only_row)
)
WITH (vacuum_truncate=off);

CREATE TABLE public.raw_keys (
    id uuid NOT NULL,
    user_id uuid,
    sealed bytea,
    created_at timestamp with time zone NOT NULL,
    destroyed_at timestamp with time zone,
    CONSTRAINT raw_keys_check CHECK ((user_id = id)),
    CONSTRAINT raw_keys_check1 CHECK (((sealed IS NULL) = (destroyed_at IS NOT NULL)))
)
WITH (vacuum_truncate=off);

ALTER TABLE ONLY public.raw_keys FORCE ROW LEVEL SECURITY;

CREATE TABLE public.receipts (
    user_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    processed_at timestamp with time zone NOT NULL,
    failed boolean DEFAULT false NOT NULL,
    counts integer[] NOT NULL,
    rejected jsonb
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.receipts FORCE ROW LEVEL SECURITY;

CREATE TABLE public.roster_invitations (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    email text NOT NULL,
    name text,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    reference_id text,
    status text DEFAULT 'pending'::text NOT NULL,
    member_id uuid,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    link_hash bytea NOT NULL,
    link_key_version smallint NOT NULL,
    CONSTRAINT roster_invitations_check CHECK (((status = 'pending'::text) = (ended_at IS NULL))),
    CONSTRAINT roster_invitations_check1 CHECK (((status = 'accepted'::text) = (member_id IS NOT NULL))),
    CONSTRAINT roster_invitations_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
    CONSTRAINT roster_invitations_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT roster_invitations_kind_check CHECK ((kind = ANY (ARRAY['existing'::text, 'returning'::text, 'new'::text]))),
    CONSTRAINT roster_invitations_link_hash_check CHECK ((length(link_hash) = 32)),
    CONSTRAINT roster_invitations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT roster_invitations_reference_id_check CHECK (((char_length(reference_id) >= 1) AND (char_length(reference_id) <= 255))),
    CONSTRAINT roster_invitations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text, 'revoked'::text, 'expired'::text])))
)
WITH (fillfactor='90', vacuum_truncate=off);

ALTER TABLE ONLY public.roster_invitations FORCE ROW LEVEL SECURITY;

CREATE TABLE public.roster_members (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    user_id uuid NOT NULL,
    born boolean NOT NULL,
    email text,
    name text,
    status text NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    archived_at timestamp with time zone,
    removed_at timestamp with time zone,
    link_hash bytea NOT NULL,
    link_key_version smallint NOT NULL,
    CONSTRAINT roster_members_check CHECK (((status = 'archived'::text) = (archived_at IS NOT NULL))),
    CONSTRAINT roster_members_check1 CHECK (((status = 'removed'::text) = (removed_at IS NOT NULL))),
    CONSTRAINT roster_members_check2 CHECK (((status = 'removed'::text) OR (email IS NOT NULL))),
    CONSTRAINT roster_members_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
    CONSTRAINT roster_members_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT roster_members_link_hash_check CHECK ((length(link_hash) = 32)),
    CONSTRAINT roster_members_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT roster_members_status_check CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text, 'removed'::text])))
)
WITH (fillfactor='90', vacuum_truncate=off);

ALTER TABLE ONLY public.roster_members FORCE ROW LEVEL SECURITY;

CREATE TABLE public.sample_chunks (
    user_id uuid NOT NULL,
    metric_no smallint NOT NULL,
    device_no smallint NOT NULL,
    chunk integer NOT NULL,
    data bytea NOT NULL
)
WITH (fillfactor='65', vacuum_truncate=off, toast.vacuum_truncate=off);
ALTER TABLE ONLY public.sample_chunks ALTER COLUMN data SET STORAGE EXTERNAL;

ALTER TABLE ONLY public.sample_chunks FORCE ROW LEVEL SECURITY;

CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

CREATE TABLE public.score_days (
    user_id uuid NOT NULL,
    day date NOT NULL,
    scores jsonb DEFAULT '{}'::jsonb NOT NULL,
    facts bytea NOT NULL,
    norms jsonb,
    stress bytea,
    strains jsonb DEFAULT '{}'::jsonb NOT NULL,
    hold_until timestamp with time zone
)
WITH (fillfactor='80', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.score_days FORCE ROW LEVEL SECURITY;

CREATE TABLE public.sdk_session_requests (
    user_id uuid NOT NULL,
    idempotency_key uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    body_hash bytea NOT NULL,
    session_id uuid NOT NULL,
    client_generation integer NOT NULL,
    key_version smallint NOT NULL,
    client_token_expires_at timestamp with time zone NOT NULL,
    api_url text NOT NULL,
    sync_interval_seconds integer NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT public.tributary_now() NOT NULL,
    CONSTRAINT sdk_session_requests_body_hash_check CHECK ((length(body_hash) = 32)),
    CONSTRAINT sdk_session_requests_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.sdk_session_requests FORCE ROW LEVEL SECURITY;

CREATE TABLE public.sdk_sessions (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    user_id uuid NOT NULL,
    status text NOT NULL,
    platform text,
    installation_id text,
    app_version text,
    device_model text,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT public.tributary_now() NOT NULL,
    last_seen_at timestamp with time zone,
    revoked_at timestamp with time zone,
    client_generation integer DEFAULT 0 NOT NULL,
    client_token_hash bytea,
    client_token_expires_at timestamp with time zone,
    refresh_family_hash bytea,
    refresh_generation integer DEFAULT 0 NOT NULL,
    refresh_hash bytea,
    previous_refresh_hash bytea,
    refresh_key_version smallint,
    refresh_request_id text,
    refreshed_at timestamp with time zone,
    CONSTRAINT sdk_sessions_check CHECK (((status = 'revoked'::text) = (revoked_at IS NOT NULL))),
    CONSTRAINT sdk_sessions_check1 CHECK (((status <> 'active'::text) OR ((refresh_hash IS NOT NULL) AND (refreshed_at IS NOT NULL)))),
    CONSTRAINT sdk_sessions_client_token_hash_check CHECK ((length(client_token_hash) = 32)),
    CONSTRAINT sdk_sessions_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT sdk_sessions_previous_refresh_hash_check CHECK ((length(previous_refresh_hash) = 32)),
    CONSTRAINT sdk_sessions_refresh_family_hash_check CHECK ((length(refresh_family_hash) = 32)),
    CONSTRAINT sdk_sessions_refresh_hash_check CHECK ((length(refresh_hash) = 32)),
    CONSTRAINT sdk_sessions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'revoked'::text])))
)
WITH (fillfactor='80', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.sdk_sessions FORCE ROW LEVEL SECURITY;

CREATE TABLE public.sign_in_attempts (
    key bytea NOT NULL,
    failures integer NOT NULL,
    last_at timestamp with time zone NOT NULL,
    open_at timestamp with time zone NOT NULL
)
WITH (fillfactor='70', vacuum_truncate=off);

CREATE TABLE public.sign_in_failures (
    email_hash bytea NOT NULL,
    failures integer NOT NULL,
    last_at timestamp with time zone NOT NULL
)
WITH (fillfactor='70', vacuum_truncate=off);

CREATE TABLE public.sign_in_secrets (
    only_row boolean DEFAULT true NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT sign_in_secrets_only_row_check CHECK (only_row)
)
WITH (vacuum_truncate=off);

CREATE TABLE public.signing_keys (
    id uuid NOT NULL,
    public_key bytea NOT NULL,
    private_key bytea NOT NULL,
    created_at timestamp with time zone DEFAULT public.tributary_now() NOT NULL,
    retired_at timestamp with time zone
)
WITH (vacuum_truncate=off, toast.vacuum_truncate=off);

CREATE TABLE public.spent_codes (
    operator_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    spent_at timestamp with time zone NOT NULL
)
WITH (vacuum_truncate=off);

CREATE TABLE public.stale_scores (
    user_id uuid NOT NULL,
    due_at timestamp with time zone NOT NULL,
    days int4multirange NOT NULL,
    urgent_days int4multirange DEFAULT '{}'::int4multirange NOT NULL,
    again int4multirange DEFAULT '{}'::int4multirange NOT NULL,
    account_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL
)
WITH (fillfactor='70', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.stale_scores FORCE ROW LEVEL SECURITY;

CREATE TABLE public.sync_notices (
    id bigint NOT NULL,
    device_id uuid NOT NULL,
    user_id uuid NOT NULL,
    notice jsonb NOT NULL,
    received_at timestamp with time zone NOT NULL
)
WITH (vacuum_truncate=off);

ALTER TABLE ONLY public.sync_notices FORCE ROW LEVEL SECURITY;

ALTER TABLE public.sync_notices ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sync_notices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sync_runs (
    id uuid NOT NULL,
    device_id uuid NOT NULL,
    user_id uuid NOT NULL,
    cause text NOT NULL,
    outcome text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    calls integer NOT NULL,
    documents integer NOT NULL,
    news integer NOT NULL,
    from_at timestamp with time zone,
    to_at timestamp with time zone,
    CONSTRAINT sync_runs_cause_check CHECK ((cause = ANY (ARRAY['connected'::text, 'push'::text, 'poll'::text, 'history'::text])))
)
WITH (vacuum_truncate=off);

ALTER TABLE ONLY public.sync_runs FORCE ROW LEVEL SECURITY;

CREATE TABLE public.token_renewals (
    device_id uuid NOT NULL,
    seen_version integer NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    failure jsonb
)
WITH (fillfactor='70', vacuum_truncate=off);

CREATE TABLE public.user_counts (
    account_id uuid NOT NULL,
    environment text NOT NULL,
    slot smallint NOT NULL,
    active bigint NOT NULL
)
WITH (fillfactor='50', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.user_counts FORCE ROW LEVEL SECURITY;

CREATE TABLE public.users (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    reference_id text NOT NULL,
    timezone text,
    profile jsonb DEFAULT '{}'::jsonb NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    score_status text DEFAULT 'pending'::text NOT NULL,
    last_batch_at timestamp with time zone,
    last_sync_at timestamp with time zone,
    last_score_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT public.tributary_now() NOT NULL,
    deleted_at timestamp with time zone,
    raw_complete_since timestamp with time zone,
    consolidation jsonb DEFAULT '{}'::jsonb NOT NULL,
    data_version bigint DEFAULT 0 NOT NULL,
    sandbox jsonb,
    days_ahead integer DEFAULT 0 NOT NULL,
    device_count smallint DEFAULT 0 NOT NULL,
    idle_devices smallint DEFAULT 0 NOT NULL,
    earlier_timezones text,
    CONSTRAINT users_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
    CONSTRAINT users_reference_id_check CHECK (((char_length(reference_id) >= 1) AND (char_length(reference_id) <= 255))),
    CONSTRAINT users_score_status_check CHECK ((score_status = ANY (ARRAY['pending'::text, 'computing'::text, 'ready'::text]))),
    CONSTRAINT users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'withdrawn'::text, 'deleting'::text])))
)
WITH (fillfactor='70', vacuum_truncate=off, toast.vacuum_truncate=off);

ALTER TABLE ONLY public.users FORCE ROW LEVEL SECURITY;

CREATE TABLE public.webhooks (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    environment text NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    disabled_reason text,
    coalesce_seconds smallint NOT NULL,
    rate_limit smallint,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_secret_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    last_delivery_at timestamp with time zone,
    failing_since timestamp with time zone,
    CONSTRAINT webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text]))),
    CONSTRAINT webhooks_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'disabled'::text, 'deleted'::text])))
)
WITH (fillfactor='70', vacuum_truncate=off);

ALTER TABLE ONLY public.webhooks FORCE ROW LEVEL SECURITY;

ALTER TABLE ONLY public.feed ATTACH PARTITION public.feed_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');

ALTER TABLE ONLY public.feed ATTACH PARTITION public.feed_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');

ALTER TABLE ONLY public.feed ATTACH PARTITION public.feed_2027_01 FOR VALUES FROM ('2027-01-01 00:00:00+00') TO ('2027-02-01 00:00:00+00');

ALTER TABLE ONLY auth.authenticators
    ADD CONSTRAINT authenticators_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.operators
    ADD CONSTRAINT operators_email_key UNIQUE (email);

ALTER TABLE ONLY auth.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.sessions
    ADD CONSTRAINT sessions_token_key UNIQUE (token);

ALTER TABLE ONLY auth.verifications
    ADD CONSTRAINT verifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accepted_hours
    ADD CONSTRAINT accepted_hours_pkey PRIMARY KEY (account_id, environment, slot, hour_of_day);

ALTER TABLE ONLY public.access_records
    ADD CONSTRAINT access_records_pkey PRIMARY KEY (account_id, environment, at, id);

ALTER TABLE ONLY public.account_usage
    ADD CONSTRAINT account_usage_pkey PRIMARY KEY (account_id, environment, day);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_heads
    ADD CONSTRAINT audit_heads_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.audit_intake
    ADD CONSTRAINT audit_intake_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (account_id, "position");

ALTER TABLE ONLY public.audit_texts
    ADD CONSTRAINT audit_texts_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY public.canonical_months
    ADD CONSTRAINT canonical_months_pkey PRIMARY KEY (user_id, metric_no, month);

ALTER TABLE ONLY public.canonical_sleep
    ADD CONSTRAINT canonical_sleep_pkey PRIMARY KEY (user_id, id);

ALTER TABLE ONLY public.canonical_workouts
    ADD CONSTRAINT canonical_workouts_pkey PRIMARY KEY (user_id, id);

ALTER TABLE ONLY public.clock_offset
    ADD CONSTRAINT clock_offset_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.connect_links
    ADD CONSTRAINT connect_links_link_hash_key UNIQUE (link_hash);

ALTER TABLE ONLY public.connect_links
    ADD CONSTRAINT connect_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.connect_links
    ADD CONSTRAINT connect_links_state_hash_key UNIQUE (state_hash);

ALTER TABLE ONLY public.connection_streams
    ADD CONSTRAINT connection_streams_pkey PRIMARY KEY (device_id, stream);

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_pkey PRIMARY KEY (device_id);

ALTER TABLE ONLY public.dead_letters
    ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (user_id, batch_id);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (webhook_id, event_id);

ALTER TABLE ONLY public.device_counts
    ADD CONSTRAINT device_counts_pkey PRIMARY KEY (account_id, environment, provider, state, slot);

ALTER TABLE ONLY public.device_days
    ADD CONSTRAINT device_days_pkey PRIMARY KEY (user_id, day, device_no);

ALTER TABLE ONLY public.device_records
    ADD CONSTRAINT device_records_pkey PRIMARY KEY (user_id, device_no, source_id);

ALTER TABLE ONLY public.device_sleep
    ADD CONSTRAINT device_sleep_pkey PRIMARY KEY (user_id, device_no, source_id);

ALTER TABLE ONLY public.device_workouts
    ADD CONSTRAINT device_workouts_pkey PRIMARY KEY (user_id, device_no, source_id);

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_id_key UNIQUE (id);

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (user_id, device_no);

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (xid, id);

ALTER TABLE ONLY public.feed
    ADD CONSTRAINT feed_pkey PRIMARY KEY (account_id, environment, "position", sequenced_at);

ALTER TABLE ONLY public.feed_2026_11
    ADD CONSTRAINT feed_2026_11_pkey PRIMARY KEY (account_id, environment, "position", sequenced_at);

ALTER TABLE ONLY public.feed_2026_12
    ADD CONSTRAINT feed_2026_12_pkey PRIMARY KEY (account_id, environment, "position", sequenced_at);

ALTER TABLE ONLY public.feed_2027_01
    ADD CONSTRAINT feed_2027_01_pkey PRIMARY KEY (account_id, environment, "position", sequenced_at);

ALTER TABLE ONLY public.feed_heads
    ADD CONSTRAINT feed_heads_pkey PRIMARY KEY (account_id, environment);

ALTER TABLE ONLY public.key_store
    ADD CONSTRAINT key_store_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mobile_tokens
    ADD CONSTRAINT mobile_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.operator_addresses
    ADD CONSTRAINT operator_addresses_pkey PRIMARY KEY (operator_id, address_hash);

ALTER TABLE ONLY public.operator_links
    ADD CONSTRAINT operator_links_link_hash_key UNIQUE (link_hash);

ALTER TABLE ONLY public.operator_links
    ADD CONSTRAINT operator_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operator_roles
    ADD CONSTRAINT operator_roles_pkey PRIMARY KEY (operator_id);

ALTER TABLE ONLY public.pending_batches
    ADD CONSTRAINT pending_batches_pkey PRIMARY KEY (partition, "position");

ALTER TABLE ONLY public.provider_apps
    ADD CONSTRAINT provider_apps_pkey PRIMARY KEY (provider);

ALTER TABLE ONLY public.provider_limits
    ADD CONSTRAINT provider_limits_pkey PRIMARY KEY (environment, provider, subject, rule);

ALTER TABLE ONLY public.provider_pushes
    ADD CONSTRAINT provider_pushes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.push_set_ups
    ADD CONSTRAINT push_set_ups_pkey PRIMARY KEY (environment, provider);

ALTER TABLE public.raw_batches
    ADD CONSTRAINT raw_batches_kind CHECK ((kind = ANY (ARRAY['upload'::text, 'documents'::text]))) NOT VALID;

ALTER TABLE ONLY public.raw_batches
    ADD CONSTRAINT raw_batches_pkey PRIMARY KEY (user_id, batch_id);

ALTER TABLE ONLY public.raw_encryption
    ADD CONSTRAINT raw_encryption_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.raw_keys
    ADD CONSTRAINT raw_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.receipts
    ADD CONSTRAINT receipts_pkey PRIMARY KEY (user_id, batch_id);

ALTER TABLE ONLY public.roster_invitations
    ADD CONSTRAINT roster_invitations_link_hash_key UNIQUE (link_hash);

ALTER TABLE ONLY public.roster_invitations
    ADD CONSTRAINT roster_invitations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.roster_members
    ADD CONSTRAINT roster_members_link_hash_key UNIQUE (link_hash);

ALTER TABLE ONLY public.roster_members
    ADD CONSTRAINT roster_members_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sample_chunks
    ADD CONSTRAINT sample_chunks_pkey PRIMARY KEY (user_id, metric_no, device_no, chunk);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.score_days
    ADD CONSTRAINT score_days_pkey PRIMARY KEY (user_id, day);

ALTER TABLE ONLY public.sdk_session_requests
    ADD CONSTRAINT sdk_session_requests_pkey PRIMARY KEY (user_id, idempotency_key);

ALTER TABLE ONLY public.sdk_sessions
    ADD CONSTRAINT sdk_sessions_client_token_hash_key UNIQUE (client_token_hash);

ALTER TABLE ONLY public.sdk_sessions
    ADD CONSTRAINT sdk_sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sdk_sessions
    ADD CONSTRAINT sdk_sessions_refresh_family_hash_key UNIQUE (refresh_family_hash);

ALTER TABLE ONLY public.sign_in_attempts
    ADD CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.sign_in_failures
    ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (email_hash);

ALTER TABLE ONLY public.sign_in_secrets
    ADD CONSTRAINT sign_in_secrets_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.spent_codes
    ADD CONSTRAINT spent_codes_pkey PRIMARY KEY (operator_id, code_hash);

ALTER TABLE ONLY public.stale_scores
    ADD CONSTRAINT stale_scores_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.sync_notices
    ADD CONSTRAINT sync_notices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sync_runs
    ADD CONSTRAINT sync_runs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.token_renewals
    ADD CONSTRAINT token_renewals_pkey PRIMARY KEY (device_id);

ALTER TABLE ONLY public.user_counts
    ADD CONSTRAINT user_counts_pkey PRIMARY KEY (account_id, environment, slot);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);

CREATE INDEX authenticators_operator_id_idx ON auth.authenticators USING btree (operator_id);

CREATE INDEX authenticators_secret_idx ON auth.authenticators USING btree (secret);

CREATE INDEX credentials_operator_id_idx ON auth.credentials USING btree (operator_id);

CREATE INDEX sessions_operator_id_idx ON auth.sessions USING btree (operator_id);

CREATE INDEX verifications_identifier_idx ON auth.verifications USING btree (identifier);

CREATE INDEX access_records_by_credential ON ONLY public.access_records USING btree (credential_id, at, id);

CREATE INDEX access_records_by_user ON ONLY public.access_records USING btree (user_id, at, id) WHERE (user_id IS NOT NULL);

CREATE UNIQUE INDEX api_keys_one_active ON public.api_keys USING btree (account_id, environment) WHERE (revoked_at IS NULL);

CREATE INDEX audit_intake_in_order ON public.audit_intake USING btree (xid, id);

CREATE INDEX audit_log_by_action ON public.audit_log USING btree (account_id, environment, action, at, "position");

CREATE UNIQUE INDEX audit_log_by_id ON public.audit_log USING btree (id);

CREATE INDEX audit_log_by_target ON public.audit_log USING btree (account_id, environment, target_id, at, "position");

CREATE INDEX audit_log_by_time ON public.audit_log USING btree (account_id, environment, at, "position");

CREATE INDEX audit_texts_by_person ON public.audit_texts USING btree (person);

CREATE INDEX canonical_sleep_newest_first ON public.canonical_sleep USING btree (user_id, day DESC, start_at DESC, id DESC);

CREATE INDEX canonical_workouts_newest_first ON public.canonical_workouts USING btree (user_id, day DESC, start_at DESC, id DESC);

CREATE INDEX connect_links_of_device ON public.connect_links USING btree (device_id);

CREATE INDEX connect_links_of_user ON public.connect_links USING btree (user_id);

CREATE INDEX connect_links_past_end ON public.connect_links USING btree (expires_at);

CREATE INDEX connection_streams_of_user ON public.connection_streams USING btree (user_id);

CREATE INDEX connections_due ON public.connections USING btree (account_id, due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX connections_ended ON public.connections USING btree (account_id, environment, provider, ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX connections_failing ON public.connections USING btree (account_id, environment, provider, failure) WHERE (failure IS NOT NULL);

CREATE INDEX connections_of_person ON public.connections USING btree (environment, provider, external_id) WHERE (tokens IS NOT NULL);

CREATE INDEX connections_of_tenant ON public.connections USING btree (account_id, environment, provider, device_id);

CREATE INDEX connections_of_user ON public.connections USING btree (user_id);

CREATE INDEX connections_with_history ON public.connections USING btree (account_id, history_due_at) WHERE (history_due_at IS NOT NULL);

CREATE INDEX deliveries_by_user ON public.deliveries USING btree (user_id);

CREATE INDEX deliveries_due ON public.deliveries USING btree (webhook_id, due_at, "position") WHERE (state = 'pending'::text);

CREATE INDEX deliveries_ended ON public.deliveries USING brin (ended_at);

CREATE INDEX deliveries_failed ON public.deliveries USING btree (webhook_id, event_id) WHERE (state = 'failed'::text);

CREATE INDEX deliveries_untried ON public.deliveries USING btree (webhook_id, user_id, "position") WHERE ((state = 'pending'::text) AND (tries = 0));

CREATE INDEX device_sleep_by_start ON public.device_sleep USING btree (user_id, start_at) WHERE (start_at IS NOT NULL);

CREATE INDEX device_workouts_by_start ON public.device_workouts USING btree (user_id, start_at) WHERE (start_at IS NOT NULL);

CREATE UNIQUE INDEX devices_by_stable_id ON public.devices USING btree (user_id, provider, stable_id) WHERE (removed_at IS NULL);

CREATE INDEX devices_removed ON public.devices USING btree (removed_at) WHERE (removed_at IS NOT NULL);

CREATE INDEX erasures_unfinished ON public.erasures USING btree (requested_at) WHERE (finished_at IS NULL);

CREATE INDEX events_by_user ON public.events USING btree (user_id);

CREATE INDEX feed_by_id ON ONLY public.feed USING btree (id);

CREATE INDEX feed_2026_11_id_idx ON public.feed_2026_11 USING btree (id);

CREATE INDEX feed_by_user ON ONLY public.feed USING btree (user_id, "position");

CREATE INDEX feed_2026_11_user_id_position_idx ON public.feed_2026_11 USING btree (user_id, "position");

CREATE INDEX feed_2026_12_id_idx ON public.feed_2026_12 USING btree (id);

CREATE INDEX feed_2026_12_user_id_position_idx ON public.feed_2026_12 USING btree (user_id, "position");

CREATE INDEX feed_2027_01_id_idx ON public.feed_2027_01 USING btree (id);

CREATE INDEX feed_2027_01_user_id_position_idx ON public.feed_2027_01 USING btree (user_id, "position");

CREATE INDEX mails_of_invitation ON public.mails USING btree (invitation_id, kind, id);

CREATE INDEX mails_of_user ON public.mails USING btree (user_id);

CREATE UNIQUE INDEX mails_of_welcome ON public.mails USING btree (invitation_id) WHERE (kind = 'welcome'::text);

CREATE INDEX mobile_tokens_by_expiry ON public.mobile_tokens USING btree (expires_at);

CREATE INDEX mobile_tokens_by_user ON public.mobile_tokens USING btree (user_id);

CREATE INDEX operator_links_of_account ON public.operator_links USING btree (account_id, id);

CREATE UNIQUE INDEX operator_links_open_invitation ON public.operator_links USING btree (account_id, lower(email)) WHERE ((kind = 'invitation'::text) AND (status = 'pending'::text));

CREATE INDEX operator_roles_of_account ON public.operator_roles USING btree (account_id);

CREATE INDEX raw_batches_by_arrival ON public.raw_batches USING brin (received_at) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX raw_keys_of_pushes ON public.raw_keys USING btree (created_at) WHERE (user_id IS NULL);

CREATE UNIQUE INDEX roster_invitations_by_email ON public.roster_invitations USING btree (account_id, environment, lower(email)) WHERE (status = 'pending'::text);

CREATE UNIQUE INDEX roster_invitations_by_user ON public.roster_invitations USING btree (user_id) WHERE (status = 'pending'::text);

CREATE INDEX roster_invitations_newest_first ON public.roster_invitations USING btree (account_id, environment, id DESC);

CREATE INDEX roster_invitations_of_member ON public.roster_invitations USING btree (member_id);

CREATE INDEX roster_invitations_of_user ON public.roster_invitations USING btree (user_id);

CREATE UNIQUE INDEX roster_members_by_email ON public.roster_members USING btree (account_id, environment, lower(email)) WHERE (status <> 'removed'::text);

CREATE UNIQUE INDEX roster_members_by_user ON public.roster_members USING btree (user_id) WHERE (status <> 'removed'::text);

CREATE INDEX roster_members_newest_first ON public.roster_members USING btree (account_id, environment, id DESC) WHERE (status <> 'removed'::text);

CREATE INDEX roster_members_of_user ON public.roster_members USING btree (user_id);

CREATE INDEX roster_members_removed ON public.roster_members USING btree (account_id, environment, lower(email)) WHERE (status = 'removed'::text);

CREATE INDEX sdk_session_requests_by_age ON public.sdk_session_requests USING btree (created_at);

CREATE UNIQUE INDEX sdk_sessions_by_installation ON public.sdk_sessions USING btree (user_id, installation_id) WHERE (status <> 'revoked'::text);

CREATE INDEX sdk_sessions_by_user ON public.sdk_sessions USING btree (user_id, id DESC);

CREATE INDEX sdk_sessions_pending ON public.sdk_sessions USING btree (client_token_expires_at) WHERE (status = 'pending'::text);

CREATE INDEX sdk_sessions_revoked ON public.sdk_sessions USING btree (revoked_at) WHERE (status = 'revoked'::text);

CREATE INDEX stale_scores_by_account ON public.stale_scores USING btree (account_id, due_at);

CREATE INDEX stale_scores_by_due ON public.stale_scores USING btree (due_at);

CREATE INDEX sync_notices_of_device ON public.sync_notices USING btree (device_id);

CREATE INDEX sync_notices_of_user ON public.sync_notices USING btree (user_id);

CREATE INDEX sync_runs_of_device ON public.sync_runs USING btree (device_id, id);

CREATE INDEX sync_runs_of_user ON public.sync_runs USING btree (user_id);

CREATE INDEX token_renewals_waiting ON public.token_renewals USING btree (requested_at) WHERE (failure IS NULL);

CREATE UNIQUE INDEX users_by_reference ON public.users USING btree (account_id, environment, reference_id) WHERE (status = 'active'::text);

CREATE INDEX users_by_reference_start ON public.users USING btree (account_id, environment, reference_id text_pattern_ops) WHERE (status = 'active'::text);

CREATE INDEX users_deleting ON public.users USING btree (account_id, environment, reference_id text_pattern_ops, id) WHERE (status = 'deleting'::text);

CREATE INDEX users_newest_first ON public.users USING btree (account_id, environment, id DESC) WHERE (status = 'active'::text);

CREATE INDEX users_not_syncing ON public.users USING btree (account_id, environment, reference_id text_pattern_ops) WHERE ((status = 'active'::text) AND (idle_devices > 0));

CREATE INDEX users_without_device ON public.users USING btree (account_id, environment, reference_id text_pattern_ops) WHERE ((status = 'active'::text) AND (device_count = 0));

CREATE INDEX webhooks_by_tenant ON public.webhooks USING btree (account_id, environment, created_at) WHERE (status <> 'deleted'::text);

ALTER INDEX public.feed_by_id ATTACH PARTITION public.feed_2026_11_id_idx;

ALTER INDEX public.feed_pkey ATTACH PARTITION public.feed_2026_11_pkey;

ALTER INDEX public.feed_by_user ATTACH PARTITION public.feed_2026_11_user_id_position_idx;

ALTER INDEX public.feed_by_id ATTACH PARTITION public.feed_2026_12_id_idx;

ALTER INDEX public.feed_pkey ATTACH PARTITION public.feed_2026_12_pkey;

ALTER INDEX public.feed_by_user ATTACH PARTITION public.feed_2026_12_user_id_position_idx;

ALTER INDEX public.feed_by_id ATTACH PARTITION public.feed_2027_01_id_idx;

ALTER INDEX public.feed_pkey ATTACH PARTITION public.feed_2027_01_pkey;

ALTER INDEX public.feed_by_user ATTACH PARTITION public.feed_2027_01_user_id_position_idx;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change();

CREATE TRIGGER count_accepted AFTER INSERT ON public.receipts REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.count_accepted();

CREATE TRIGGER count_deleted AFTER DELETE ON public.users FOR EACH ROW WHEN ((old.status = 'active'::text)) EXECUTE FUNCTION public.count_departed_user();

CREATE TRIGGER count_deleting AFTER UPDATE ON public.users FOR EACH ROW WHEN (((old.status = 'active'::text) AND (new.status <> 'active'::text))) EXECUTE FUNCTION public.count_departed_user();

CREATE CONSTRAINT TRIGGER count_device AFTER INSERT OR DELETE OR UPDATE OF status, sync_state, removed_at ON public.devices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.count_device();

CREATE TRIGGER count_inserted AFTER INSERT ON public.users REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.count_inserted_users();

CREATE TRIGGER count_returned AFTER UPDATE ON public.users FOR EACH ROW WHEN (((old.status <> 'active'::text) AND (new.status = 'active'::text))) EXECUTE FUNCTION public.count_returned_user();

CREATE TRIGGER note_ended_consent BEFORE UPDATE OF tokens ON public.connections FOR EACH ROW WHEN (((old.tokens IS NULL) <> (new.tokens IS NULL))) EXECUTE FUNCTION public.note_ended_consent();

CREATE TRIGGER users_count_version BEFORE UPDATE ON public.users FOR EACH ROW EXECUTE FUNCTION public.count_version();

ALTER TABLE ONLY auth.authenticators
    ADD CONSTRAINT authenticators_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.credentials
    ADD CONSTRAINT credentials_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.sessions
    ADD CONSTRAINT sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.accepted_hours
    ADD CONSTRAINT accepted_hours_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.account_usage
    ADD CONSTRAINT account_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.connect_links
    ADD CONSTRAINT connect_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.connect_links
    ADD CONSTRAINT connect_links_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.connections(device_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connection_streams
    ADD CONSTRAINT connection_streams_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.connections(device_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.device_counts
    ADD CONSTRAINT device_counts_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES public.roster_invitations(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.mobile_tokens
    ADD CONSTRAINT mobile_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.mobile_tokens
    ADD CONSTRAINT mobile_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.operator_addresses
    ADD CONSTRAINT operator_addresses_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.operator_links
    ADD CONSTRAINT operator_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.operator_links
    ADD CONSTRAINT operator_links_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES auth.operators(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.operator_links
    ADD CONSTRAINT operator_links_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.operator_roles
    ADD CONSTRAINT operator_roles_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.operator_roles
    ADD CONSTRAINT operator_roles_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.roster_invitations
    ADD CONSTRAINT roster_invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.roster_invitations
    ADD CONSTRAINT roster_invitations_member_id_fkey FOREIGN KEY (member_id) REFERENCES public.roster_members(id);

ALTER TABLE ONLY public.roster_members
    ADD CONSTRAINT roster_members_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.sdk_session_requests
    ADD CONSTRAINT sdk_session_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.sdk_session_requests
    ADD CONSTRAINT sdk_session_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sdk_sessions
    ADD CONSTRAINT sdk_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.sdk_sessions
    ADD CONSTRAINT sdk_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.spent_codes
    ADD CONSTRAINT spent_codes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES auth.operators(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sync_notices
    ADD CONSTRAINT sync_notices_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.connections(device_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sync_runs
    ADD CONSTRAINT sync_runs_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.connections(device_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.token_renewals
    ADD CONSTRAINT token_renewals_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.connections(device_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_counts
    ADD CONSTRAINT user_counts_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE public.accepted_hours ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.access_records ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.account_usage ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.accounts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_heads ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_intake ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_log ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_texts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.canonical_months ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.canonical_sleep ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.canonical_workouts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connect_links ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connection_streams ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connections ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.dead_letters ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.deliveries ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_counts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_days ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_records ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_sleep ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_workouts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.devices ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.erasures ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_2026_11 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_2026_12 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_2027_01 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_heads ENABLE ROW LEVEL SECURITY;

CREATE POLICY leave ON public.provider_pushes FOR INSERT TO tributary_service WITH CHECK (true);

ALTER TABLE public.mails ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mobile_tokens ENABLE ROW LEVEL SECURITY;

CREATE POLICY named_users ON public.pending_batches FOR INSERT TO tributary_service WITH CHECK ((user_id = ANY (( SELECT public.current_user_ids() AS current_user_ids)::uuid[])));

CREATE POLICY named_users ON public.raw_batches TO tributary_service USING ((user_id = ANY (( SELECT public.current_user_ids() AS current_user_ids)::uuid[])));

CREATE POLICY operator ON public.accepted_hours TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.access_records TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.account_usage TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.accounts TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.api_keys TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.audit_heads TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.audit_intake TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.audit_log TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.audit_texts TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.canonical_months TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.canonical_sleep TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.canonical_workouts TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.connect_links TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.connection_streams TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.connections TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.dead_letters TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.deliveries TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.device_counts TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.device_days TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.device_records TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.device_sleep TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.device_workouts TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.devices TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.erasures TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.events TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.feed TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.feed_heads TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.mails TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.mobile_tokens TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.operator_links TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.operator_roles TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.pending_batches TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.provider_pushes TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.raw_batches TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.raw_keys TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.receipts TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.roster_invitations TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.roster_members TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.sample_chunks TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.score_days TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.sdk_session_requests TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.sdk_sessions TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.stale_scores TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.sync_notices TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.sync_runs TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.user_counts TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.users TO tributary_operator USING (true) WITH CHECK (true);

CREATE POLICY operator ON public.webhooks TO tributary_operator USING (true) WITH CHECK (true);

ALTER TABLE public.operator_links ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.operator_roles ENABLE ROW LEVEL SECURITY;

CREATE POLICY own_account ON public.accounts TO tributary_service USING ((id = public.current_account()));

CREATE POLICY own_account ON public.api_keys FOR SELECT TO tributary_service USING ((account_id = public.current_account()));

CREATE POLICY own_account ON public.operator_links FOR SELECT TO tributary_service USING ((account_id = public.current_account()));

CREATE POLICY own_account ON public.operator_roles FOR SELECT TO tributary_service USING ((account_id = public.current_account()));

CREATE POLICY own_entry ON public.audit_intake FOR INSERT TO tributary_service WITH CHECK (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_entry ON public.audit_texts FOR INSERT TO tributary_service WITH CHECK (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_key ON public.api_keys TO tributary_service USING ((hash = public.current_credential()));

CREATE POLICY own_link ON public.connect_links FOR SELECT TO tributary_service USING (((link_hash = public.current_credential()) OR (state_hash = public.current_credential())));

CREATE POLICY own_link ON public.roster_invitations FOR SELECT TO tributary_service USING ((link_hash = public.current_credential()));

CREATE POLICY own_link ON public.roster_members FOR SELECT TO tributary_service USING ((link_hash = public.current_credential()));

CREATE POLICY own_tenant ON public.accepted_hours TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.access_records FOR SELECT TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.account_usage TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.audit_log FOR SELECT TO tributary_service USING (((account_id = public.current_account()) AND (COALESCE(environment, public.current_environment()) = public.current_environment())));

CREATE POLICY own_tenant ON public.audit_texts FOR SELECT TO tributary_service USING (((account_id = public.current_account()) AND (COALESCE(environment, public.current_environment()) = public.current_environment())));

CREATE POLICY own_tenant ON public.connect_links TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.connections TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.deliveries TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.device_counts TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.erasures TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.events TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.feed TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.feed_heads TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.mails TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.mobile_tokens TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.roster_invitations TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.roster_members TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.sdk_session_requests TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.sdk_sessions TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.user_counts TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.users TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_tenant ON public.webhooks TO tributary_service USING (((account_id = public.current_account()) AND (environment = public.current_environment())));

CREATE POLICY own_user ON public.canonical_months TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.canonical_sleep TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.canonical_workouts TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.dead_letters TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.device_days TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.device_records TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.device_sleep TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.device_workouts TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.devices TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.pending_batches TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.raw_batches TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.receipts TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.sample_chunks TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.score_days TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.stale_scores TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_user ON public.sync_runs FOR SELECT TO tributary_service USING ((user_id = public.current_user_id()));

CREATE POLICY own_users ON public.sdk_sessions FOR SELECT TO tributary_service USING ((user_id = ANY (( SELECT public.current_user_ids() AS current_user_ids)::uuid[])));

ALTER TABLE public.pending_batches ENABLE ROW LEVEL SECURITY;

CREATE POLICY presented ON public.mobile_tokens TO tributary_service USING ((hash = public.current_credential())) WITH CHECK (false);

CREATE POLICY presented ON public.sdk_sessions TO tributary_service USING (((client_token_hash = public.current_credential()) OR (refresh_family_hash = public.current_credential()))) WITH CHECK (false);

ALTER TABLE public.provider_pushes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.raw_batches ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.raw_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.receipts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.roster_invitations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.roster_members ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sample_chunks ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.score_days ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sdk_session_requests ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sdk_sessions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stale_scores ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sync_notices ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sync_runs ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.user_counts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.users ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhooks ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA auth TO tributary_sign_in;
GRANT USAGE ON SCHEMA auth TO tributary_operator;

GRANT USAGE ON SCHEMA public TO tributary_service;
GRANT USAGE ON SCHEMA public TO tributary_operator;

REVOKE ALL ON FUNCTION public.maintain_access_records(retention_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.maintain_access_records(retention_days integer) TO tributary_operator;

REVOKE ALL ON FUNCTION public.tend_feed(retention_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.tend_feed(retention_days integer) TO tributary_operator;

GRANT SELECT ON TABLE public.clock_offset TO tributary_service;
GRANT SELECT ON TABLE public.clock_offset TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.authenticators TO tributary_sign_in;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.authenticators TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.credentials TO tributary_sign_in;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.credentials TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.operators TO tributary_sign_in;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.operators TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.sessions TO tributary_sign_in;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.sessions TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.verifications TO tributary_sign_in;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE auth.verifications TO tributary_operator;

GRANT SELECT ON TABLE public.accepted_hours TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accepted_hours TO tributary_operator;

GRANT SELECT ON TABLE public.access_records TO tributary_service;
GRANT SELECT,INSERT ON TABLE public.access_records TO tributary_operator;

GRANT SELECT ON TABLE public.account_usage TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account_usage TO tributary_operator;

GRANT SELECT ON TABLE public.accounts TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.accounts TO tributary_operator;

GRANT SELECT ON TABLE public.api_keys TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_keys TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.audit_heads TO tributary_operator;

GRANT INSERT ON TABLE public.audit_intake TO tributary_service;
GRANT SELECT,INSERT,DELETE ON TABLE public.audit_intake TO tributary_operator;

GRANT SELECT ON TABLE public.audit_log TO tributary_service;
GRANT SELECT,INSERT ON TABLE public.audit_log TO tributary_operator;

GRANT SELECT,INSERT ON TABLE public.audit_texts TO tributary_service;
GRANT SELECT,INSERT,DELETE ON TABLE public.audit_texts TO tributary_operator;

GRANT SELECT ON TABLE public.canonical_months TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.canonical_months TO tributary_operator;

GRANT SELECT ON TABLE public.canonical_sleep TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.canonical_sleep TO tributary_operator;

GRANT SELECT ON TABLE public.canonical_workouts TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.canonical_workouts TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.connect_links TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connect_links TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connection_streams TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.connections TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connections TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.dead_letters TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.deliveries TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.deliveries TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.device_counts TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.device_counts TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.device_days TO tributary_operator;
GRANT SELECT ON TABLE public.device_days TO tributary_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.device_records TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.device_sleep TO tributary_operator;
GRANT SELECT ON TABLE public.device_sleep TO tributary_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.device_workouts TO tributary_operator;
GRANT SELECT ON TABLE public.device_workouts TO tributary_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.devices TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.devices TO tributary_operator;

GRANT INSERT ON TABLE public.erasures TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erasures TO tributary_operator;

GRANT INSERT ON TABLE public.events TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.events TO tributary_operator;

GRANT SELECT ON TABLE public.feed TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feed TO tributary_operator;

GRANT SELECT ON TABLE public.feed_heads TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.feed_heads TO tributary_operator;

GRANT SELECT,INSERT ON TABLE public.key_store TO tributary_operator;

GRANT SELECT,INSERT ON TABLE public.mails TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mails TO tributary_operator;

GRANT SELECT,INSERT,DELETE ON TABLE public.mobile_tokens TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mobile_tokens TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.operator_addresses TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.operator_links TO tributary_operator;

GRANT SELECT(id) ON TABLE public.operator_links TO tributary_service;

GRANT SELECT(account_id) ON TABLE public.operator_links TO tributary_service;

GRANT SELECT(kind) ON TABLE public.operator_links TO tributary_service;

GRANT SELECT(email) ON TABLE public.operator_links TO tributary_service;

GRANT SELECT(role) ON TABLE public.operator_links TO tributary_service;

GRANT SELECT(invited_by) ON TABLE public.operator_links TO tributary_service;

GRANT SELECT(status) ON TABLE public.operator_links TO tributary_service;

GRANT SELECT(created_at) ON TABLE public.operator_links TO tributary_service;

GRANT SELECT(expires_at) ON TABLE public.operator_links TO tributary_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.operator_roles TO tributary_operator;
GRANT SELECT ON TABLE public.operator_roles TO tributary_service;

GRANT USAGE ON SEQUENCE public.pending_order TO tributary_service;
GRANT USAGE ON SEQUENCE public.pending_order TO tributary_operator;

GRANT SELECT,INSERT ON TABLE public.pending_batches TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.pending_batches TO tributary_operator;

GRANT SELECT ON TABLE public.provider_apps TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.provider_apps TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.provider_limits TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.provider_limits TO tributary_operator;

GRANT INSERT ON TABLE public.provider_pushes TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.provider_pushes TO tributary_operator;

GRANT SELECT ON TABLE public.push_set_ups TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.push_set_ups TO tributary_operator;

GRANT SELECT,INSERT ON TABLE public.raw_batches TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.raw_batches TO tributary_operator;

GRANT SELECT,UPDATE ON TABLE public.raw_encryption TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.raw_keys TO tributary_operator;

GRANT SELECT ON TABLE public.receipts TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.receipts TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.roster_invitations TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.roster_invitations TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.roster_members TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.roster_members TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sample_chunks TO tributary_operator;
GRANT SELECT ON TABLE public.sample_chunks TO tributary_service;

GRANT SELECT ON TABLE public.schema_migrations TO tributary_operator;

GRANT SELECT ON TABLE public.score_days TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.score_days TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.sdk_session_requests TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sdk_session_requests TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.sdk_sessions TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sdk_sessions TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_attempts TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_failures TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_secrets TO tributary_operator;

GRANT SELECT ON TABLE public.signing_keys TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.signing_keys TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.spent_codes TO tributary_operator;

GRANT SELECT ON TABLE public.stale_scores TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stale_scores TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_notices TO tributary_operator;

GRANT SELECT ON TABLE public.sync_runs TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_runs TO tributary_operator;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.token_renewals TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.user_counts TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.user_counts TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.users TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.users TO tributary_operator;

GRANT SELECT,INSERT,UPDATE ON TABLE public.webhooks TO tributary_service;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks TO tributary_operator;
