import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretToken } from '../../credentials/secret-token.ts';
import { startPagesApp, type PagesApp } from '../../test/apps/pages-app.ts';

let app: PagesApp;

beforeAll(async () => {
  app = await startPagesApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Member {
  id: string;
  userId: string;
  path: string;
}

/** Creates a person who accepted and returns the member, its user and the path of the membership link. */
async function join(person: { email?: string; user_id?: string } = {}): Promise<Member> {
  const { body } = await app.post((await app.invite(person)).path, { choice: 'accept' });
  const [, path] = /href="(\/memberships\/ml_\w+)"/.exec(body) ?? [];
  const [member] = (await app.request('GET', '/v1/team/roster')).body.data;
  return { id: member.id, userId: member.user_id, path: path! };
}

async function createUser(referenceId: string): Promise<string> {
  return (await app.request('POST', '/v1/users', { body: { reference_id: referenceId } })).body.data.id;
}

const getPage = (path: string) => app.request('GET', path, { key: '' });
const readUser = async (id: string) => (await app.request('GET', `/v1/users/${id}`)).status;
const erase = { action: 'leave_and_erase', confirm: 'yes' };

function headingOf(page: string): string {
  const [, heading = ''] = /<h1>([\s\S]*?)<\/h1>/.exec(page) ?? [];
  return heading.replaceAll(/<[^>]+>/g, '').trim();
}

describe('200', () => {
  test('the page names the organization and the start of sharing', async () => {
    const { path } = await join({ email: 'grace@example.com' });
    const { status, body } = await getPage(path);
    expect([status, headingOf(body)]).toEqual([200, 'You are sharing your health data with Demo Health']);
    expect(body).toMatch(/<time datetime="[\d-]+T[\d:.]+Z">\w+ \d+, \d{4}<\/time>/);
    expect(body).toContain('grace@example.com');
    expect(body).toContain('value="leave"');
    expect(body).toContain('value="leave_and_erase"');
  });

  test('leaving hides the data from the organization and keeps it', async () => {
    const { path, userId } = await join();
    expect(await readUser(userId)).toBe(200);
    const { status, body } = await app.post(path, { action: 'leave' });
    expect([status, headingOf(body)]).toEqual([
      200,
      'You are no longer sharing your health data with Demo Health',
    ]);
    expect(body).toContain('We keep it for you');
    expect(await readUser(userId)).toBe(404);
  });

  test('leaving with erasure ends sharing and deletes the data', async () => {
    const { path, userId } = await join();
    const { status, body } = await app.post(path, erase);
    expect([status, headingOf(body)]).toEqual([200, 'Your health data has been erased']);
    expect(await readUser(userId)).toBe(404);
    const { rows } = await app.admin.query(`SELECT FROM erasures WHERE finished_at IS NULL`);
    expect(rows).toHaveLength(1);
  });

  test('a person who has left can still erase their data', async () => {
    const { path } = await join();
    await app.post(path, { action: 'leave' });
    expect((await getPage(path)).status).toBe(200);
    const { status, body } = await app.post(path, erase);
    expect([status, headingOf(body)]).toEqual([200, 'Your health data has been erased']);
  });

  test('informs an archived member', async () => {
    const { id, path } = await join();
    await app.request('PATCH', `/v1/team/roster/${id}`, { body: { status: 'archived' } });
    expect((await getPage(path)).body).toContain(
      'has archived your membership. It can still read your data.',
    );
  });

  test("keeps the organization's own data and says so", async () => {
    const userId = await createUser('own-1');
    const { path } = await join({ user_id: userId });
    expect((await getPage(path)).body).not.toContain('leave_and_erase');
    const { status, body } = await app.post(path, { action: 'leave' });
    expect([status, headingOf(body)]).toEqual([200, 'You are no longer a member of Demo Health']);
    expect(body).toContain('still has the data that it collected itself');
    expect(await readUser(userId)).toBe(200);
  });

  test('viewing the page changes nothing', async () => {
    const { path, userId } = await join();
    for (const method of ['GET', 'HEAD'])
      expect((await app.request(method, `${path}?action=leave`, { key: '' })).status).toBe(200);
    expect(await readUser(userId)).toBe(200);
  });
});

describe('400', () => {
  test('erasing without the checkbox asks for it and changes nothing', async () => {
    const { path, userId } = await join();
    for (const confirm of ['', 'no']) {
      const { status, body } = await app.post(path, { action: 'leave_and_erase', confirm });
      expect(status).toBe(400);
      expect(body).toMatch(/role="alert"[^>]*><b>Nothing has been erased yet\.<\/b> Check the box/);
    }
    expect(await readUser(userId)).toBe(200);
  });

  test.each(['', 'erase', 'accept'])('the action %j changes nothing', async (action) => {
    const { path, userId } = await join();
    const { status, body } = await app.post(path, { action, confirm: 'yes' });
    expect([status, headingOf(body)]).toEqual([400, 'We could not read your choice']);
    expect(await readUser(userId)).toBe(200);
  });
});

test.each([
  `/memberships/${createSecretToken('ml_')}`,
  `/memberships/${createSecretToken('il_')}`,
  '/memberships/nonsense',
])('returns 404 for %s', async (path) => {
  for (const { status, body } of [await getPage(path), await app.post(path, erase)])
    expect([status, headingOf(body)]).toEqual([404, 'We do not recognize this link']);
});

describe('409', () => {
  test('data of the organization cannot be erased, and the attempt does not end the membership', async () => {
    const userId = await createUser('own-2');
    const { path } = await join({ user_id: userId });
    const { status, body } = await app.post(path, erase);
    expect([status, headingOf(body)]).toEqual([409, 'This data cannot be erased here']);
    expect(headingOf((await getPage(path)).body)).toBe('You are sharing your health data with Demo Health');
    expect(await readUser(userId)).toBe(200);
  });

  test('an old link cannot erase data that is shared again', async () => {
    const before = await join({ email: 'again@example.com' });
    await app.post(before.path, { action: 'leave' });
    const { userId } = await join({ email: 'again@example.com' });
    const { status, body } = await app.post(before.path, erase);
    expect([status, headingOf(body)]).toEqual([409, 'This link is from an earlier membership']);
    expect(await readUser(userId)).toBe(200);
  });
});

describe('410', () => {
  test('leaving a second time shows the earlier outcome', async () => {
    const { path } = await join();
    await app.post(path, { action: 'leave' });
    const { status, body } = await app.post(path, { action: 'leave' });
    expect([status, headingOf(body)]).toEqual([
      410,
      'You are no longer sharing your health data with Demo Health',
    ]);
  });

  test('erasing a second time shows the earlier outcome', async () => {
    const { path } = await join();
    await app.post(path, erase);
    for (const { status, body } of [await getPage(path), await app.post(path, erase)])
      expect([status, headingOf(body)]).toEqual([410, 'Your health data has been erased']);
  });
});
