import { describe, expect, it } from 'vitest';
import type { Lab } from '../../lab-type.ts';
import { receive } from '../test-receiver.ts';
import type { Receiver } from '../test-receiver.ts';
import { call, connect, noon, startWithings } from './test-client.ts';

const hour = 3_600_000;

function posts(receiver: Receiver): URLSearchParams[] {
  return receiver.received
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => new URLSearchParams(body));
}

function subscribe(lab: Lab, token: string, callbackurl: string, appli: number) {
  return call(lab, '/notify', { action: 'subscribe', callbackurl, appli, comment: 'mine' }, token);
}

describe('subscriptions', () => {
  it('are rejected unless the callback accepts HEAD', async () => {
    await using lab = await startWithings();
    await using receiver = await receive();
    const { token } = await connect(lab, 'ada');
    receiver.statuses.splice(0, 1, 404);
    expect(await subscribe(lab, token, receiver.url, 44)).toEqual({ http: 200, status: 293, body: {} });
    expect((await subscribe(lab, token, 'http://127.0.0.1:1/', 44)).status).toBe(293);
    expect((await subscribe(lab, token, 'file:///etc/hosts', 44)).status).toBe(293);
    receiver.statuses.splice(0, 1, 204);
    expect((await subscribe(lab, token, receiver.url, 44)).status).toBe(0);
    expect(receiver.received.map(({ method }) => method)).toEqual(['HEAD', 'HEAD']);
    expect((await subscribe(lab, token, receiver.url, 45)).status).toBe(503);
  });

  it('can be listed, read, updated and revoked for one person only', async () => {
    await using lab = await startWithings();
    await using receiver = await receive();
    const [ada, ben] = [await connect(lab, 'ada'), await connect(lab, 'ben')];
    const notify = (action: string, fields: object, { token } = ada) =>
      call(lab, '/notify', { action, ...fields }, token);
    const mine = { callbackurl: receiver.url, appli: 1 };
    await subscribe(lab, ada.token, receiver.url, 1);
    await subscribe(lab, ada.token, receiver.url, 1);
    await subscribe(lab, ada.token, receiver.url, 44);
    expect((await notify('list', {})).body.profiles).toHaveLength(2);
    expect((await notify('list', {}, ben)).body.profiles).toEqual([]);
    expect((await notify('get', mine)).body).toEqual({ ...mine, comment: 'mine' });
    expect((await notify('get', mine, ben)).status).toBe(293);
    const moved = { callbackurl: `${receiver.url}/moved`, appli: 1 };
    expect((await notify('update', { ...mine, new_callbackurl: moved.callbackurl })).status).toBe(0);
    expect((await notify('list', { appli: 1 })).body.profiles).toEqual([{ ...moved, comment: 'mine' }]);
    expect((await notify('get', mine)).status).toBe(293);
    expect((await notify('revoke', moved)).status).toBe(0);
    expect((await notify('revoke', moved)).status).toBe(293);
    expect((await notify('list', {})).body.profiles).toHaveLength(1);
  });

  it('require the scope of their data', async () => {
    await using lab = await startWithings();
    await using receiver = await receive();
    const { token } = await connect(lab, 'ada', ['user.metrics']);
    expect((await subscribe(lab, token, receiver.url, 44)).status).toBe(214);
    expect((await subscribe(lab, token, receiver.url, 1)).status).toBe(0);
  });
});

describe('notifications', () => {
  it('are forms with a user and a time but no values, and some are sent twice', async () => {
    await using lab = await startWithings();
    await using receiver = await receive();
    const { token, userid } = await connect(lab, 'ada');
    for (const appli of [1, 2, 4, 16, 44, 50, 51]) await subscribe(lab, token, receiver.url, appli);
    await lab.clock.advance(7 * 24 * hour);
    const notifications = posts(receiver);
    expect(new Set(notifications.map((form) => form.get('userid')))).toEqual(new Set([userid]));
    const of = (appli: string) => notifications.filter((form) => form.get('appli') === appli);
    const nights = ['05', '06', '07', '08', '09', '10', '11'].flatMap(
      (day) => lab.truth('ada', `2026-05-${day}`).sleeps,
    );
    for (const { start, end } of nights.filter((sleep) => sleep.end < noon + 6 * 24 * hour)) {
      const times = of('44').filter((form) => form.get('startdate') === String(start / 1000));
      // Once when first visible and once when complete, and either may be sent twice.
      expect(times.length).toBeGreaterThanOrEqual(2);
      expect(times[0]!.get('enddate')).toBe(String(end / 1000));
    }
    expect(new Set(of('16').map((form) => form.get('date')))).toContain('2026-05-05');
    expect([...notifications[0]!.keys()].sort()).toEqual(expect.arrayContaining(['appli', 'userid']));
    const sent = lab.pushes.list().map(({ push, attempts }) => `${attempts[0]!.at} ${push.body}`);
    expect(new Set(sent).size).toBeLessThan(sent.length);
    expect(receiver.received.at(-1)!.headers['content-type']).toContain('application/x-www-form-urlencoded');
  });

  it('arrive before a sleep is complete and again when it is', async () => {
    await using lab = await startWithings();
    await using receiver = await receive();
    const { token } = await connect(lab, 'ada');
    await subscribe(lab, token, receiver.url, 44);
    const night = lab.truth('ada', '2026-05-05').sleeps.find((sleep) => sleep.isMain)!;
    const summary = async () => {
      // Tokens live three hours, and more time has passed.
      const { token } = await connect(lab, 'ada');
      const range = {
        startdateymd: '2026-05-05',
        enddateymd: '2026-05-05',
        data_fields: 'sleep_score,total_sleep_time',
      };
      return (await call(lab, '/v2/sleep', { action: 'getsummary', ...range }, token)).body.series[0];
    };
    await lab.clock.moveTo(night.end + 60_000);
    expect(await summary()).toBeUndefined();
    while (posts(receiver).length === 0) await lab.clock.advance(60_000);
    const first = await summary();
    expect(first.completed).toBe(false);
    expect(first.enddate).toBeLessThan(night.end / 1000);
    expect(first.data).not.toHaveProperty('sleep_score');
    await lab.clock.advance(hour);
    const then = await summary();
    expect(then).toMatchObject({ id: first.id, completed: true, enddate: night.end / 1000 });
    expect(then.modified).toBeGreaterThan(first.modified);
    expect(then.data.total_sleep_time).toBeGreaterThan(first.data.total_sleep_time);
    expect(then.data.sleep_score).toBeGreaterThan(0);
  });

  it('report bed-in and bed-out from a mat', async () => {
    await using lab = await startWithings();
    await using receiver = await receive();
    const { token } = await connect(lab, 'dara');
    for (const appli of [50, 51]) await subscribe(lab, token, receiver.url, appli);
    const night = lab.truth('dara', '2026-05-05').sleeps.find((sleep) => sleep.isMain)!;
    // Bed-in is announced before the start of the day that the sleep belongs to.
    await lab.clock.moveTo(night.start + 30 * 60_000);
    const form = (appli: number, at: number) => ({ appli: String(appli), startdate: String(at / 1000) });
    const listNotifications = () =>
      posts(receiver).map((one) => ({ appli: one.get('appli'), startdate: one.get('startdate') }));
    expect(listNotifications()).toContainEqual(form(50, night.start));
    expect(listNotifications()).not.toContainEqual(form(51, night.end));
    await lab.clock.moveTo(night.end + 30 * 60_000);
    expect(listNotifications()).toContainEqual(form(51, night.end));
  });

  it('are retried after ten seconds, one minute, one hour and four hours, then dropped', async () => {
    await using lab = await startWithings();
    await using receiver = await receive();
    const { token } = await connect(lab, 'ada');
    await subscribe(lab, token, receiver.url, 16);
    receiver.statuses.splice(0, 1, 500);
    await lab.clock.advance(48 * hour);
    const failed = lab.pushes.list().find(({ outcome }) => outcome === 'failed')!;
    const times = failed.attempts.map(({ at }) => (at - failed.attempts[0]!.at) / 1000);
    expect(times).toEqual([0, 10, 70, 3670, 18_070]);
  });

  it('count as delivered with any status below 400', async () => {
    await using lab = await startWithings();
    await using receiver = await receive();
    const { token } = await connect(lab, 'ada');
    await subscribe(lab, token, receiver.url, 16);
    receiver.statuses.splice(0, 1, 302);
    await lab.clock.advance(24 * hour);
    expect(lab.pushes.list().length).toBeGreaterThan(0);
    expect(lab.pushes.list().every(({ attempts }) => attempts.length === 1)).toBe(true);
  });

  it('announce a revoked grant, and nothing afterward', async () => {
    await using lab = await startWithings();
    await using receiver = await receive();
    const { token, userid } = await connect(lab, 'ada');
    for (const appli of [16, 44, 46]) await subscribe(lab, token, receiver.url, appli);
    lab.revoke(lab.grants('withings')[0]!.id);
    await lab.pushes.idle();
    await lab.clock.advance(48 * hour);
    expect(posts(receiver).map(String)).toEqual([`userid=${userid}&appli=46&action=unlink`]);
  });
});

it('moves bedtimes, adds steps and confirms measures with revisions, and marks them as changed', async () => {
  await using lab = await startWithings({ faults: [{ kind: 'revised', rate: 1 }] });
  const { token } = await connect(lab, 'ada');
  const date = '2026-04-20';
  const truth = lab.truth('ada', date);
  const night = truth.sleeps.find((sleep) => sleep.isMain)!;
  const range = { startdateymd: date, enddateymd: date };
  const day = await call(
    lab,
    '/v2/measure',
    { action: 'getactivity', ...range, data_fields: 'steps' },
    token,
  );
  expect(day.body.activities[0].steps).toBeGreaterThan(truth.steps);
  expect(day.body.activities[0].modified).toBeGreaterThan(truth.end / 1000 + 1200);
  const sleep = await call(
    lab,
    '/v2/sleep',
    { action: 'getsummary', ...range, data_fields: 'sleep_latency' },
    token,
  );
  const summary = sleep.body.series[0];
  expect(summary.startdate).toBeGreaterThan(night.start / 1000);
  expect(summary.modified).toBeGreaterThan(summary.created);
  expect(summary.data.sleep_latency).toBe(night.stages[0]!.end / 1000 - summary.startdate);
  const body = await call(
    lab,
    '/measure',
    { action: 'getmeas', lastupdate: 0, meastypes: '76', category: 1 },
    token,
  );
  expect(new Set(body.body.measuregrps.map((group: { attrib: number }) => group.attrib))).toContain(7);
});
