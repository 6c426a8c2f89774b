import { writeFile } from 'node:fs/promises';
import type { Upload } from './upload.ts';

/**
 * How a request ended. `unknown`: it was cut, or answered by an error of the service, and may be there or not. `unsent`: no connection came
 * about. `limited`: it has to be sent more slowly.
 */
export type End = 'acknowledged' | 'unknown' | 'unsent' | 'limited' | 'refused';

export interface Request {
  batchId: string;
  node: string;
  sentAt: number;
  endedAt: number;
  end: End;
  /** Status, or why there was none. */
  detail: string;
}

/** What is known of one upload over all requests with it. */
export interface Told {
  upload: Upload;
  acknowledged: boolean;
  /** Some request with it may have arrived. */
  sent: boolean;
  firstSentAt: number;
  /** When the first request was sent that was acknowledged. */
  acknowledgedSentAt: number;
  lastEndedAt: number;
}

/** Everything that clients did and heard. */
export class History {
  readonly #requests: Request[] = [];
  readonly #told = new Map<string, Told>();
  readonly counts: Record<End, number> = { acknowledged: 0, unknown: 0, unsent: 0, limited: 0, refused: 0 };
  /** Values of uploads that were acknowledged, each upload once. */
  acknowledgedValues = 0;
  acknowledgedUploads = 0;
  /** Refusals that nobody expected, and acknowledgements of what had to be refused. */
  readonly surprises: string[] = [];

  /** Uploads of which a request may have arrived. */
  get told(): readonly Told[] {
    return [...this.#told.values()];
  }

  note(upload: Upload, request: Request): void {
    this.#requests.push(request);
    this.counts[request.end] += 1;
    const { batchId } = upload;
    const before = this.#told.get(batchId);
    const sent = request.end === 'acknowledged' || request.end === 'unknown';
    if (request.end === 'acknowledged' && !before?.acknowledged) {
      this.acknowledgedUploads += 1;
      this.acknowledgedValues += upload.valueCount;
    }
    this.#told.set(batchId, {
      upload,
      acknowledged: before?.acknowledged === true || request.end === 'acknowledged',
      sent: before?.sent === true || sent,
      firstSentAt: Math.min(before?.firstSentAt ?? Infinity, request.sentAt),
      acknowledgedSentAt: Math.min(
        before?.acknowledgedSentAt ?? Infinity,
        request.end === 'acknowledged' ? request.sentAt : Infinity,
      ),
      lastEndedAt: Math.max(before?.lastEndedAt ?? 0, request.endedAt),
    });
  }

  /** Writes every request down, a line each. */
  async write(file: string): Promise<void> {
    await writeFile(file, this.#requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  }
}
