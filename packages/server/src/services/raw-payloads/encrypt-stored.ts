import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { keyPlaceOf } from '../../credentials/payload-cipher.ts';
import {
  advanceEncryption,
  endEncryptionPass,
  findEncryptionProgress,
  startEncryption,
} from '../../store/raw-keys/encryption-progress.ts';
import {
  estimateBatches,
  listPayloadHeads,
  listPayloads,
  replacePayloads,
  type PayloadHead,
} from '../../store/raw-keys/stored-payloads.ts';
import { checkStartedEveryMs, UnreadablePayloadError } from './raw-payloads.ts';
import { KeyDestroyedError } from './user-keys.ts';

/** Payloads checked per page, and the limits of one statement that replaces some. */
const mostChecked = 1_000;
const mostTogether = 100;
const mostBytesTogether = 4 * 1024 * 1024;
/** The pause after a statement, as a share of the time it took, so that requests are not slowed down. */
const restShare = 0.5;
const first = '00000000-0000-0000-0000-000000000000';

export interface EncryptionReport {
  /** Payloads checked in this pass, and their estimated number. */
  scanned: number;
  estimated: number;
  /** Payloads encrypted by this run. */
  encrypted: number;
  /** Payloads of this pass that cannot be encrypted again, because their key was destroyed. */
  unreadable: number;
}

type EncryptContext = Pick<Context, 'operator' | 'rawPayloads'>;

/**
 * Makes all nodes encrypt new payloads, and encrypts the earlier ones in small steps. Also moves payloads to keys of a separate key store that was
 * added later. Continues where an interrupted run stopped, and repeats the pass until it finds nothing to encrypt.
 */
export async function encryptStored(
  ctx: EncryptContext,
  onProgress: (report: EncryptionReport) => void = () => {},
): Promise<EncryptionReport> {
  // Until every node has noticed, some still store plain payloads. The passes find them.
  if (await startEncryption(ctx.operator)) await sleep(2 * checkStartedEveryMs);
  const progress = await findEncryptionProgress(ctx.operator);
  const report: EncryptionReport = {
    scanned: progress.scanned,
    estimated: await estimateBatches(ctx.operator),
    encrypted: 0,
    unreadable: 0,
  };
  let last = { userId: progress.lastUser ?? first, batchId: progress.lastBatch ?? first };
  // A pass that another run began cannot be the last one, because its start was not seen.
  let isWhole = progress.lastUser === null;
  let encryptedInPass = 0;
  for (;;) {
    const heads = await listPayloadHeads(ctx.operator, last, mostChecked);
    if (heads.length === 0) {
      const isFinished = isWhole && encryptedInPass === 0;
      await endEncryptionPass(ctx.operator, isFinished);
      if (isFinished) return report;
      last = { userId: first, batchId: first };
      isWhole = true;
      encryptedInPass = 0;
      Object.assign(report, { scanned: 0, unreadable: 0 });
      continue;
    }
    last = heads.at(-1)!;
    const encrypted = await encryptPage(ctx, heads, report);
    encryptedInPass += encrypted;
    report.scanned += heads.length;
    report.encrypted += encrypted;
    await advanceEncryption(ctx.operator, last, { scanned: heads.length, encrypted });
    onProgress(report);
  }
}

async function encryptPage(
  ctx: EncryptContext,
  heads: readonly PayloadHead[],
  report: EncryptionReport,
): Promise<number> {
  const { place } = ctx.rawPayloads;
  let encrypted = 0;
  for (const group of inGroups(
    heads.filter(({ marker, bytes }) => bytes > 0 && keyPlaceOf(marker) !== place),
  )) {
    const beganAt = performance.now();
    const payloads = await listPayloads(ctx.operator, group);
    const decrypt = await ctx.rawPayloads.readKeys(payloads);
    const replacements = [];
    for (const stored of payloads) {
      try {
        const plain = decrypt(stored);
        replacements.push({
          ...stored,
          encrypted: await ctx.rawPayloads.encrypt(stored.userId, stored.batchId, plain),
        });
      } catch (error) {
        if (!(error instanceof KeyDestroyedError || error instanceof UnreadablePayloadError)) throw error;
        report.unreadable += 1;
      }
    }
    if (replacements.length > 0) encrypted += await replacePayloads(ctx.operator, replacements);
    await sleep((performance.now() - beganAt) * restShare);
  }
  return encrypted;
}

function inGroups(heads: readonly PayloadHead[]): PayloadHead[][] {
  const groups: PayloadHead[][] = [];
  let bytes = Infinity;
  for (const head of heads) {
    if (bytes + head.bytes > mostBytesTogether || groups.at(-1)!.length >= mostTogether) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(head);
    bytes += head.bytes;
  }
  return groups;
}
