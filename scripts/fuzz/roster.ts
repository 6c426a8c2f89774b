import type { Queryable } from '@tributary/server/testing/database';
import { formatId, parseId } from '@tributary/server/testing/ids';
import type { Random } from '@tributary/rig';
import type { FuzzRequest } from './request.ts';
import type { Tenant } from './tenant.ts';

/** Changes a request about the roster so that it refers to an existing invitation or member, has a sensible body, and uses a live key. */
export function makeSensibleRoster(request: FuzzRequest, path: string, random: Random, tenant: Tenant): void {
  const owner = tenant.live ?? tenant;
  request.headers['authorization'] = `Bearer ${owner.key}`;
  const ids = path.includes('/invitations') ? owner.invitations : owner.members;
  // The first one is never removed, so that one always exists.
  const isRemoval = request.method === 'DELETE';
  request.path = path.replace('{id}', random.pick(isRemoval ? ids.slice(1) : ids.slice(0, 1)));
  request.query = request.query.filter(([name]) => name === 'limit'); // known cursors belong to lists of users
  if (request.operationId !== 'createRosterInvitation') return;
  request.body = {
    email: `${random.word(12)}@example.com`,
    name: random.pick([null, 'Žofie', "o'hara", '<b>', '👩‍🔬']),
    ...random.pick([{}, { user_id: random.pick(owner.users) }, { reference_id: random.word(20) }]),
  };
}

const each = 6;

/** Inserts declined invitations, and members who are users of the tenant, with SQL. */
export async function insertRoster(
  operator: Queryable,
  newId: () => string,
  tenants: Tenant[],
): Promise<void> {
  for (const tenant of tenants) {
    const userId = parseId('user', tenant.users[0]!);
    for (let at = 0; at < each; at += 1) {
      const [invitation, member, mail] = [newId(), newId(), newId()];
      const link = 'sha256(gen_random_uuid()::text::bytea), 1';
      await operator.query({
        text: `WITH u AS (SELECT account_id, environment FROM users WHERE id = $1), m AS (
           INSERT INTO roster_members (id, account_id, environment, user_id, born, email, status, joined_at, link_hash, link_key_version)
           SELECT $2::uuid, account_id, environment, gen_random_uuid(), false, $2::uuid || '@example.com', 'active', now(), ${link} FROM u
         ), i AS (
           INSERT INTO roster_invitations (id, account_id, environment, email, user_id, kind, status, created_at, expires_at, ended_at,
             link_hash, link_key_version)
           SELECT $3::uuid, account_id, environment, $3::uuid || '@example.com', gen_random_uuid(), 'new', 'declined', now(), now(), now(), ${link}
           FROM u RETURNING id, user_id
         )
         INSERT INTO mails (id, account_id, environment, kind, invitation_id, user_id, status, created_at, ended_at)
         SELECT $4::uuid, account_id, environment, 'invitation', i.id, i.user_id, 'sent', now(), now() FROM u, i`,
        values: [userId, member, invitation, mail],
      });
      tenant.members.push(formatId('mem', member));
      tenant.invitations.push(formatId('inv', invitation));
    }
  }
}
