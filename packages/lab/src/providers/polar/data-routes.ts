import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { isoAt } from '../local-time.ts';
import { activityOf, heartRateOf } from './activity.ts';
import { admit, queryValue } from './admit.ts';
import { cardioLoad, oxygenTest, physicalInfo, skinTemperature } from './body.ts';
import { requestedDates, lastDates, readDate } from './dates.ts';
import { nightRecord, rechargeRecord, seeNight } from './night.ts';
import type { Registry } from './registry.ts';

interface ByDate {
  Params: { date: string };
}
type DateRequest = FastifyRequest<ByDate>;
type BuildDocument = (life: Life, date: string, request: DateRequest, userId: string) => object | null;

const yearDays = 365;
const windowDays = 28;

/** Days, nights and body data. Returns 204 if there is no data. */
export function serveData(app: FastifyInstance, frame: Frame, registry: Registry): void {
  const serve = (
    path: string,
    buildBody: (life: Life, request: DateRequest, userId: string) => unknown,
  ): void => {
    app.get<ByDate>(`/www/v3/users${path}`, (request: DateRequest, reply: FastifyReply) => {
      const { life, grant } = admit(frame, registry, request, reply);
      const body = buildBody(life, request, grant.userId);
      const isEmpty = body === null || (Array.isArray(body) && body.length === 0);
      return isEmpty ? reply.code(204).send() : reply.send(body);
    });
  };
  const each = (
    dates: string[],
    life: Life,
    request: DateRequest,
    userId: string,
    buildDocument: BuildDocument,
  ): object[] => dates.flatMap((date) => buildDocument(life, date, request, userId) ?? []);
  /** One of the last 28 dates, from the path. */
  const serveDate = (path: string, buildDocument: BuildDocument): void =>
    serve(`${path}/:date`, (life, request, userId) => {
      const date = readDate(request.params.date);
      return lastDates(life, frame.now()).includes(date) ? buildDocument(life, date, request, userId) : null;
    });
  const range = (request: DateRequest, life: Life, mostDaysBack = windowDays): string[] =>
    requestedDates(request, life, frame.now(), mostDaysBack);

  // The format of inactivity stamps is unknown, so none are returned on request.
  const activity: BuildDocument = (life, date, request) =>
    activityOf(frame, life, date, {
      steps: queryValue(request, 'steps') === 'true',
      zones: queryValue(request, 'activity_zones') === 'true',
    });
  serve('/activities', (life, request, userId) =>
    each(range(request, life, yearDays), life, request, userId, activity),
  );
  serve('/activities/:date', (life, request, userId) =>
    activity(life, readDate(request.params.date), request, userId),
  );

  const night: BuildDocument = (life, date, _, userId) => {
    const seen = seeNight(frame, life, date);
    return seen && nightRecord(seen, userId);
  };
  serve('/sleep', (life, request, userId) =>
    wrapped('nights', each(lastDates(life, frame.now()), life, request, userId, night)),
  );
  serve('/sleep/available', (life, request, userId) =>
    wrapped(
      'available',
      each(lastDates(life, frame.now()), life, request, userId, (_, date) =>
        nightSpan(seeNight(frame, life, date), date),
      ),
    ),
  );
  serveDate('/sleep', night);

  const recharge: BuildDocument = (life, date, _, userId) => {
    const seen = seeNight(frame, life, date);
    return seen && rechargeRecord(seen, userId);
  };
  serve('/nightly-recharge', (life, request, userId) =>
    wrapped('recharges', each(lastDates(life, frame.now()), life, request, userId, recharge)),
  );
  serveDate('/nightly-recharge', recharge);

  const pulse: BuildDocument = (life, date, _, userId) => heartRateOf(frame, life, date, userId);
  serve('/continuous-heart-rate', (life, request, userId) =>
    wrapped('heart_rates', each(range(request, life), life, request, userId, pulse)),
  );
  serveDate('/continuous-heart-rate', pulse);

  serve('/physical-info', (life) => physicalInfo(frame, life));

  const load: BuildDocument = (life, date) => cardioLoad(frame, life, date);
  serve('/cardio-load', (life, request, userId) =>
    each(lastDates(life, frame.now()), life, request, userId, load),
  );
  serve('/cardio-load/date', (life, request, userId) =>
    each(range(request, life), life, request, userId, load),
  );
  serveDate('/cardio-load', load);

  const biosensing = { skintemperature: skinTemperature, spo2: oxygenTest };
  for (const [name, record] of Object.entries(biosensing))
    serve(`/biosensing/${name}`, (life, request, userId) =>
      each(range(request, life), life, request, userId, (_, date) => {
        const seen = seeNight(frame, life, date);
        return seen && record(seen);
      }),
    );
  // No simulated user has a sensor for it.
  serve('/biosensing/bodytemperature', (life, request) => {
    range(request, life);
    return null;
  });
}

function wrapped(name: string, list: object[]): object | null {
  return list.length === 0 ? null : { [name]: list };
}

/** The start and end of a night as Polar lists it, or null without a night. */
function nightSpan(seen: ReturnType<typeof seeNight>, date: string): object | null {
  if (!seen) return null;
  const { sleep, day } = seen;
  return {
    date,
    start_time: isoAt(sleep.start, day.timezone),
    end_time: isoAt(sleep.end, day.timezone),
  };
}
