-- The team roster: people who were asked by mail whether an organization may read their data, and what they answered.

-- Who asks, in the words that people see; without a name nobody is asked. And where people can write to.
ALTER TABLE accounts
  ADD COLUMN organization_name text CHECK (char_length(organization_name) BETWEEN 1 AND 100),
  ADD COLUMN contact_email text CHECK (char_length(contact_email) BETWEEN 3 AND 254);

-- A user who came by an invitation and whose organization reads it no more is withdrawn: out of sight, with all data kept for the person.
ALTER TABLE users DROP CONSTRAINT users_status_check;
ALTER TABLE users ADD CONSTRAINT users_status_check CHECK (status IN ('active', 'withdrawn', 'deleting'));
CREATE FUNCTION count_returned_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_counts AS c (account_id, environment, slot, active)
  VALUES (NEW.account_id, NEW.environment, user_slot(NEW.id), 1)
  ON CONFLICT (account_id, environment, slot) DO UPDATE SET active = c.active + 1;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_returned AFTER UPDATE ON users
  FOR EACH ROW WHEN (OLD.status <> 'active' AND NEW.status = 'active') EXECUTE FUNCTION count_returned_user();

-- Members. The user of one who was `born` here exists by the person's consent; any other is the organization's own.
CREATE TABLE roster_members (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  user_id uuid NOT NULL,
  born boolean NOT NULL,
  -- Emptied when a member is removed who could not come back to a user of their own.
  email text CHECK (char_length(email) BETWEEN 3 AND 254),
  name text CHECK (char_length(name) BETWEEN 1 AND 200),
  status text NOT NULL CHECK (status IN ('active', 'archived', 'removed')),
  joined_at timestamptz NOT NULL,
  archived_at timestamptz,
  removed_at timestamptz,
  -- Of the link by which the person leaves.
  link_hash bytea NOT NULL UNIQUE CHECK (length(link_hash) = 32),
  link_key_version smallint NOT NULL,
  CHECK ((status = 'archived') = (archived_at IS NOT NULL)),
  CHECK ((status = 'removed') = (removed_at IS NOT NULL)),
  CHECK (status = 'removed' OR email IS NOT NULL)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE UNIQUE INDEX roster_members_by_email ON roster_members (account_id, environment, lower(email)) WHERE status <> 'removed';
CREATE UNIQUE INDEX roster_members_by_user ON roster_members (user_id) WHERE status <> 'removed';
CREATE INDEX roster_members_newest_first ON roster_members (account_id, environment, id DESC) WHERE status <> 'removed';
CREATE INDEX roster_members_removed ON roster_members (account_id, environment, lower(email)) WHERE status = 'removed';
CREATE INDEX roster_members_of_user ON roster_members (user_id);

-- Invitations. One that is pending past its end counts as expired; it is marked as such when another takes its place.
CREATE TABLE roster_invitations (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
  name text CHECK (char_length(name) BETWEEN 1 AND 200),
  -- Whose data it is about: a user of the organization, one who comes back, or one who will be made when the person accepts.
  user_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('existing', 'returning', 'new')),
  -- The reference that the user gets; the id of the invitation where none was asked for.
  reference_id text CHECK (char_length(reference_id) BETWEEN 1 AND 255),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'declined', 'revoked', 'expired')),
  member_id uuid REFERENCES roster_members,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  link_hash bytea NOT NULL UNIQUE CHECK (length(link_hash) = 32),
  link_key_version smallint NOT NULL,
  CHECK ((status = 'pending') = (ended_at IS NULL)),
  CHECK ((status = 'accepted') = (member_id IS NOT NULL))
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE UNIQUE INDEX roster_invitations_by_email ON roster_invitations (account_id, environment, lower(email)) WHERE status = 'pending';
CREATE UNIQUE INDEX roster_invitations_by_user ON roster_invitations (user_id) WHERE status = 'pending';
CREATE INDEX roster_invitations_newest_first ON roster_invitations (account_id, environment, id DESC);
CREATE INDEX roster_invitations_of_user ON roster_invitations (user_id);
CREATE INDEX roster_invitations_of_member ON roster_invitations (member_id);

-- Mail that is to be sent, or was. What it says is made when it is sent: no link with its secret lies here.
CREATE TABLE mails (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
  -- invitation: please answer; welcome: you accepted, and this is how to leave.
  kind text NOT NULL CHECK (kind IN ('invitation', 'welcome')),
  invitation_id uuid NOT NULL REFERENCES roster_invitations ON DELETE CASCADE,
  user_id uuid NOT NULL,
  -- failed: the mail server refused it for good; cancelled: there was no reason to send it any more.
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'failed', 'cancelled')),
  -- What the mail server said when it refused: a code such as 550, never its text.
  refusal text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  UNIQUE (invitation_id, kind),
  CHECK ((status = 'waiting') = (ended_at IS NULL))
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX mails_of_user ON mails (user_id);

GRANT SELECT, INSERT, UPDATE ON roster_members, roster_invitations TO tributary_service;
GRANT SELECT, INSERT ON mails TO tributary_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON roster_members, roster_invitations, mails TO tributary_operator;
DO $$
DECLARE
  walled text;
BEGIN
  FOREACH walled IN ARRAY ARRAY['roster_members', 'roster_invitations', 'mails'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format('CREATE POLICY operator ON %I TO tributary_operator USING (true) WITH CHECK (true)', walled);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO tributary_service
      USING (account_id = current_account() AND environment = current_environment())', walled);
  END LOOP;
END
$$;
-- Whoever presents a link may see the row of that link: this is how its tenant becomes known.
CREATE POLICY own_link ON roster_members FOR SELECT TO tributary_service USING (link_hash = current_credential());
CREATE POLICY own_link ON roster_invitations FOR SELECT TO tributary_service USING (link_hash = current_credential());
