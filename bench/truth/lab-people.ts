import { randomUUID } from 'node:crypto';
import type { Day, Lab, Sleep } from '@tributary/lab';
import { addDays, personOf } from '@tributary/lab/testing';
import {
  BatchBuilder,
  piecesOf,
  ProviderFailure,
  providers,
  type Documents,
  type ListedStream,
  type Provider,
  type UserApi,
} from '@tributary/providers';
import {
  connectInLab,
  openAppApi,
  openIntake,
  readAll,
  startTestLab,
  waitForPushes,
} from '@tributary/providers/testing';
import { progress } from '@tributary/rig';
import { defaultScopeBits, insertDocumentBatches, packDocuments } from '@tributary/server/testing/sync';
import type { Service } from './service.ts';
import type { ReportedWorkout, Subject, TruthDay } from './subject.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** The lab's clock stands still at noon of this day. */
const now = '2026-11-15T12:00:00Z';
const lastDate = '2026-11-13';

interface StreamDocuments {
  provider: Provider;
  stream: string;
  documents: Documents;
}

/** A connection to the lab may break while the machine is busy. */
const tries = 3;

/** People of the lab who are connected to all of its providers. People who travel in this time are left out, since their days have other limits. */
export async function createLabPeople(service: Service, count: number, dayCount: number): Promise<Subject[]> {
  const dates = Array.from({ length: dayCount }, (_, at) => addDays(lastDate, at - dayCount + 1));
  const subjects: Subject[] = [];
  for (let n = 0; subjects.length < count; n += 1) {
    const person = personOf(`person-${n}`, 1)!;
    const from = addDays(dates[0]!, -2);
    if (person.trips.some((trip) => trip.to >= from && trip.from <= now.slice(0, 10))) continue;
    const { days, read } = await readPerson(person.id, dates);
    const userId = await service.createUser(person.timezone);
    for (const { provider, stream, documents } of read) {
      const packed = packDocuments(provider, stream, { documents });
      const createdMs = Date.parse(now);
      const batches = packed.map((one) => ({ batchId: randomUUID(), createdMs, ...one }));
      await insertDocumentBatches(service.run.admin, userId, defaultScopeBits, batches);
    }
    const { id: name, timezone } = person;
    subjects.push({ name, userId, timezone, days: days.map(truthOf), workouts: workoutsIn(read) });
    const connected = new Set(read.map(({ provider }) => provider.id));
    progress(`${name}: documents of ${connected.size} providers`);
  }
  return subjects;
}

/** The true days of a person and the documents about them, from a lab of its own, so that people do not share the limits of an app. */
async function readPerson(
  person: string,
  dates: readonly string[],
  attempt = 1,
): Promise<{ days: Day[]; read: StreamDocuments[] }> {
  await using resources = new AsyncDisposableStack();
  const intake = resources.use(await openIntake());
  const lab = resources.use(
    await startTestLab({ startAt: Date.parse(now), apps: [{ pushUrls: { garmin: intake.url } }] }),
  );
  const days = dates.map((date) => lab.truth(person, date));
  const span = { fromMs: days[0]!.start - dayMs, toMs: days.at(-1)!.end };
  try {
    return { days, read: await readProviders(lab, intake, person, span) };
  } catch (error) {
    if (attempt === tries || !(error instanceof ProviderFailure)) throw error;
    return readPerson(person, dates, attempt + 1);
  }
}

type Intake = Awaited<ReturnType<typeof openIntake>>;

async function readProviders(
  lab: Lab,
  intake: Intake,
  person: string,
  span: { fromMs: number; toMs: number },
): Promise<StreamDocuments[]> {
  const all: StreamDocuments[] = [];
  for (const provider of providers) {
    const isPushed = provider.streams.some(({ kind }) => kind === 'pushed');
    if (isPushed) intake.api = openAppApi(lab, provider);
    const api = await connectInLab(lab, provider, person);
    for (const stream of provider.streams) {
      if (stream.kind === 'listed') all.push(...(await readListed(provider, stream, api, span)));
      if (stream.kind === 'pushed') await stream.requestHistory?.(api, span);
    }
    if (!isPushed) continue;
    await waitForPushes(lab);
    for (const notice of intake.notices)
      if (notice.kind === 'data' && notice.userId === api.userId)
        all.push({ provider, stream: notice.stream, documents: notice.documents });
  }
  return all;
}

async function readListed(
  provider: Provider,
  { name, pieceDays }: ListedStream,
  api: UserApi,
  span: { fromMs: number; toMs: number },
): Promise<StreamDocuments[]> {
  const all: StreamDocuments[] = [];
  for (const piece of piecesOf(span, pieceDays))
    all.push({ provider, stream: name, documents: await readAll(provider, name, api, piece) });
  return all.filter(({ documents }) => documents.length > 0);
}

function truthOf(day: Day): TruthDay {
  const mean = day.heartRate.reduce((sum, { value }) => sum + value, 0) / day.heartRate.length;
  return {
    date: day.date,
    values: {
      steps: day.steps,
      distance: day.distanceM / 1000,
      active_calories: day.activeKcal,
      floors_climbed: day.floors,
      asleep: day.sleeps.reduce((sum, sleep) => sum + asleepMinutes(sleep), 0),
      resting_heart_rate: day.restingHeartRate,
      heart_rate: mean,
    },
    workouts: day.workouts.length,
  };
}

function asleepMinutes({ stages }: Sleep): number {
  return stages.reduce(
    (sum, { stage, start, end }) => sum + (stage === 'awake' ? 0 : (end - start) / minuteMs),
    0,
  );
}

/** Workouts as the documents report them. Of a workout that is reported again, the last version counts. */
function workoutsIn(read: readonly StreamDocuments[]): ReportedWorkout[] {
  const workouts = new Map<string, ReportedWorkout>();
  for (const { provider, stream, documents } of read) {
    const batch = new BatchBuilder();
    provider.streams.find(({ name }) => name === stream)!.map(documents, batch);
    for (const { id, sport_type: sport, start, end } of batch.lists.workouts)
      workouts.set(`${provider.id} ${id}`, { sport, startMs: Date.parse(start), endMs: Date.parse(end) });
  }
  return [...workouts.values()];
}
