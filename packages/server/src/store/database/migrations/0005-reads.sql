-- What reads and consolidation settings need.

-- How a user's devices are made one, as far as it differs from the catalog:
-- {"providers": {provider: false}, "metrics": {key: {"method": …, "providers": {provider: false}}}}
ALTER TABLE users ADD COLUMN consolidation jsonb NOT NULL DEFAULT '{}';

-- Goes up with every change that an answer about the user may depend on, so that a reader who has the answer can be told so without
-- looking at data. Whoever changes answers in other tables touches the row of the user in the same transaction.
ALTER TABLE users ADD COLUMN data_version bigint NOT NULL DEFAULT 0;
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN NEW.data_version := OLD.data_version + 1; RETURN NEW; END $$;
CREATE TRIGGER users_count_version BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION count_version();

-- Timeseries, sources and explanations look at what the devices said; the wall of the user stands before each of these tables already.
GRANT SELECT ON sample_chunks, device_days, device_sleep, device_workouts TO tributary_service;
