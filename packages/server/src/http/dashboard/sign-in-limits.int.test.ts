import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createJoinLink } from '../../services/operators/invite-colleague.ts';
import { preparePasswordReset } from '../../services/operators/passwords.ts';
import { hashEmail } from '../../services/operators/sign-in.ts';
import { deriveLinkToken } from '../../credentials/link-token.ts';
import { insertAddress } from '../../store/accounts/operator-addresses.ts';
import { testActor } from '../../test/acting.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { entriesDuring } from '../../test/audit.ts';
import { joinAs, TestBrowser, testPassword, tokenOf } from '../../test/data/operators.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    ADDRESS_LIMIT_PER_SECOND: '1000',
    ADDRESS_LIMIT_BURST: '10000',
    TRUST_PROXY: '127.0.0.1',
  });
});
afterAll(() => app[Symbol.asyncDispose]());

let addresses = 0;
/** An address that no test has used before. */
const freshAddress = () => `198.51.${Math.floor((addresses += 1) / 250)}.${(addresses % 250) + 1}`;

function signIn(email: string, password: string, address: string) {
  const headers = { 'x-forwarded-for': address };
  return new TestBrowser(app).call('POST', '/sign-in', { email, password }, headers);
}

/** A dashboard user who has signed in from an address of their own. */
async function withAddress(): Promise<{ email: string; home: string; browser: TestBrowser }> {
  const home = freshAddress();
  const email = `owner-${home}@example.com`;
  const link = { accountId: app.account.uuid, email, role: 'owner' } as const;
  const token = tokenOf(await createJoinLink(app.ctx, testActor, link));
  const browser = new TestBrowser(app);
  const form = { token, name: 'Ada', password: testPassword };
  expect((await browser.call('POST', '/join', form, { 'x-forwarded-for': home })).status).toBe(204);
  return { email, home, browser };
}

/** Sets the failures in a row of everything that is counted, with an open wait of some seconds. */
const setFailures = (failures: number, waitSeconds = 0) =>
  app.admin.query(
    `UPDATE sign_in_attempts SET failures = $1, last_at = now(), open_at = now() + $2 * interval '1 second'`,
    [failures, waitSeconds],
  );

const wrong = 'wrong wrong wrong';

/** How many of these concurrent attempts had their password checked, and how many may have been: the waits of 1, 2, 4 seconds may have passed. */
async function runAtOnce(attempts: () => Promise<{ status: number }>[], free: number) {
  const started = performance.now();
  const statuses = (await Promise.all(attempts())).map(({ status }) => status);
  const seconds = (performance.now() - started) / 1_000;
  // On a busy machine, some attempts find no free connection.
  expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
  const checked = statuses.filter((status) => status === 401).length;
  expect(checked).toBeGreaterThan(0);
  expect(checked).toBeLessThanOrEqual(free + Math.floor(Math.log2(seconds + 1)));
}

describe('wrong passwords', () => {
  test('are checked five times before the first wait, even in thirty concurrent attempts from as many addresses', async () => {
    const { email } = await withAddress();
    await runAtOnce(() => Array.from({ length: 30 }, () => signIn(email, wrong, freshAddress())), 5);
  });

  test('slow down further attempts, up to 15 minutes', async () => {
    const { email } = await withAddress();
    await signIn(email, wrong, freshAddress());
    const waits: number[] = [];
    for (const failures of [9, 12, 15, 400]) {
      await setFailures(failures);
      expect((await signIn(email, wrong, freshAddress())).status).toBe(401);
      const refused = await signIn(email, testPassword, freshAddress());
      expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
      waits.push(Number(refused.headers.get('retry-after')));
    }
    for (const [at, longest] of [32, 256, 900, 900].entries()) {
      expect(waits[at]).toBeLessThanOrEqual(longest);
      expect(waits[at]).toBeGreaterThan(longest - 20);
    }
    // A refused attempt does not prolong the wait.
    await setFailures(8, 300);
    const before = await signIn(email, wrong, freshAddress());
    const after = await signIn(email, wrong, freshAddress());
    expect(Number(after.headers.get('retry-after'))).toBeLessThanOrEqual(
      Number(before.headers.get('retry-after')),
    );
    const { rows } = await app.admin.query('SELECT max(failures) AS most FROM sign_in_attempts');
    expect(rows).toEqual([{ most: 8 }]);
    await setFailures(8);
    expect((await signIn(email, testPassword, freshAddress())).status).toBe(200);
  });

  test('of others do not slow down a dashboard user at an address where they have signed in', async () => {
    const { email, home } = await withAddress();
    await signIn(email, wrong, freshAddress());
    await setFailures(1_000, 900);
    expect((await signIn(email, testPassword, freshAddress())).status).toBe(429);
    expect((await signIn(email, testPassword, home)).status).toBe(200);
    // The sign-in at home does not help the attacker.
    expect((await signIn(email, testPassword, freshAddress())).status).toBe(429);
  });

  test('at a known address delay for a minute at most', async () => {
    const { email, home } = await withAddress();
    await signIn(email, wrong, home);
    await setFailures(1_000);
    expect((await signIn(email, wrong, home)).status).toBe(401);
    const refused = await signIn(email, testPassword, home);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await setFailures(1_000);
    expect((await signIn(email, testPassword, home)).status).toBe(200);
  });

  test('for many email addresses slow down the address they come from, and only that one', async () => {
    const attacker = freshAddress();
    const spray = () =>
      Array.from({ length: 30 }, (_, at) => signIn(`victim-${at}@example.com`, wrong, attacker));
    await runAtOnce(spray, 20);
    await setFailures(30, 600);
    const { email, home } = await withAddress();
    expect((await signIn(email, testPassword, attacker)).status).toBe(429);
    expect((await signIn(email, testPassword, home)).status).toBe(200);
    expect((await signIn(email, testPassword, freshAddress())).status).toBe(200);
  });

  test('cannot be cleared for an address by signing in with a password of one’s own', async () => {
    const attacker = freshAddress();
    const own = await withAddress();
    await signIn('other-1@example.com', wrong, attacker);
    await setFailures(26);
    expect((await signIn(own.email, testPassword, attacker)).status).toBe(200);
    await setFailures(26);
    expect((await signIn('other-2@example.com', wrong, attacker)).status).toBe(401);
    expect((await signIn('other-3@example.com', wrong, attacker)).status).toBe(429);
  });

  test('from one IPv6 /64 count as one address', async () => {
    await signIn('sixth-1@example.com', wrong, '2001:db8:7:7::1');
    await setFailures(30, 600);
    expect((await signIn('sixth-2@example.com', wrong, '2001:db8:7:7:8::2')).status).toBe(429);
    expect((await signIn('sixth-3@example.com', wrong, '2001:db8:7:8::1')).status).toBe(401);
    // A dashboard user is known at all addresses of the block that they signed in from.
    const { email } = await withAddress();
    await setFailures(0);
    expect((await signIn(email, testPassword, '2001:db8:9:9::1')).status).toBe(200);
    await signIn(email, wrong, freshAddress());
    await setFailures(30, 600);
    expect((await signIn(email, testPassword, '2001:db8:9:9:1:2:3:4')).status).toBe(200);
    expect((await signIn(email, testPassword, '2001:db8:9:a::1')).status).toBe(429);
  });

  test('from clients that claim another address count for their own', async () => {
    const direct = await startTestApp({ TRUST_PROXY: '' });
    try {
      const email = 'claimed@example.com';
      const statuses: number[] = [];
      for (const at of Array.from({ length: 3 }).keys()) {
        const headers = { 'x-forwarded-for': `203.0.113.${at}` };
        const response = await new TestBrowser(direct).call(
          'POST',
          '/sign-in',
          { email, password: wrong },
          headers,
        );
        statuses.push(response.status);
        await direct.admin.query(
          `UPDATE sign_in_attempts SET failures = 30, open_at = now() + interval '10 minutes'`,
        );
      }
      expect(statuses).toEqual([401, 429, 429]);
    } finally {
      await direct[Symbol.asyncDispose]();
    }
  });

  test('give the same responses for an unknown email address', async () => {
    const { email } = await withAddress();
    const series = async (address: string) => {
      const seen: unknown[] = [];
      for (const failures of [0, 4, 9]) {
        await setFailures(failures);
        const { status, body } = await signIn(address, wrong, freshAddress());
        seen.push([status, body.error, body.message]);
      }
      await setFailures(20, 840);
      const { status, body } = await signIn(address, wrong, freshAddress());
      return [...seen, [status, body.error, body.message]];
    };
    const responses = await series(email);
    expect(responses).toEqual(await series('unknown@example.com'));
    expect(responses.at(-1)).toEqual([
      429,
      'rate_limited',
      'Too many incorrect passwords. Wait 14 minutes, or reset your password.',
    ]);
  });

  test('ten in a row are recorded and reported by mail once, and sessions continue', async () => {
    const { email, browser } = await withAddress();
    const { entries } = await entriesDuring(app, async () => {
      await signIn(email, wrong, freshAddress());
      for (const failures of [8, 9, 10]) {
        await setFailures(failures);
        expect((await signIn(email, wrong, freshAddress())).status).toBe(401);
      }
      await expect.poll(mailsOf, { timeout: 5_000 }).toBe(1);
    });
    expect(entries.map(({ action }) => action)).toEqual(['operator.sign_in_slowed']);
    expect((await browser.call('GET', '/session')).status).toBe(200);

    async function mailsOf(): Promise<number> {
      const { rows } = await app.admin.query(
        `SELECT count(*)::int AS mails FROM pgboss.job JOIN auth.operators o ON o.id::text = data ->> 'lockedOperatorId'
         WHERE pgboss.job.name = 'send-operator-mail' AND o.email = $1`,
        [email],
      );
      return rows[0].mails;
    }
  });

  test('in an open session count as at sign-in', async () => {
    const { browser, email } = await joinAs(app, 'viewer');
    const guess = () => browser.call('POST', '/authenticator', { password: wrong });
    expect((await guess()).body.error).toBe('wrong_sign_in');
    await setFailures(11);
    expect((await guess()).body.error).toBe('wrong_sign_in');
    expect(await guess()).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
    const right = { current: testPassword, password: 'another long password' };
    expect((await browser.call('POST', '/password', right)).status).toBe(429);
    expect((await browser.call('POST', '/session/confirm', { password: testPassword })).status).toBe(429);
    expect((await signIn(email, testPassword, '127.0.0.1')).status).toBe(429);
  });

  test('start over with a correct one', async () => {
    const { email, home } = await withAddress();
    for (const address of [home, freshAddress()]) {
      await signIn(email, wrong, address);
      await setFailures(11);
      expect((await signIn(email, testPassword, address)).status).toBe(200);
      expect((await signIn(email, wrong, address)).status).toBe(401);
      expect((await signIn(email, testPassword, address)).status).toBe(200);
    }
  });

  test('do not matter after a password reset, at the address of the reset', async () => {
    const { email } = await withAddress();
    const elsewhere = freshAddress();
    await signIn(email, wrong, freshAddress());
    await preparePasswordReset(app.ctx, hashEmail(email).toString('hex'));
    const { rows } = await app.admin.query(
      `SELECT id, link_key_version AS "keyVersion" FROM operator_links WHERE kind = 'password' AND email = $1`,
      [email],
    );
    const token = deriveLinkToken(app.ctx.keyring, 'operator', rows[0]);
    const password = 'a quite different password';
    const headers = { 'x-forwarded-for': elsewhere };
    await new TestBrowser(app).call('POST', '/password/reset', { token, password }, headers);
    await signIn(email, wrong, freshAddress());
    await setFailures(30, 600);
    expect((await signIn(email, password, freshAddress())).status).toBe(429);
    expect((await signIn(email, password, elsewhere)).status).toBe(200);
  });

  test('slow down at an address that was last known 90 days ago', async () => {
    const { email, home } = await withAddress();
    await signIn(email, wrong, freshAddress());
    await setFailures(30, 600);
    await app.admin.query(`UPDATE operator_addresses SET signed_in_at = now() - interval '91 days'`);
    expect((await signIn(email, testPassword, home)).status).toBe(429);
  });
});

test('the last twenty addresses of a dashboard user are kept', async () => {
  const { email } = await withAddress();
  const { rows } = await app.admin.query('SELECT id FROM auth.operators WHERE email = $1', [email]);
  for (const at of Array.from({ length: 25 }).keys())
    await insertAddress(app.ctx.operator, rows[0].id, Buffer.from([at]));
  const remaining = await app.admin.query(
    'SELECT address_hash AS hash FROM operator_addresses WHERE operator_id = $1 ORDER BY signed_in_at',
    [rows[0].id],
  );
  expect(remaining.rows.map(({ hash }) => hash[0])).toEqual(Array.from({ length: 20 }, (_, at) => at + 5));
});

describe('a password reset', () => {
  test('runs the same statements for known and unknown addresses, and nothing else before the response', async () => {
    const { email } = await withAddress();
    const forgot = (address: string) =>
      new TestBrowser(app).call('POST', '/password/forgot', { email: address });
    const before = await linkCount();
    const [known, unknown] = [await forgot(email), await forgot('stranger@example.com')];
    expect(known.status).toBe(204);
    expect({ status: unknown.status, body: unknown.body }).toEqual({
      status: known.status,
      body: known.body,
    });
    expect(await linkCount()).toBe(before);
    const { rows } = await app.admin.query(
      `SELECT data FROM pgboss.job WHERE name = 'send-operator-mail' AND data ? 'resetEmailHash'`,
    );
    expect(rows.map(({ data }) => data.resetEmailHash).toSorted()).toEqual(
      [email, 'stranger@example.com'].map((one) => hashEmail(one).toString('hex')).toSorted(),
    );
    expect(JSON.stringify(rows)).not.toContain('@');
  });

  const linkCount = async () =>
    (await app.admin.query(`SELECT count(*)::int AS n FROM operator_links WHERE kind = 'password'`)).rows[0]
      .n;
});
