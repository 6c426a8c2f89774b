import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lab } from '@tributary/lab';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { AppApi, Notice } from '../provider.ts';
import { garmin } from './index.ts';

/** A URL that receives pushes as the service does, and records accepted ones in order. */
export interface Intake extends AsyncDisposable {
  url: string;
  notices: Notice[];
  /** Further details of each push, for tests of the pushes themselves. */
  pushes: { path: string; status: number; keys: string[] }[];
  /** Set once there is a lab. */
  api: AppApi | null;
}

export async function openIntake(): Promise<Intake> {
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const url = new URL(request.url ?? '/', 'http://intake');
    const headers = request.headers as Record<string, string>;
    const pushRequest = { method: request.method ?? '', query: url.searchParams, headers, body };
    const { status, keep } = await garmin.push!.respond(pushRequest, { api: intake.api!, state: {} });
    const notices = keep ? garmin.push!.notices(body.toString(), headers) : [];
    intake.notices.push(...notices);
    intake.pushes.push({ path: url.pathname, status, keys: Object.keys(JSON.parse(body.toString())) });
    response.writeHead(status).end();
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const intake: Intake = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push/a-secret`,
    notices: [],
    pushes: [],
    api: null,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return intake;
}

/** Waits until no more pushes arrive. */
export async function waitForPushes(lab: Lab): Promise<void> {
  for (let before = -1, calm = 0; calm < 3;) {
    await sleep(20);
    await lab.pushes.idle();
    const { length } = lab.pushes.list();
    calm = length === before ? calm + 1 : 0;
    before = length;
  }
}

/** All data about a user. For each item, the last version counts. */
export function gather(notices: readonly Notice[], userId: string) {
  const daily = new Map<string, number>();
  const readings = new Map<string, Map<number, number>>();
  const sleep = new Map<string, BatchBuilder['lists']['sleep'][number]>();
  const workouts = new Map<string, BatchBuilder['lists']['workouts'][number]>();
  const read = (metric: string, atMs: number, value: number) => {
    if (!readings.has(metric)) readings.set(metric, new Map());
    readings.get(metric)!.set(atMs, value);
  };
  for (const notice of notices) {
    if (notice.kind !== 'data' || notice.userId !== userId) continue;
    const batch = new BatchBuilder();
    garmin.streams.find(({ name }) => name === notice.stream)!.map(notice.documents, batch);
    for (const { date, metric, value } of batch.lists.daily) daily.set(`${date} ${metric}`, value);
    for (const { metric, start, value } of batch.lists.records) read(metric, Date.parse(start), value);
    for (const { metric, start, offsets_seconds: offsets = [], values } of batch.lists.series)
      values.forEach((value, at) => read(metric, Date.parse(start) + offsets[at]! * 1000, value));
    for (const one of batch.lists.sleep) sleep.set(one.id, one);
    for (const one of batch.lists.workouts) workouts.set(one.id, one);
  }
  return {
    sleep,
    workouts: [...workouts.values()],
    dayOf: (date: string, metric: string) => daily.get(`${date} ${metric}`),
    /** Values of a metric between two times, in chronological order. */
    between: (metric: string, fromMs: number, toMs: number) =>
      [...(readings.get(metric) ?? [])]
        .filter(([atMs]) => atMs >= fromMs && atMs < toMs)
        .sort(([a], [b]) => a - b),
  };
}
