import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { listHashesAt, listHeads, type SignedHead } from '../../store/audit/chain.ts';
import { ensureAnchorStream, listAnchors, publishAnchor, type Anchor } from '../../stream/audit-anchors.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { isSignedByUs } from './sign-head.ts';

/** Minimum interval between two anchors of one chain. */
const everyMs = 1_000;
const pollIntervalMs = 200;
/** Maximum number of anchors published concurrently. */
const mostAtOnce = 500;

type AnchoringContext = Pick<Context, 'broker' | 'config' | 'keyring' | 'log' | 'metrics' | 'operator'>;

/**
 * Copies the chain heads to NATS, so that a rollback of a chain together with its head is detected. Nothing waits for it: while NATS is unavailable,
 * the newest head of each chain stays in memory. A chain that does not contain its last anchor is no longer anchored, so that the existing anchors
 * are preserved as evidence.
 */
export class Anchoring {
  readonly #ctx: AnchoringContext;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  /** Heads that are not anchored yet. */
  readonly #waiting = new Map<string, SignedHead>();
  /** The last anchor of each chain, and when this process published it. */
  readonly #last = new Map<string, Anchor & { publishedAt: number }>();
  readonly #touched = new Set<string>();
  #isReady = false;

  constructor(ctx: AnchoringContext) {
    this.#ctx = ctx;
    this.#running = this.#run();
  }

  /** Queues the new heads of chains for anchoring. */
  offer(heads: readonly SignedHead[]): void {
    for (const head of heads)
      if (!this.#touched.has(head.accountId) && isSignedByUs(this.#ctx.keyring, head))
        this.#waiting.set(head.accountId, head);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#anchorSafely(everyMs);
      await sleep(pollIntervalMs, undefined, { signal }).catch(() => {});
    }
    await this.#anchorSafely(0); // always anchor the last heads
  }

  async #anchorSafely(pauseMs: number): Promise<void> {
    const { broker, log } = this.#ctx;
    if (!broker.connection || !broker.connected) return;
    try {
      if (!this.#isReady) await this.#begin();
      await this.#anchor(pauseMs);
    } catch (error) {
      this.#isReady = false;
      log.warn({ err: error }, 'failed to anchor audit chain heads');
    }
  }

  /** Loads the existing anchors and queues heads that have none. The previous process may have stopped before it anchored them. */
  async #begin(): Promise<void> {
    const { broker, config, operator } = this.#ctx;
    await ensureAnchorStream(broker.connection!, config.nats.replicas);
    for (const anchor of await listAnchors(broker.connection!, config.audit.name, { lastOnly: true }))
      if (!this.#last.has(anchor.accountId))
        this.#last.set(anchor.accountId, { ...anchor, publishedAt: -Infinity });
    const heads = await listHeads(operator);
    for (const head of heads) if (!this.#waiting.has(head.accountId)) this.offer([head]);
    const accountIds = new Set(heads.map(({ accountId }) => accountId));
    for (const accountId of this.#last.keys()) if (!accountIds.has(accountId)) this.#giveUp(accountId);
    this.#isReady = true;
  }

  async #anchor(pauseMs: number): Promise<void> {
    const { broker, config } = this.#ctx;
    const now = performance.now();
    const due = [...this.#waiting.values()].filter(
      ({ accountId }) => now - (this.#last.get(accountId)?.publishedAt ?? -Infinity) >= pauseMs,
    );
    for (let at = 0; at < due.length; at += mostAtOnce) {
      const sound = await this.#checkAgainstLast(due.slice(at, at + mostAtOnce));
      await Promise.all(
        sound.map(async (head) => {
          const { accountId, position } = head;
          const anchor = {
            accountId,
            position,
            hash: head.hash.toString('hex'),
            signature: head.signature.toString('hex'),
          };
          if (this.#last.get(accountId)?.hash !== anchor.hash)
            await publishAnchor(broker.connection!, config.audit.name, anchor);
          this.#last.set(accountId, { ...anchor, publishedAt: performance.now() });
          if (this.#waiting.get(accountId) === head) this.#waiting.delete(accountId);
        }),
      );
    }
  }

  /** Returns the heads whose chain still contains its last anchor. */
  async #checkAgainstLast(heads: readonly SignedHead[]): Promise<SignedHead[]> {
    const anchored = heads.flatMap(({ accountId }) => this.#last.get(accountId) ?? []);
    const hashes = await listHashesAt(this.#ctx.operator, anchored);
    for (const [at, { accountId, hash }] of anchored.entries())
      if (hashes[at]?.toString('hex') !== hash) this.#giveUp(accountId);
    return heads.filter(({ accountId }) => !this.#touched.has(accountId));
  }

  #giveUp(accountId: string): void {
    if (this.#touched.has(accountId)) return;
    this.#touched.add(accountId);
    this.#waiting.delete(accountId);
    raiseAlarm(this.#ctx, accountId, 'chain does not contain its last anchor');
  }
}
