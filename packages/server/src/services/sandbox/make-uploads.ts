import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { scopes } from '@tributary/contract';
import { dayMs, sandboxBatches, type Timezones } from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { SandboxPerson, SandboxUpload } from '../../store/sandbox/sandbox.ts';

/** Days per upload: a new user's first week and the evening before it. */
const spanMs = 8 * dayMs;
const allScopes = 2 ** scopes.length - 1;

/** The end of the reporting period, and the person's time zones. */
interface Reporting {
  timezone: Timezones;
  toMs: number;
  /** The providers to simulate, or null for all. */
  providers: readonly string[] | null;
}

/** Generates what the devices of a simulated person report since their last upload. Yields to the event loop every few days. */
export async function makeUploads(
  ctx: Pick<Context, 'newId'>,
  person: SandboxPerson,
  { timezone, toMs, providers }: Reporting,
): Promise<SandboxUpload[]> {
  const { archetype, seed, firstDay, platform = 'ios', untilMs } = person;
  if (archetype === 'none') return [];
  const uploads: SandboxUpload[] = [];
  for (let fromMs = untilMs; fromMs < toMs; fromMs += spanMs) {
    const span = { fromMs, toMs: Math.min(toMs, fromMs + spanMs) };
    for (const batch of sandboxBatches({ archetype, seed, firstDay, platform, timezone, ...span })) {
      if (providers && !providers.includes(batch.device.provider)) continue;
      const bytes = Buffer.from(JSON.stringify(batch));
      uploads.push({
        batchId: ctx.newId(),
        receivedMs: toMs,
        scopes: allScopes,
        digest: createHash('sha256').update(bytes).digest(),
        payload: zstdCompressSync(bytes),
      });
    }
    await nextTurn();
  }
  return uploads;
}
