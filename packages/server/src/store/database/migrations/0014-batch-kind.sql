-- Whether a raw batch is an upload of the Mobile SDK or holds documents of a provider. Null in rows that a node of an earlier version wrote,
-- before this migration or beside it during a rolling upgrade: ingest infers those from the payload, which SQL cannot read.
-- The constraint is not validated, because that would scan the table under an exclusive lock; every existing row is null and passes.
ALTER TABLE raw_batches
  ADD COLUMN kind text,
  ADD CONSTRAINT raw_batches_kind CHECK (kind IN ('upload', 'documents')) NOT VALID;
