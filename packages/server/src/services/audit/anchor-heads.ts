import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { listHashesAt, listHeads, type SignedHead } from '../../store/audit-chain.ts';
import { ensureAnchorStream, listAnchors, publishAnchor, type Anchor } from '../../stream/audit-anchors.ts';
import { raiseAlarm } from './raise-alarm.ts';
import { isSignedByUs } from './sign-head.ts';

/** A chain is anchored so often at most. */
const everyMs = 1_000;
const lookEveryMs = 200;
/** Anchors on their way at once. */
const mostAtOnce = 500;

type AnchoringContext = Pick<Context, 'broker' | 'config' | 'keyring' | 'log' | 'metrics' | 'operator'>;

/**
 * Copies the ends of the chains into NATS, so that a chain that is set back together with its head is noticed. Nothing waits for it: while NATS
 * is away the newest end of each chain is kept in mind. A chain that does not hold what was anchored last is anchored no more, so that the
 * anchors stay as they were.
 */
export class Anchoring {
  readonly #ctx: AnchoringContext;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  /** Ends that were not anchored yet. */
  readonly #waiting = new Map<string, SignedHead>();
  /** What was anchored last of each chain, and when by this process. */
  readonly #last = new Map<string, Anchor & { publishedAt: number }>();
  readonly #touched = new Set<string>();
  #isReady = false;

  constructor(ctx: AnchoringContext) {
    this.#ctx = ctx;
    this.#running = this.#run();
  }

  /** Takes down that chains have grown. */
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
      await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
    }
    await this.#anchorSafely(0); // the last always
  }

  async #anchorSafely(pauseMs: number): Promise<void> {
    const { broker, log } = this.#ctx;
    if (!broker.connection || !broker.connected) return;
    try {
      if (!this.#isReady) await this.#begin();
      await this.#anchor(pauseMs);
    } catch (error) {
      this.#isReady = false;
      log.warn({ err: error }, 'ends of the audit log not anchored');
    }
  }

  /** Learns what was anchored before, and offers what was not: whoever did this work before may have ended in the middle of it. */
  async #begin(): Promise<void> {
    const { broker, config, operator } = this.#ctx;
    await ensureAnchorStream(broker.connection!, config.nats.replicas);
    for (const anchor of await listAnchors(broker.connection!, config.audit.name, { lastOnly: true }))
      if (!this.#last.has(anchor.accountId))
        this.#last.set(anchor.accountId, { ...anchor, publishedAt: -Infinity });
    const heads = await listHeads(operator);
    for (const head of heads) if (!this.#waiting.has(head.accountId)) this.offer([head]);
    const kept = new Set(heads.map(({ accountId }) => accountId));
    for (const accountId of this.#last.keys()) if (!kept.has(accountId)) this.#giveUp(accountId);
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

  /** Those whose chain still holds what was anchored last. */
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
    raiseAlarm(this.#ctx, accountId, 'it lacks what was anchored before');
  }
}
