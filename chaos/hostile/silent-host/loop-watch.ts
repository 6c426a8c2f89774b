import { setTimeout as sleep } from 'node:timers/promises';
import type { StackNode } from '@tributary/stack';

const checkEveryMs = 250;
const mostSilenceMs = 10_000;
const patienceMs = 5_000;
/** Loops whose iterations are minutes apart. */
const slowLoops = new Set(['pushes', 'push-subscriptions']);
const series = /^tributary_loop_last_beat_seconds\{loop="(.+?)"\} (.+)$/gm;

interface NodeState {
  isReady: boolean;
  /** Whether it works without NATS or Redis. */
  isDegraded: boolean;
  /** When each loop last made progress. */
  beats: ReadonlyMap<string, number>;
}

/** Checks the readiness of all nodes and the progress of their background loops. */
export class LoopWatch implements Disposable {
  readonly #nodes: readonly StackNode[];
  readonly #states = new Map<StackNode, NodeState>();
  readonly #stop = new AbortController();
  /** Nodes that were ready although a loop had been silent for ten seconds. */
  readonly readyWhileSilent: string[] = [];
  checks = 0;

  constructor(nodes: readonly StackNode[]) {
    this.#nodes = nodes;
    for (const node of nodes) void this.#watch(node);
  }

  /** Waits until all loops have made progress after this time and all nodes are ready, with all engines. Returns how long that took, or Infinity. */
  async recovered(since: number, mostMs: number): Promise<number> {
    for (;;) {
      const passedMs = Date.now() - since;
      if (this.#nodes.every((node) => this.#works(node, since))) return passedMs;
      if (passedMs > mostMs) return Infinity;
      await sleep(50);
    }
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  #works(node: StackNode, since: number): boolean {
    const state = this.#states.get(node);
    if (!state?.isReady || state.isDegraded || state.beats.size === 0) return false;
    return [...state.beats].every(([loop, beatAt]) => slowLoops.has(loop) || beatAt > since);
  }

  async #watch(node: StackNode): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#check(node).catch(() => this.#states.delete(node));
      await sleep(checkEveryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #check(node: StackNode): Promise<void> {
    const askedAt = Date.now();
    const readiness = await read(node.metricsUrl.replace('/metrics', '/readyz'));
    const metrics = await read(node.metricsUrl);
    const beats = new Map<string, number>();
    for (const [, loop = '', seconds] of metrics.text.matchAll(series))
      beats.set(loop, Number(seconds) * 1_000);
    const isReady = readiness.status === 200;
    this.#states.set(node, { isReady, isDegraded: readiness.text.includes('degraded'), beats });
    this.checks += 1;
    if (!isReady) return;
    for (const [loop, beatAt] of beats)
      if (!slowLoops.has(loop) && askedAt - beatAt > mostSilenceMs)
        this.readyWhileSilent.push(`${node.name}: ${loop} for ${Math.round((askedAt - beatAt) / 1000)} s`);
  }
}

async function read(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
  return { status: response.status, text: await response.text() };
}
