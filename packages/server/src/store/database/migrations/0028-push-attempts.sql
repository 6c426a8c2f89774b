-- A push that cannot be processed waits for its next attempt and lets others pass.
ALTER TABLE provider_pushes
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  ADD COLUMN retry_at timestamptz;
