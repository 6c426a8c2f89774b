import { afterAll, beforeAll, expect, test } from 'vitest';
import { chainAudit } from '../../test/chain-audit.ts';
import { sendInvitationReply, fromHome, invite, startRosterApp } from '../../test/data/roster.ts';
import type { TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startRosterApp();
});
afterAll(() => app[Symbol.asyncDispose]());

test('the organization sees that a person declined but not from which address, which operators can see', async () => {
  const { body: invitation } = await invite(app, { name: 'Ada' });
  await sendInvitationReply(app, invitation.id, 'decline');
  await chainAudit(app);
  const { body } = await app.request('GET', `/v1/audit?target_id=${invitation.id}`);
  const [declined, created] = body.data;
  expect(declined).toMatchObject({
    action: 'roster_invitation.declined',
    actor: { type: 'person', id: invitation.id },
    address: null,
    text: null,
  });
  expect(created.text).toMatchObject({ email: invitation.email, name: 'Ada' });
  expect(JSON.stringify(body)).not.toContain(fromHome.address);
  const { rows } = await app.admin.query(
    `SELECT text ->> 'address' AS address FROM audit_texts WHERE text ->> 'address' IS NOT NULL`,
  );
  expect(rows).toEqual([{ address: fromHome.address }]);
});
