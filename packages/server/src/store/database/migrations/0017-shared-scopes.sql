-- The categories that a person shares from a provider, as bits like those of raw_batches. The default is every category that no one has to turn on.
-- A link has what the person chose on our page, a connection what applies since the last consent.
ALTER TABLE connections ADD COLUMN scopes smallint NOT NULL DEFAULT 127;
ALTER TABLE connect_links ADD COLUMN scopes smallint NOT NULL DEFAULT 127;
