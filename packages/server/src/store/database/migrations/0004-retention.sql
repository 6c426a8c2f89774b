-- How long things stay, and what makes sure that they go.

-- Raw batches are pruned some day. From then on a user's raw is complete only for what has arrived since.
ALTER TABLE users ADD COLUMN raw_complete_since timestamptz; -- null: nothing was pruned
-- Batches lie in their order of arrival. This finds the old ones and costs an upload next to nothing.
CREATE INDEX raw_batches_by_arrival ON raw_batches USING brin (received_at) WITH (pages_per_range = 32, autosummarize = on);

-- What still has to go, for who looks after work that lost its job.
CREATE INDEX erasures_unfinished ON erasures (requested_at) WHERE finished_at IS NULL;
CREATE INDEX devices_removed ON devices (removed_at) WHERE removed_at IS NOT NULL;

-- Users that were deleted before there were erasures.
INSERT INTO erasures (user_id, account_id, environment, requested_at)
SELECT id, account_id, environment, coalesce(deleted_at, tributary_now()) FROM users WHERE status = 'deleting'
ON CONFLICT (user_id) DO NOTHING;
