import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Loop } from '../loops.ts';
import { partitionOf } from '../partitions.ts';
import { groupDeliveries } from '../services/webhooks/deliveries/group-deliveries.ts';
import type { Queryable } from '../store/database/database.ts';
import {
  failForgotten,
  listAwaited,
  readDueDeliveries,
  readEndpoints,
  type Delivery,
  type Endpoint,
} from '../store/webhooks/deliveries.ts';
import type { PartitionShare } from '../store/uploads/partition-locks.ts';
import { openPartitionSession } from '../store/uploads/partition-session.ts';
import { EndpointQueue } from './endpoint-queue.ts';
import { ResultRecorder } from './result-recorder.ts';

/** How often to check for unlocked partitions. Bounds how long deliveries wait after their process has died. */
const balanceEveryMs = 250;
/** How often to poll for due deliveries. Polling is faster while pointers from the broker do not arrive, and for a while after they return. */
const pollIntervalMs = 1_000;
const fastPollIntervalMs = 250;
const fastPollAfterReconnectMs = 3_000;
/** How long a partition that moves to another dispatcher waits for open requests. */
const leaveMs = 1_000;
const reconnectAfterMs = 250;
/** How long shutdown waits for open requests. */
const finishMs = 4_000;

/**
 * Sends due deliveries to the webhooks of its partitions. Each process runs one dispatcher and each webhook has one owner, so requests to an endpoint
 * can be counted, paced and ordered without coordination. Due deliveries are in the database, where the next owner of a partition finds them.
 */
export class WebhookDispatcher implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #db: Queryable;
  readonly #settler: ResultRecorder;
  readonly #queues = new Map<string, EndpointQueue>();
  /** Webhooks that may have due deliveries. */
  readonly #awake = new Set<string>();
  /** Webhooks with deliveries due before the next poll, soonest first. */
  #upcoming: { id: string; dueAt: number }[] = [];
  #fastPollUntil = Infinity;
  readonly #running: Promise<void>;
  #share: PartitionShare | null = null;
  #stopping = false;
  #rouse: () => void = () => {};

  constructor(ctx: Context, db: Queryable) {
    this.#ctx = ctx;
    this.#db = db;
    this.#settler = new ResultRecorder(ctx, db);
    this.#running = this.#run();
  }

  /** Signals that these webhooks have deliveries that are due or soon will be. */
  wake(webhooks: readonly string[]): void {
    for (const id of webhooks) if (this.#mayWorkFor(id)) this.#awake.add(id);
    if (this.#awake.size > 0) this.#rouse();
  }

  /** Sets whether pointers from the broker arrive. */
  setNotified(isNotified: boolean): void {
    // The publisher may reconnect to the broker a little later than this process.
    this.#fastPollUntil = isNotified ? performance.now() + fastPollAfterReconnectMs : Infinity;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#rouse();
    await this.#running;
  }

  async #run(): Promise<void> {
    using loop = this.#ctx.loops.start('delivery');
    while (!this.#stopping) {
      try {
        await this.#hold(loop);
      } catch (error) {
        this.#ctx.log.warn({ err: error }, 'webhook dispatcher lost its database session');
        await sleep(reconnectAfterMs);
      }
    }
  }

  /** Runs while one session holds its partitions, or until the dispatcher stops. */
  async #hold(loop: Loop): Promise<void> {
    await using session = await openPartitionSession(this.#ctx.config, 'delivery', {
      onBroken: () => {
        this.#share = null; // others may own the partitions by now, so start nothing more
        this.#rouse();
      },
      onResponse: loop.beat,
    });
    const { share } = session;
    this.#share = share;
    try {
      let balancedAt = -Infinity;
      let polledAt = -Infinity;
      while (!this.#stopping) {
        session.check();
        const now = performance.now();
        if (now - balancedAt >= balanceEveryMs) {
          balancedAt = now;
          if ((await share.balance((partition) => this.#isIdle(partition))).length > 0) polledAt = -Infinity;
          this.#tidy(share);
        }
        const pollAfterMs = now < this.#fastPollUntil ? fastPollIntervalMs : pollIntervalMs;
        if (now - polledAt >= pollAfterMs) {
          polledAt = now;
          await this.#poll(share);
        }
        this.#wakeDue();
        if (this.#awake.size > 0) await this.#fetch();
        else await this.#sleep(balancedAt + balanceEveryMs - performance.now());
      }
      await this.#finish();
    } finally {
      this.#share = null;
      this.#ctx.metrics.deliveryLagSeconds.set(0); // the owner of the partitions reports it
      for (const queue of this.#queues.values()) queue.drop();
    }
  }

  /** Finds webhooks with pending deliveries and measures how late the oldest due delivery is. */
  async #poll(share: PartitionShare): Promise<void> {
    const partitions = [...share.lockedPartitions];
    const awaited = partitions.length > 0 ? await listAwaited(this.#db, partitions) : [];
    const now = this.#ctx.clock.now();
    this.#upcoming = awaited
      .filter(({ dueAt }) => dueAt < now + pollIntervalMs)
      .sort((a, b) => a.dueAt - b.dueAt);
    const lateMs = awaited
      .filter(({ id }) => this.#queues.get(id)?.isPaused !== true)
      .reduce((most, { dueAt }) => Math.max(most, now - dueAt), 0);
    this.#ctx.metrics.deliveryLagSeconds.set(lateMs / 1000);
  }

  #wakeDue(): void {
    const now = this.#ctx.clock.now();
    while (this.#upcoming.length > 0 && this.#upcoming[0]!.dueAt <= now) {
      const { id } = this.#upcoming.shift()!;
      if (this.#mayWorkFor(id)) this.#awake.add(id);
    }
  }

  /** Reads due deliveries for the awake webhooks with free capacity and adds them to their queues. */
  async #fetch(): Promise<void> {
    const ids = [...this.#awake].filter((id) => this.#mayWorkFor(id));
    this.#awake.clear();
    const rooms = ids
      .map((webhookId) => ({ webhookId, room: this.#queueOf(webhookId).room }))
      .filter(({ room }) => room > 0);
    if (rooms.length === 0) return;
    const excludedIds = rooms.flatMap(({ webhookId }) => [...this.#queueOf(webhookId).pendingIds]);
    const [endpoints, deliveries] = await Promise.all([
      readEndpoints(
        this.#db,
        rooms.map(({ webhookId }) => webhookId),
      ),
      readDueDeliveries(this.#db, rooms, excludedIds),
    ]);
    const [sendable, forgotten] = [
      deliveries.filter(hasContent),
      deliveries.filter((one) => !hasContent(one)),
    ];
    if (forgotten.length > 0) {
      await failForgotten(this.#db, forgotten);
      for (const { webhookId } of forgotten) this.#awake.add(webhookId);
    }
    const deliveriesByWebhook = Map.groupBy(sendable, ({ webhookId }) => webhookId);
    for (const endpoint of endpoints) {
      const ofEndpoint = deliveriesByWebhook.get(endpoint.id);
      if (endpoint.status !== 'active' || !ofEndpoint || !this.#mayWorkFor(endpoint.id)) continue;
      this.#queueOf(endpoint.id).take(
        endpoint,
        groupDeliveries(ofEndpoint, endpoint.coalesceSeconds, this.#ctx.clock.now()),
      );
    }
  }

  #queueOf(id: string): EndpointQueue {
    const known = this.#queues.get(id);
    if (known) return known;
    const queue = new EndpointQueue({
      ctx: this.#ctx,
      settler: this.#settler,
      readEndpoint: async (): Promise<Endpoint | null> => (await readEndpoints(this.#db, [id]))[0] ?? null,
      onRoom: () => this.wake([id]),
      mayStart: () => this.#mayWorkFor(id),
    });
    this.#queues.set(id, queue);
    return queue;
  }

  #mayWorkFor(id: string): boolean {
    return !this.#stopping && this.#share?.mayWorkIn(partitionOf(id)) === true;
  }

  #isIdle(partition: number): boolean {
    return this.#queues.entries().every(([id, queue]) => partitionOf(id) !== partition || queue.isIdle);
  }

  /** Drops deliveries of partitions that moved to another dispatcher, and removes idle queues. */
  #tidy(share: PartitionShare): void {
    for (const [id, queue] of this.#queues) {
      if (!share.mayWorkIn(partitionOf(id))) queue.drop();
      if (share.isLeaving(partitionOf(id), leaveMs)) queue.abandon();
      if (queue.isForgettable || (queue.isIdle && !share.lockedPartitions.has(partitionOf(id))))
        this.#queues.delete(id);
    }
  }

  /** Waits for open requests. Slow ones are abandoned, and their deliveries are sent again. */
  async #finish(): Promise<void> {
    for (const queue of this.#queues.values()) queue.drop();
    const until = performance.now() + finishMs;
    while (performance.now() < until && this.#queues.values().some((queue) => !queue.isIdle)) await sleep(20);
    for (const queue of this.#queues.values()) queue.abandon();
  }

  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#rouse = resolve;
    const soonest = this.#upcoming[0] ? this.#upcoming[0].dueAt - this.#ctx.clock.now() : ms;
    const timer = setTimeout(resolve, Math.max(0, Math.min(ms, soonest)));
    if (!this.#stopping && this.#awake.size === 0) await promise;
    clearTimeout(timer);
    this.#rouse = () => {};
  }
}

/** A disabled webhook may hold deliveries longer than the feed retains events. */
function hasContent({ event, sent }: Delivery): boolean {
  return event !== null || sent !== null;
}
