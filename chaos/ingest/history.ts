import { writeFile } from 'node:fs/promises';
import type { Upload } from './upload.ts';

/**
 * The outcome of a request. `unknown`: the connection broke or the service returned an error, so the upload may or may not have been
 * stored. `unsent`: no connection could be opened. `limited`: the client must slow down.
 */
export type End = 'acknowledged' | 'unknown' | 'unsent' | 'limited' | 'refused';

export interface Request {
  batchId: string;
  node: string;
  sentAt: number;
  endedAt: number;
  end: End;
  /** The status, or why there was none. */
  detail: string;
}

/** What the client knows about one upload after all requests with it. */
export interface UploadHistory {
  upload: Upload;
  acknowledged: boolean;
  /** Whether any request with it may have arrived. */
  sent: boolean;
  firstSentAt: number;
  /** When the first acknowledged request was sent. */
  acknowledgedSentAt: number;
  lastEndedAt: number;
}

/** Everything that clients sent and received. */
export class History {
  readonly #requests: Request[] = [];
  readonly #uploads = new Map<string, UploadHistory>();
  readonly counts: Record<End, number> = { acknowledged: 0, unknown: 0, unsent: 0, limited: 0, refused: 0 };
  /** Number of values in acknowledged uploads, counting each upload once. */
  acknowledgedValues = 0;
  acknowledgedUploads = 0;
  /** Unexpected rejections, and acknowledgements of uploads that must be rejected. */
  readonly surprises: string[] = [];

  /** Uploads with at least one request that may have arrived. */
  get uploads(): readonly UploadHistory[] {
    return [...this.#uploads.values()];
  }

  note(upload: Upload, request: Request): void {
    this.#requests.push(request);
    this.counts[request.end] += 1;
    const { batchId } = upload;
    const before = this.#uploads.get(batchId);
    const sent = request.end === 'acknowledged' || request.end === 'unknown';
    if (request.end === 'acknowledged' && !before?.acknowledged) {
      this.acknowledgedUploads += 1;
      this.acknowledgedValues += upload.valueCount;
    }
    this.#uploads.set(batchId, {
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

  /** Writes all requests to a file, one per line. */
  async write(file: string): Promise<void> {
    await writeFile(file, this.#requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  }
}
