import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Keyring } from '../../credentials/keyring.ts';
import {
  listSealedOtherwise,
  replaceSealed,
  sealedPlaces,
  type SealedPlace,
  type SealedValue,
} from '../../store/database/sealed-values.ts';
import { exchangeSeal } from '../connections/continue-connecting.ts';
import { tokenSeal } from '../connections/seal-tokens.ts';
import { appSeal } from '../providers/find-app.ts';
import { signInSeal } from '../operators/sign-in.ts';
import { rawKeySeal } from '../raw-payloads/user-keys.ts';
import { setUpSeal } from '../sync/ensure-push.ts';
import type { Environment } from '../../store/database/tenant.ts';

/** The encryption context of each stored secret, as used where it is encrypted. */
const seals: Record<SealedPlace, (...key: string[]) => string> = {
  connections: (deviceId) => tokenSeal(deviceId),
  connect_links: (id) => exchangeSeal(id),
  provider_apps: (provider) => appSeal(provider),
  push_set_ups: (environment, provider) => setUpSeal(environment as Environment, provider),
  webhook_secrets: (id) => `webhook-secret:${id}`,
  previous_webhook_secrets: (id) => `webhook-secret:${id}`,
  sign_in_secrets: () => signInSeal,
  raw_keys: (id) => rawKeySeal(id),
  key_store: (id) => rawKeySeal(id),
  signing_keys: (id) => `signing_keys:${id}`,
};

/** What a stored secret is bound to, given the key of its row. */
export function boundaryOf(place: SealedPlace, key: readonly string[]): string {
  return seals[place](...key);
}

/** Number of values replaced per statement. */
const atOnce = 100;
/** Any transaction that locks a row ends long before these pauses are over. */
const pausesMs = [0, 100, 500, 2_000, 5_000];

export interface Resealed {
  resealed: Record<SealedPlace, number>;
  /** Values that remain encrypted with a key other than the newest. */
  left: Record<SealedPlace, number>;
  /** Versions of missing keys that are needed to decrypt the remaining values. */
  missingVersions: number[];
}

type ResealContext = Pick<Context, 'operator' | 'keyring' | 'rawPayloads'>;

/**
 * Re-encrypts values that were encrypted with an older key, a few at a time while the service runs. Values replaced in the meantime already use the
 * newest key.
 */
export async function resealValues(ctx: ResealContext): Promise<Resealed> {
  const resealed = countNone();
  let pass: Pass | undefined;
  for (const pauseMs of pausesMs) {
    await sleep(pauseMs);
    pass = await resealOnce(ctx);
    for (const place of sealedPlaces) resealed[place] += pass.resealed[place];
    if (pass.waiting === 0) break;
  }
  const { left, missing } = pass!;
  return { resealed, left, missingVersions: [...missing].toSorted((one, other) => one - other) };
}

interface Pass {
  resealed: Record<SealedPlace, number>;
  left: Record<SealedPlace, number>;
  missing: Set<number>;
  /** Values that could not be re-encrypted because another transaction had locked or changed them. */
  waiting: number;
}

async function resealOnce(ctx: ResealContext): Promise<Pass> {
  const pass: Pass = { resealed: countNone(), left: countNone(), missing: new Set(), waiting: 0 };
  for (const place of sealedPlaces) {
    const db = place === 'key_store' ? ctx.rawPayloads.keyStore : ctx.operator;
    if (!db) continue;
    let after: string[] | null = null;
    for (;;) {
      const page: SealedValue[] = await listSealedOtherwise(db, place, {
        version: ctx.keyring.newestVersion,
        after,
        limit: atOnce,
      });
      const openable = page.flatMap((value) => sealAnew(ctx.keyring, place, value, pass.missing) ?? []);
      const replaced = openable.length === 0 ? 0 : await replaceSealed(db, place, openable);
      pass.resealed[place] += replaced;
      pass.left[place] += page.length - replaced;
      pass.waiting += openable.length - replaced;
      if (page.length < atOnce) break;
      after = page.at(-1)!.key;
    }
  }
  return pass;
}

function sealAnew(
  keyring: Keyring,
  place: SealedPlace,
  value: SealedValue,
  missing: Set<number>,
): (SealedValue & { anew: Buffer }) | null {
  const boundTo = boundaryOf(place, value.key);
  try {
    return { ...value, anew: keyring.encrypt(keyring.decrypt(value.sealed, boundTo), boundTo) };
  } catch {
    missing.add(value.sealed.readUInt16BE());
    return null;
  }
}

function countNone(): Record<SealedPlace, number> {
  return Object.fromEntries(sealedPlaces.map((place) => [place, 0])) as Record<SealedPlace, number>;
}
