import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { isoAt } from '../local-time.ts';
import { activityOf, heartRateOf } from './activity.ts';
import { admit, queryValue } from './admit.ts';
import { cardioLoad, oxygenTest, physicalInfo, skinTemperature } from './body.ts';
import { askedDates, lastDates, readDate } from './dates.ts';
import { nightRecord, rechargeRecord, seeNight } from './night.ts';
import type { Registry } from './registry.ts';

interface ByDate {
  Params: { date: string };
}
type Asked = FastifyRequest<ByDate>;
type Tell = (life: Life, date: string, asked: Asked, userId: string) => object | null;

const yearDays = 365;
const windowDays = 28;

/** Days, nights and body data. Returns 204 if there is no data. */
export function serveData(app: FastifyInstance, frame: Frame, registry: Registry): void {
  const serve = (path: string, tell: (life: Life, asked: Asked, userId: string) => unknown): void => {
    app.get<ByDate>(`/www/v3/users${path}`, (asked: Asked, reply: FastifyReply) => {
      const { life, grant } = admit(frame, registry, asked, reply);
      const told = tell(life, asked, grant.userId);
      const isEmpty = told === null || (Array.isArray(told) && told.length === 0);
      return isEmpty ? reply.code(204).send() : reply.send(told);
    });
  };
  const each = (dates: string[], life: Life, asked: Asked, userId: string, tell: Tell): object[] =>
    dates.flatMap((date) => tell(life, date, asked, userId) ?? []);
  /** One of the last 28 dates, from the path. */
  const serveDate = (path: string, tell: Tell): void =>
    serve(`${path}/:date`, (life, asked, userId) => {
      const date = readDate(asked.params.date);
      return lastDates(life, frame.now()).includes(date) ? tell(life, date, asked, userId) : null;
    });
  const range = (asked: Asked, life: Life, mostDaysBack = windowDays): string[] =>
    askedDates(asked, life, frame.now(), mostDaysBack);

  // The format of inactivity stamps is unknown, so none are returned on request.
  const activity: Tell = (life, date, asked) =>
    activityOf(frame, life, date, {
      steps: queryValue(asked, 'steps') === 'true',
      zones: queryValue(asked, 'activity_zones') === 'true',
    });
  serve('/activities', (life, asked, userId) =>
    each(range(asked, life, yearDays), life, asked, userId, activity),
  );
  serve('/activities/:date', (life, asked, userId) =>
    activity(life, readDate(asked.params.date), asked, userId),
  );

  const night: Tell = (life, date, _, userId) => {
    const seen = seeNight(frame, life, date);
    return seen && nightRecord(seen, userId);
  };
  serve('/sleep', (life, asked, userId) =>
    wrapped('nights', each(lastDates(life, frame.now()), life, asked, userId, night)),
  );
  serve('/sleep/available', (life, asked, userId) =>
    wrapped(
      'available',
      each(lastDates(life, frame.now()), life, asked, userId, (_, date) => {
        const seen = seeNight(frame, life, date);
        if (!seen) return null;
        const { sleep, day } = seen;
        return {
          date,
          start_time: isoAt(sleep.start, day.timezone),
          end_time: isoAt(sleep.end, day.timezone),
        };
      }),
    ),
  );
  serveDate('/sleep', night);

  const recharge: Tell = (life, date, _, userId) => {
    const seen = seeNight(frame, life, date);
    return seen && rechargeRecord(seen, userId);
  };
  serve('/nightly-recharge', (life, asked, userId) =>
    wrapped('recharges', each(lastDates(life, frame.now()), life, asked, userId, recharge)),
  );
  serveDate('/nightly-recharge', recharge);

  const pulse: Tell = (life, date, _, userId) => heartRateOf(frame, life, date, userId);
  serve('/continuous-heart-rate', (life, asked, userId) =>
    wrapped('heart_rates', each(range(asked, life), life, asked, userId, pulse)),
  );
  serveDate('/continuous-heart-rate', pulse);

  serve('/physical-info', (life) => physicalInfo(frame, life));

  const load: Tell = (life, date) => cardioLoad(frame, life, date);
  serve('/cardio-load', (life, asked, userId) =>
    each(lastDates(life, frame.now()), life, asked, userId, load),
  );
  serve('/cardio-load/date', (life, asked, userId) => each(range(asked, life), life, asked, userId, load));
  serveDate('/cardio-load', load);

  const biosensing = { skintemperature: skinTemperature, spo2: oxygenTest };
  for (const [name, record] of Object.entries(biosensing))
    serve(`/biosensing/${name}`, (life, asked, userId) =>
      each(range(asked, life), life, asked, userId, (_, date) => {
        const seen = seeNight(frame, life, date);
        return seen && record(seen);
      }),
    );
  // No simulated user has a sensor for it.
  serve('/biosensing/bodytemperature', (life, asked) => {
    range(asked, life);
    return null;
  });
}

function wrapped(name: string, list: object[]): object | null {
  return list.length === 0 ? null : { [name]: list };
}
