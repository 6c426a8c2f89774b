import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { cloudDevice, type BatchBody } from '@tributary/domain';
import { findProvider, BatchBuilder, type Documents, type Provider } from '@tributary/providers';

/** A provider's documents as the raw layer stores them: unchanged, so that an improved mapping can read them again. */
export interface DocumentPayload {
  device: BatchBody['device'];
  stream: string;
  documents: Documents;
  /** IDs of deleted documents. */
  deleted: readonly string[];
}

/** Larger payloads are split into several batches, so that none takes long to process. Those of history would delay new data. */
const mostCharacters = { live: 512 * 1024, history: 64 * 1024 } as const;

export interface PackedDocuments {
  digest: Buffer;
  payload: Buffer;
}

/** Packs documents of a stream into payloads of limited size. */
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

/** Maps the documents of a payload to our data model. Throws if their stream no longer exists. */
export function readDocuments({ device, stream: name, documents, deleted }: DocumentPayload): BatchBody {
  const stream = findProvider(device.provider)?.streams.find((one) => one.name === name);
  if (!stream) throw new Error(`unknown stream ${name} of provider ${device.provider}`);
  const batch = new BatchBuilder();
  stream.map(documents, batch);
  for (const id of deleted) for (const kind of stream.deletes) batch.addDeletion(kind, id);
  return { device, ...batch.lists };
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
