import { randomUUID } from 'node:crypto';
import type { Person } from './people.ts';

export const valuesPerUpload = 500;
const everySeconds = 5;

/** One upload of heart rate as sent, and how to recognize it. */
export interface PreparedUpload {
  userId: string;
  batchId: string;
  startMs: number;
  values: number[];
  request: Buffer;
}

/** The uploads of a user follow one another in time, as those of a phone do. */
export class UploadSource {
  readonly #host: string;
  readonly #people: readonly Person[];
  readonly #startMs: number;
  #uploadCount = 0;

  constructor(baseUrl: string, people: readonly Person[], startMs: number) {
    this.#host = new URL(baseUrl).host;
    this.#people = people;
    this.#startMs = startMs;
  }

  next(): PreparedUpload {
    const person = this.#people[this.#uploadCount % this.#people.length]!;
    const round = Math.floor(this.#uploadCount / this.#people.length);
    this.#uploadCount += 1;
    const startMs = this.#startMs + round * valuesPerUpload * everySeconds * 1000;
    const batchId = randomUUID();
    const values = heartRates(startMs / 1000 + this.#uploadCount);
    const body = JSON.stringify({
      batch_id: batchId,
      device: { provider: 'apple_health', id: 'watch-1', kind: 'watch' },
      series: [
        {
          metric: 'heart_rate',
          start: new Date(startMs).toISOString(),
          interval_seconds: everySeconds,
          values,
        },
      ],
    });
    const request = Buffer.from(
      `POST /v1/sdk/batches HTTP/1.1\r\nhost: ${this.#host}\r\nauthorization: Bearer ${person.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return { userId: person.userId, batchId, startMs, values, request };
  }
}

/** A heart rate that rises and falls over minutes, with a little noise from beat to beat. */
function heartRates(seed: number): number[] {
  let noise = 0;
  return Array.from({ length: valuesPerUpload }, (_, at) => {
    noise = 0.8 * noise + (Math.random() - 0.5) * 3;
    return Math.round(72 + 12 * Math.sin((seed + at) / 90) + noise);
  });
}
