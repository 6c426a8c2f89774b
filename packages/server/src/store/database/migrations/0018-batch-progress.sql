-- How far a batch was processed whose work takes several transactions: all items, items done, and the counts so far (new, updated, duplicate, deleted).
ALTER TABLE pending_batches ADD COLUMN progress integer[];
