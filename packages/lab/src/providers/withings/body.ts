import type { FastifyInstance } from 'fastify';
import type { Frame } from '../../provider.ts';
import { Refused } from './response.ts';
import { measurementOf, seen } from './documents.ts';
import { deviceIdOf, sleepsOnMat } from './ids.ts';
import { accountGroups, measureGroup } from './measure-group.ts';
import type { MeasureGroup } from './measure-group.ts';
import { measurementsOf } from './measures.ts';
import { daysIn, pageOf, rangeOf } from './range.ts';
import type { Fields, Listed } from './range.ts';
import { serveActions } from './rpc.ts';
import type { Call } from './rpc.ts';

/** Serves the measurements of scales, cuffs and watches, and the list of devices. */
export function serveBody(app: FastifyInstance, frame: Frame, opened: number): void {
  serveActions(app, frame, '/wbsapi/measure', {
    getmeas: { scope: 'user.metrics', run: (call) => getMeasures(frame, opened, call) },
  });
  serveActions(app, frame, '/wbsapi/v2/user', {
    getdevice: { scope: 'user.info', run: ({ person }) => ({ devices: devicesOf(frame, person.id) }) },
  });
}

function getMeasures(frame: Frame, opened: number, { fields, person }: Call): object {
  const range = rangeOf(fields);
  const types = typesOf(fields);
  const measured = daysIn(frame, person, range, opened).flatMap((day) =>
    measurementsOf(day).flatMap((measurement): MeasureGroup[] => {
      const visible = seen(frame, measurementOf(person, day, measurement));
      const chance = frame.chance('attrib', person.id, day.date);
      return visible ? [measureGroup(person.id, measurement, visible, chance)] : [];
    }),
  );
  const listed = [...accountGroups(person.id, person.heightM, opened), ...measured]
    .filter((group) => fields['category'] === undefined || String(group.category) === fields['category'])
    .map((group) => ({ ...group, measures: group.measures.filter(({ type }) => !types || types.has(type)) }))
    .filter((group) => group.measures.length > 0)
    .map((group): Listed => ({
      date: utcDate(group.date),
      at: group.date * 1000,
      modified: group.modified * 1000,
      record: group,
    }));
  const { page, more, offset } = pageOf(listed, range, fields['offset']);
  // Other endpoints use a boolean here.
  return { measuregrps: page, more: more ? 1 : 0, offset };
}

function typesOf(fields: Fields): Set<number> | null {
  const text = fields['meastypes'] ?? fields['meastype'];
  if (text === undefined) return null;
  if (!/^\d{1,4}(,\d{1,4}){0,99}$/.test(text)) throw new Refused('parameter');
  return new Set(text.split(',').map(Number));
}

function devicesOf(frame: Frame, personId: string): object[] {
  const at = Math.floor(frame.now() / 1000);
  const device = (kind: 'watch' | 'mat' | 'scale' | 'cuff', type: string, model: string) => ({
    deviceid: deviceIdOf(personId, kind),
    type,
    model,
    battery: 'high',
    last_session_date: at,
  });
  return [
    device('watch', 'Activity Tracker', 'ScanWatch'),
    device('scale', 'Scale', 'Body+'),
    device('cuff', 'Blood Pressure Monitor', 'BPM Core'),
    ...(sleepsOnMat(personId) ? [device('mat', 'Sleep Monitor', 'Sleep Analyzer')] : []),
  ];
}

function utcDate(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 10);
}
