import type { Broker } from './broker.ts';
import { subjects } from './subjects.ts';

const heartbeatIntervalMs = 1_000;
const nodeTimeoutMs = 5_000;

/** Counts live API nodes. While the broker is unavailable, the last known number is kept. */
export class Presence {
  readonly #broker: Broker;
  readonly #nodeId: string;
  readonly #seen = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #count = 1;

  constructor(broker: Broker, nodeId: string) {
    this.#broker = broker;
    this.#nodeId = nodeId;
    broker.whenConnected((connection) => {
      connection.subscribe(subjects.presence, {
        callback: (_error, message) => {
          this.#seen.set(message.string(), performance.now());
          this.#recount();
        },
      });
      this.#sendHeartbeat();
    });
    this.#timer = setInterval(() => this.#sendHeartbeat(), heartbeatIntervalMs);
    this.#timer.unref();
  }

  /** Number of live API nodes, including this one. */
  get liveNodes(): number {
    return this.#count;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #sendHeartbeat(): void {
    if (this.#broker.connected) {
      this.#broker.publish(subjects.presence, this.#nodeId);
      this.#recount();
    } else {
      // Without the broker, silence means nothing, so the other nodes do not age.
      for (const node of this.#seen.keys()) this.#seen.set(node, performance.now());
    }
  }

  #recount(): void {
    const now = performance.now();
    for (const [node, at] of this.#seen) if (now - at > nodeTimeoutMs) this.#seen.delete(node);
    this.#count = new Set([...this.#seen.keys(), this.#nodeId]).size;
  }
}
