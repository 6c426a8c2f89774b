import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import type { BatchBody } from '@tributary/domain';
import { findProvider, Told, type Documents, type Provider } from '@tributary/providers';
import { cloudDevice } from '../../store/connections.ts';

/** What a provider told, as the raw layer keeps it: in the provider's own words, to be read again whenever we read better. */
export interface DocumentPayload {
  device: BatchBody['device'];
  stream: string;
  documents: Documents;
  /** Ids of documents that are gone. */
  deleted: readonly string[];
}

/** Larger ones are cut into several batches, so that none takes long to work on: those of history hold up what is new. */
const mostCharacters = { live: 512 * 1024, history: 64 * 1024 } as const;

export interface PackedDocuments {
  digest: Buffer;
  payload: Buffer;
}

/** Packs documents of a stream into payloads of a bearable size. */
export function packDocuments(
  provider: Pick<Provider, 'id' | 'kind'>,
  stream: string,
  {
    documents = [],
    deleted = [],
    isHistory = false,
  }: { documents?: Documents; deleted?: readonly string[]; isHistory?: boolean },
): PackedDocuments[] {
  const device = { provider: provider.id, id: cloudDevice, kind: provider.kind };
  const groups = inGroups(documents, mostCharacters[isHistory ? 'history' : 'live']);
  return groups.map((group, at) => {
    const payload: DocumentPayload = { device, stream, documents: group, deleted: at === 0 ? deleted : [] };
    const bytes = Buffer.from(JSON.stringify(payload));
    return { digest: createHash('sha256').update(bytes).digest(), payload: zstdCompressSync(bytes) };
  });
}

/** What the documents of a payload say in our terms. Throws when their stream is known no more. */
export function readDocuments({ device, stream: name, documents, deleted }: DocumentPayload): BatchBody {
  const stream = findProvider(device.provider)?.streams.find((one) => one.name === name);
  if (!stream) throw new Error(`nobody can read ${name} of ${device.provider}`);
  const told = new Told();
  stream.map(documents, told);
  for (const id of deleted) stream.mapDeleted?.(id, told);
  return { device, ...told.lists };
}

function inGroups(documents: Documents, most: number): Documents[] {
  const groups: unknown[][] = [[]];
  let characters = 0;
  for (const document of documents) {
    const length = JSON.stringify(document).length;
    if (characters > 0 && characters + length > most) {
      groups.push([]);
      characters = 0;
    }
    groups.at(-1)!.push(document);
    characters += length;
  }
  return groups;
}
