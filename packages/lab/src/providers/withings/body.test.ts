import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Lab } from '../../lab-type.ts';
import { call, connect, noon, startWithings } from './test-client.ts';

interface Group {
  grpid: number;
  attrib: number;
  date: number;
  modified: number;
  category: number;
  deviceid: string | null;
  measures: { value: number; type: number; unit: number }[];
}

let lab: Lab;
let token: string;
beforeAll(async () => {
  lab = await startWithings();
  ({ token } = await connect(lab, 'ben'));
});
afterAll(() => lab[Symbol.asyncDispose]());

async function groups(fields: Record<string, string | number>): Promise<Group[]> {
  const measureGroups: Group[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { body } = await call(lab, '/measure', { action: 'getmeas', offset, ...fields }, token);
    expect([0, 1]).toContain(body.more);
    measureGroups.push(...body.measuregrps);
    offset = body.more ? body.offset : undefined;
  }
  return measureGroups;
}

/** Real values by type. */
function real(group: Group): Record<number, number> {
  return Object.fromEntries(group.measures.map(({ type, value, unit }) => [type, value * 10 ** unit]));
}

function truthAt(second: number) {
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(second * 1000);
  return lab.truth('ben', local);
}

it('returns weight values that match the ground truth after applying the unit', async () => {
  const measureGroups = await groups({ lastupdate: 0, meastypes: '1,5,6,8,76,77,88', category: 1 });
  expect(measureGroups.length).toBeGreaterThan(20);
  for (const group of measureGroups) {
    const { body } = truthAt(group.date);
    const fatKg = (body!.weightKg * body!.fatPercent) / 100;
    expect(body!.at).toBe(group.date * 1000);
    const values = real(group);
    expect(Object.keys(values)).toEqual(['1', '5', '6', '8', '76', '77', '88']);
    for (const [type, value] of [
      [1, body!.weightKg],
      [5, body!.weightKg - fatKg],
      [6, body!.fatPercent],
      [8, fatKg],
      [76, body!.muscleKg],
      [77, body!.waterKg],
      [88, body!.boneKg],
    ] as const)
      expect(values[type], `type ${type}`).toBeCloseTo(value, 1);
  }
  // Integers on the wire.
  expect(measureGroups.every((group) => group.measures.every(({ value }) => Number.isInteger(value)))).toBe(
    true,
  );
});

it('returns diastolic pressure as type 9 and systolic as type 10', async () => {
  const measureGroups = await groups({ lastupdate: 0, meastypes: '9,10,11', category: 1 });
  expect(measureGroups.length).toBeGreaterThan(3);
  for (const group of measureGroups) {
    const { systolic, diastolic, pulse } = truthAt(group.date).bloodPressure!;
    expect(real(group)).toEqual({ 9: diastolic, 10: systolic, 11: pulse });
  }
});

it('returns oxygen and skin temperature from nights, and fitness from workouts', async () => {
  const fields = { startdate: noon / 1000 - 20 * 86_400, enddate: noon / 1000, category: 1 };
  const oxygen = await groups({ ...fields, meastypes: '54' });
  const skin = await groups({ ...fields, meastypes: '73' });
  const fitness = await groups({ ...fields, meastype: 123 });
  expect(Math.min(oxygen.length, skin.length, fitness.length)).toBeGreaterThan(2);
  for (const group of oxygen)
    expect(real(group)[54]).toBeCloseTo(
      truthAt(group.date).sleeps.find((one) => one.isMain)!.bloodOxygenPercent,
      1,
    );
  for (const group of skin)
    expect(real(group)[73]).toBeCloseTo(
      truthAt(group.date).sleeps.find((one) => one.isMain)!.skinTemperatureC,
      1,
    );
  for (const group of fitness) expect(real(group)[123]).toBeCloseTo(truthAt(group.date).vo2Max, 1);
});

it('returns a goal that only its category distinguishes from a weight', async () => {
  const all = await groups({ lastupdate: 0, meastypes: '1' });
  const measured = await groups({ lastupdate: 0, meastypes: '1', category: 1 });
  expect(all.length).toBe(measured.length + 1);
  expect(all.filter((group) => group.category === 2)).toHaveLength(1);
  expect(measured.every((group) => group.category === 1)).toBe(true);
});

it('returns the height that was entered when the account was opened', async () => {
  const [height] = await groups({ lastupdate: 0, meastypes: '4' });
  expect(height).toMatchObject({ attrib: 4, deviceid: null });
  expect(real(height!)[4]).toBeGreaterThan(1.5);
});

it('returns measures page by page, each once, including manual ones and ones of an uncertain person', async () => {
  const measureGroups = await groups({ lastupdate: 0 });
  expect(measureGroups.length).toBeGreaterThan(200);
  expect(new Set(measureGroups.map(({ grpid }) => grpid)).size).toBe(measureGroups.length);
  const attribs = new Set(measureGroups.map(({ attrib }) => attrib));
  expect([0, 1, 2, 4].filter((attrib) => !attribs.has(attrib))).toEqual([]);
  expect(measureGroups.filter(({ attrib }) => attrib === 0).every(({ deviceid }) => deviceid !== null)).toBe(
    true,
  );
});

it('rejects invalid requests', async () => {
  for (const fields of [
    {},
    { lastupdate: 'never' },
    { lastupdate: 0, meastypes: 'weight' },
    { lastupdate: 0, offset: -1 },
  ])
    expect((await call(lab, '/measure', { action: 'getmeas', ...fields }, token)).status).toBe(503);
  expect((await call(lab, '/measure', { action: 'dance' }, token)).status).toBe(503);
});

it('lists the devices behind the measures', async () => {
  const { body } = await call(lab, '/v2/user', { action: 'getdevice' }, token);
  const ids = body.devices.map((device: { deviceid: string }) => device.deviceid);
  const scales = await groups({ lastupdate: 0, meastypes: '76', category: 1 });
  expect(ids).toContain(scales.find(({ deviceid }) => deviceid)!.deviceid);
  expect(body.devices[0]).toMatchObject({ type: 'Activity Tracker', battery: 'high' });
});
