import type { FastifyInstance } from 'fastify';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { admit, queryMoment } from './admit.ts';
import { dataRangeOf } from './data-range.ts';
import { egvsOf, type Placed } from './egv.ts';
import { eventsOf } from './events.ts';
import { readRange, type Range } from './range.ts';
import { uploadsOf } from './uploads.ts';
import { firstDate, sessionOn } from './wearer.ts';

const base = '/v3/users/self';
const recordVersion = '3.0';

/** Readings, events, and the time range that has data. */
export function serveData(app: FastifyInstance, frame: Frame): void {
  const serve = (
    path: string,
    recordType: string,
    listRecords: (life: Life, range: Range) => object[],
  ): void => {
    app.get(`${base}/${path}`, (request, reply) => {
      const { life, userId } = admit(frame, request);
      const records = listRecords(life, readRange(request));
      return reply.send({ recordType, recordVersion, userId, records });
    });
  };
  const list = (life: Life, range: Range, recordsOn: (date: string) => Placed[]): object[] =>
    datesOf(frame, life, range)
      .flatMap(recordsOn)
      .filter(({ at }) => at >= range.start && at < range.end)
      // Newest first, as far as known.
      .toSorted((one, other) => other.at - one.at)
      .map(({ record }) => record);

  serve('egvs', 'egv', (life, range) =>
    list(life, range, (date) => egvsOf(frame, life, date, uploadsOf(frame, life, date))),
  );
  serve('events', 'event', (life, range) => list(life, range, (date) => eventsOf(frame, life, date)));
  // Simulated users do not calibrate their sensors or set alarms.
  serve('calibrations', 'calibration', () => []);
  serve('alerts', 'alert', () => []);
  serve('devices', 'device', (life, range) => {
    const dates = life.person.wearsGlucoseSensor ? datesOf(frame, life, range) : [];
    const sessions = dates.map((date) => sessionOn(frame, life, date));
    const byId = new Map(sessions.map((session) => [session.transmitterId, session]));
    return [...byId.values()].toReversed().map(({ transmitterId, displayDevice }) => ({
      transmitterId,
      transmitterGeneration: 'g7',
      displayDevice,
    }));
  });

  app.get(`${base}/dataRange`, (request, reply) => {
    const { life, userId } = admit(frame, request);
    const range = dataRangeOf(frame, life, queryMoment(request, 'lastSyncTime'));
    return reply.send({ recordType: 'dataRange', recordVersion, userId, ...range });
  });
}

function datesOf(frame: Frame, { person }: Life, { start, end }: Range): string[] {
  const dates = frame.datesBetween(person, start, Math.min(end, frame.now()));
  return dates.filter((date) => date >= firstDate);
}
