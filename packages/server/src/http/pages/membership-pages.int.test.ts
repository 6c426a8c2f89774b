import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretToken } from '../../credentials/secret-token.ts';
import { startPagesApp, type PagesApp } from '../../test/pages-app.ts';

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

/** Someone who accepted: the member, its user, and the path of the link to leave. */
async function join(person: { email?: string; user_id?: string } = {}): Promise<Member> {
  const { body } = await app.post((await app.invite(person)).path, { answer: 'accept' });
  const [, path] = /href="(\/memberships\/ml_\w+)"/.exec(body) ?? [];
  const [member] = (await app.request('GET', '/v1/team/roster')).body.data;
  return { id: member.id, userId: member.user_id, path: path! };
}

async function createUser(referenceId: string): Promise<string> {
  return (await app.request('POST', '/v1/users', { body: { reference_id: referenceId } })).body.data.id;
}

const look = (path: string) => app.request('GET', path, { key: '' });
const readUser = async (id: string) => (await app.request('GET', `/v1/users/${id}`)).status;
const erase = { action: 'leave_and_erase', confirm: 'yes' };

function headingOf(page: string): string {
  const [, heading = ''] = /<h1>([\s\S]*?)<\/h1>/.exec(page) ?? [];
  return heading.replaceAll(/<[^>]+>/g, '').trim();
}

describe('200', () => {
  test('the page says with whom data is shared, and since when', async () => {
    const { path } = await join({ email: 'grace@example.com' });
    const { status, body } = await look(path);
    expect([status, headingOf(body)]).toEqual([200, 'You share your health data with Demo Health']);
    expect(body).toMatch(/<time datetime="[\d-]+T[\d:.]+Z">\d+ \w+ \d{4}<\/time>/);
    expect(body).toContain('grace@example.com');
    expect(body).toContain('value="leave"');
    expect(body).toContain('value="leave_and_erase"');
  });

  test('leaving takes the data out of sight, and keeps it for the person', async () => {
    const { path, userId } = await join();
    expect(await readUser(userId)).toBe(200);
    const { status, body } = await app.post(path, { action: 'leave' });
    expect([status, headingOf(body)]).toEqual([200, 'You no longer share your health data with Demo Health']);
    expect(body).toContain('It is kept for you');
    expect(await readUser(userId)).toBe(404);
  });

  test('leaving and erasing ends both', async () => {
    const { path, userId } = await join();
    const { status, body } = await app.post(path, erase);
    expect([status, headingOf(body)]).toEqual([200, 'Your health data is erased']);
    expect(await readUser(userId)).toBe(404);
    const { rows } = await app.admin.query(`SELECT FROM erasures WHERE finished_at IS NULL`);
    expect(rows).toHaveLength(1);
  });

  test('who has left can still have everything erased', async () => {
    const { path } = await join();
    await app.post(path, { action: 'leave' });
    expect((await look(path)).status).toBe(200);
    const { status, body } = await app.post(path, erase);
    expect([status, headingOf(body)]).toEqual([200, 'Your health data is erased']);
  });

  test('an archived member is told so', async () => {
    const { id, path } = await join();
    await app.request('PATCH', `/v1/team/roster/${id}`, { body: { status: 'archived' } });
    expect((await look(path)).body).toContain('has put you in its archive; it can still read your data.');
  });

  test("data that is the organization's own is left with it, and said to be", async () => {
    const userId = await createUser('own-1');
    const { path } = await join({ user_id: userId });
    expect((await look(path)).body).not.toContain('leave_and_erase');
    const { status, body } = await app.post(path, { action: 'leave' });
    expect([status, headingOf(body)]).toEqual([200, 'You are no longer a member of Demo Health']);
    expect(body).toContain('still has the data that it collected itself');
    expect(await readUser(userId)).toBe(200);
  });

  test('looking changes nothing', async () => {
    const { path, userId } = await join();
    for (const method of ['GET', 'HEAD'])
      expect((await app.request(method, `${path}?action=leave`, { key: '' })).status).toBe(200);
    expect(await readUser(userId)).toBe(200);
  });
});

describe('400', () => {
  test('erasing without the tick asks for it, and changes nothing', async () => {
    const { path, userId } = await join();
    for (const confirm of ['', 'no']) {
      const { status, body } = await app.post(path, { action: 'leave_and_erase', confirm });
      expect(status).toBe(400);
      expect(body).toMatch(/role="alert"[^>]*><b>Nothing was erased yet\.<\/b> Tick the box/);
    }
    expect(await readUser(userId)).toBe(200);
  });

  test.each(['', 'erase', 'accept'])('the action %j changes nothing', async (action) => {
    const { path, userId } = await join();
    const { status, body } = await app.post(path, { action, confirm: 'yes' });
    expect([status, headingOf(body)]).toEqual([400, 'We could not read this answer']);
    expect(await readUser(userId)).toBe(200);
  });
});

test.each([
  `/memberships/${createSecretToken('ml_')}`,
  `/memberships/${createSecretToken('il_')}`,
  '/memberships/nonsense',
])('404: %s', async (path) => {
  for (const { status, body } of [await look(path), await app.post(path, erase)])
    expect([status, headingOf(body)]).toEqual([404, 'We do not know this link']);
});

describe('409', () => {
  test("what is the organization's own cannot be erased here, and nobody leaves by trying", async () => {
    const userId = await createUser('own-2');
    const { path } = await join({ user_id: userId });
    const { status, body } = await app.post(path, erase);
    expect([status, headingOf(body)]).toEqual([409, 'This data cannot be erased here']);
    expect(headingOf((await look(path)).body)).toBe('You share your health data with Demo Health');
    expect(await readUser(userId)).toBe(200);
  });

  test('a link from before cannot erase what is shared again', async () => {
    const before = await join({ email: 'again@example.com' });
    await app.post(before.path, { action: 'leave' });
    const { userId } = await join({ email: 'again@example.com' });
    const { status, body } = await app.post(before.path, erase);
    expect([status, headingOf(body)]).toEqual([409, 'This link is from an earlier membership']);
    expect(await readUser(userId)).toBe(200);
  });
});

describe('410', () => {
  test('leaving twice shows what became of the first time', async () => {
    const { path } = await join();
    await app.post(path, { action: 'leave' });
    const { status, body } = await app.post(path, { action: 'leave' });
    expect([status, headingOf(body)]).toEqual([410, 'You no longer share your health data with Demo Health']);
  });

  test('erasing twice, too', async () => {
    const { path } = await join();
    await app.post(path, erase);
    for (const { status, body } of [await look(path), await app.post(path, erase)])
      expect([status, headingOf(body)]).toEqual([410, 'Your health data is erased']);
  });
});
