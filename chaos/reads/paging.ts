import { setTimeout as sleep } from 'node:timers/promises';
import { forEachOf, type Random } from '@tributary/rig';
import type { TestUser, World } from './world.ts';

/** How a reader handled sessions that existed the whole time. */
interface Tally {
  missed: number;
  repeated: number;
}

/** The totals of all runs. */
export interface PagingVerdict {
  walks: number;
  pages: number;
  /** Changes that took effect before their reader finished. */
  changesBetweenPages: number;
  byCursor: Tally;
  /** The same for a reader that pages by offset. */
  byOffset: Tally;
  /** Descriptions of failures. */
  examples: string[];
}

type List = 'sleep' | 'workouts';
type Row = { id: string; start_time: string };

const hourMs = 3_600_000;
const firstMs = Date.parse('2026-06-01T00:00:00Z');
/** At most one session per slot, so that no two interact. */
const slotMs = 4 * hourMs;
const slots = 90;
/** Readers read the days in the middle. Writers also change sessions on the days before and after. */
const readDays = 'from_date=2026-06-03&to_date=2026-06-13';
const atOnce = 8;

/** Runs readers with random page sizes next to writers, for both lists. */
export async function provePaging(world: World, runs: number, random: Random): Promise<PagingVerdict> {
  const people = Array.from({ length: runs }, () => ({ timezone: 'UTC', profile: {} }));
  const everyone = await world.createUsers(people, random.fork('readers'));
  const verdict: PagingVerdict = {
    walks: 0,
    pages: 0,
    changesBetweenPages: 0,
    byCursor: { missed: 0, repeated: 0 },
    byOffset: { missed: 0, repeated: 0 },
    examples: [],
  };
  await forEachOf(everyone, atOnce, async (who, at) => {
    for (const list of ['sleep', 'workouts'] as const)
      await walk(world, who, list, random.fork(`${list} ${at}`), verdict);
  });
  return verdict;
}

async function walk(
  world: World,
  who: TestUser,
  list: List,
  random: Random,
  verdict: PagingVerdict,
): Promise<void> {
  const writer = new Writer(world, who, list, random);
  await writer.fill();
  const before: Row[] = (await world.get(who, `${list}?${readDays}&limit=100`)).data;
  const lasting = before.filter(({ start_time }) => writer.isLasting(Date.parse(`${start_time}Z`)));
  const limit = random.int(1, 7);
  const [byCursor, byOffset]: [Row[], Row[]] = [[], []];
  let query = `${readDays}&limit=${limit}`;
  for (let offset = 0; ; offset += limit) {
    const [page, all] = await Promise.all([
      world.get(who, `${list}?${query}`),
      world.get(who, `${list}?${readDays}&limit=100`),
      // Half of the changes happen between two pages, the others while a page is read.
      random.chance(0.5) ? writer.change() : null,
    ]);
    byCursor.push(...page.data);
    byOffset.push(...all.data.slice(offset, offset + limit));
    verdict.pages += 1;
    if (page.next_cursor === null) break;
    query = `cursor=${page.next_cursor}`;
    if (random.chance(0.6)) await writer.changeAndWait();
  }
  verdict.walks += 1;
  verdict.changesBetweenPages += writer.landed;
  const { missed, repeated } = tally(lasting, byCursor);
  add(verdict.byCursor, { missed, repeated });
  add(verdict.byOffset, tally(lasting, byOffset));
  if (missed + repeated > 0)
    verdict.examples.push(`${list} of ${who.id}, ${limit} per page: ${missed} missed, ${repeated} repeated`);
}

/** Counts sessions that existed the whole time with the same id and start, but were missed or seen more than once. */
function tally(lasting: readonly Row[], seen: readonly Row[]): Tally {
  const times = lasting.map(
    ({ id, start_time }) => seen.filter((other) => other.id === id && other.start_time === start_time).length,
  );
  return {
    missed: times.filter((count) => count === 0).length,
    repeated: times.filter((count) => count > 1).length,
  };
}

function add(sum: Tally, { missed, repeated }: Tally): void {
  sum.missed += missed;
  sum.repeated += repeated;
}

/** Fills a list and changes it: adds, deletes, corrects and moves sessions on all days. */
class Writer {
  /** Changes that the reader waited for. */
  landed = 0;
  readonly #world: World;
  readonly #who: TestUser;
  readonly #list: List;
  readonly #random: Random;
  /** Sessions by slot. Lasting ones may be corrected, but not moved or deleted. */
  readonly #at = new Map<number, { id: string; lasting: boolean }>();
  #sessionCount = 0;

  constructor(world: World, who: TestUser, list: List, random: Random) {
    this.#world = world;
    this.#who = who;
    this.#list = list;
    this.#random = random;
  }

  isLasting(startMs: number): boolean {
    return this.#at.get((startMs - firstMs) / slotMs)?.lasting ?? false;
  }

  async fill(): Promise<void> {
    const sessions: object[] = [];
    for (let slot = 0; slot < slots; slot += 1)
      if (this.#random.chance(0.6)) sessions.push(this.#put(slot, this.#random.chance(0.5)));
    await this.#await(await this.#upload(sessions, []));
  }

  async change(): Promise<string> {
    const sessions: object[] = [];
    const deletions: object[] = [];
    const free = this.#random.shuffle(
      Array.from({ length: slots }, (_, slot) => slot).filter((slot) => !this.#at.has(slot)),
    );
    const usedSlots = this.#random.shuffle([...this.#at]);
    const fleeting = usedSlots.filter(([, { lasting }]) => !lasting);
    for (let left = this.#random.int(1, 3); left > 0; left -= 1) {
      const what = this.#random.pick(['add', 'add', 'delete', 'correct', 'move']);
      if (what === 'add' && free.length > 0) sessions.push(this.#put(free.pop()!, false));
      if (what === 'correct' && usedSlots.length > 0) {
        const [slot] = usedSlots.pop()!;
        if (this.#at.has(slot)) sessions.push(this.#sessionOf(slot));
      }
      if ((what !== 'delete' && what !== 'move') || fleeting.length === 0) continue;
      const [slot, { id }] = fleeting.pop()!;
      this.#at.delete(slot);
      if (what === 'delete' || free.length === 0) {
        deletions.push({ kind: this.#list === 'sleep' ? 'sleep' : 'workout', id });
      } else {
        const to = free.pop()!;
        this.#at.set(to, { id, lasting: false });
        sessions.push(this.#sessionOf(to));
      }
    }
    return this.#upload(sessions, deletions);
  }

  async changeAndWait(): Promise<void> {
    await this.#await(await this.change());
    this.landed += 1;
  }

  /** Waits until an upload is processed. */
  async #await(batchId: string): Promise<void> {
    for (;;) {
      const { status } = await this.#world.must('GET', `/v1/sdk/batches/${batchId}`, this.#who.token);
      if (status !== 'accepted') return;
      await sleep(5);
    }
  }

  #put(slot: number, lasting: boolean): object {
    this.#sessionCount += 1;
    this.#at.set(slot, { id: `s-${this.#sessionCount}`, lasting });
    return this.#sessionOf(slot);
  }

  #sessionOf(slot: number): object {
    const startMs = firstMs + slot * slotMs;
    const minutes = this.#random.int(20, 110);
    return {
      id: this.#at.get(slot)!.id,
      start: new Date(startMs).toISOString(),
      end: new Date(startMs + minutes * 60_000).toISOString(),
      ...(this.#list === 'workouts' ? { sport_type: 'running' } : { minutes: { asleep: minutes - 5 } }),
    };
  }

  async #upload(sessions: readonly object[], deletions: readonly object[]): Promise<string> {
    const batch_id = this.#random.uuid();
    await this.#world.upload(this.#who, {
      batch_id,
      device: { provider: 'apple_health', id: 'watch', kind: 'watch' },
      [this.#list]: sessions,
      deletions,
    });
    return batch_id;
  }
}
