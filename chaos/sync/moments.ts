import { findProvider } from '@tributary/providers';
import { defaultScopeBits, insertDocumentBatches, packDocuments } from '@tributary/server/testing/sync';
import type { LabResponse } from './relay.ts';
import { nameOf, type Consent, type Member, type World } from './world.ts';

interface Kind {
  provider: string;
  stream: string;
  path: RegExp;
  documentsOf: (response: object, atMs: number) => object[];
}

/** Data that providers return only for the present, so a second reading cannot get it again. */
const kinds: readonly Kind[] = [
  {
    provider: 'whoop',
    stream: 'body',
    path: /\/user\/measurement\/body$/,
    documentsOf: (body, atMs) => [{ read_on: new Date(atMs).toISOString().slice(0, 10), body }],
  },
  // Heart rates of a sleep that has since been revised or deleted stay valid.
  {
    provider: 'whoop',
    stream: 'sleep_heart_rate',
    path: /\/activity\/sleep\/[^/]+\/stream\b/,
    documentsOf: (stream) => [stream],
  },
  {
    provider: 'polar',
    stream: 'physical-info',
    path: /\/users\/physical-info$/,
    documentsOf: (info) => [info],
  },
  // Polar returns exercises for a month, which is shorter than a long run.
  { provider: 'polar', stream: 'exercises', path: /\/exercises$/, documentsOf: (list) => list as object[] },
];

interface Moment extends Pick<Kind, 'provider' | 'stream'> {
  atMs: number;
  document: object;
}

/** Records such data by consent, as it passes through the relay. */
export class Moments {
  readonly #momentsByConsent = new Map<string, Moment[]>();
  readonly #texts = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  record({ consent, path, body }: LabResponse): void {
    const kind = kinds.find(
      (one) => consent.endsWith(`/${one.provider}`) && one.path.test(path.split('?')[0]!),
    );
    if (!kind) return;
    const { provider, stream, documentsOf } = kind;
    const atMs = this.#now();
    const moments = this.#momentsByConsent.get(consent) ?? [];
    this.#momentsByConsent.set(consent, moments);
    for (const document of documentsOf(JSON.parse(body.toString()) as object, atMs)) {
      const text = `${consent} ${stream} ${JSON.stringify(document)}`;
      if (!this.#texts.has(text)) moments.push({ provider, stream, atMs, document });
      this.#texts.add(text);
    }
  }

  /** Replays to another user everything recorded for a consent, with its original times. */
  async retell({ run }: World, consent: Consent, { userId }: Member): Promise<void> {
    for (const { provider, stream, atMs, document } of this.#momentsByConsent.get(nameOf(consent)) ?? []) {
      const packed = packDocuments(findProvider(provider)!, stream, { documents: [document] });
      const batches = packed.map((one) => ({ batchId: crypto.randomUUID(), createdMs: atMs, ...one }));
      await insertDocumentBatches(run.admin, userId, defaultScopeBits, batches);
    }
  }
}
