import { createHash, randomBytes } from 'node:crypto';
import type { AuditAction } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { ActingForAccount } from '../../store/audit/actor.ts';
import { insertAuditEntry, type AuditText } from '../../store/audit/intake.ts';
import type { Queryable } from '../../store/database/database.ts';

export interface Change {
  action: AuditAction;
  /** The object of the action, with its ID as in the API. */
  target: { type: string; id: string };
  /** Field names, states and counts. Never a measured value, a secret, or text about a user. */
  data?: Record<string, unknown>;
  /** The user that the change is about, and text about that user, which an erasure deletes. */
  person?: string;
  text?: Record<string, string | null>;
}

/** Records an action in the transaction of the change, so that both are committed or neither is. */
export async function record(
  ctx: Pick<Context, 'newId'>,
  tx: Queryable,
  acting: ActingForAccount,
  { action, target, data = {}, person, text }: Change,
): Promise<void> {
  const { actor } = acting;
  // The IP address of a user is personal data, so it goes into the erasable text.
  const isPersonal = actor.type === 'person' || actor.type === 'sdk_session';
  const texts = { ...text, ...(isPersonal && actor.address !== null ? { address: actor.address } : {}) };
  await insertAuditEntry(tx, acting, {
    id: ctx.newId(),
    action,
    targetType: target.type,
    targetId: target.id,
    address: isPersonal ? null : actor.address,
    data: JSON.stringify(data),
    text: person === undefined || Object.keys(texts).length === 0 ? null : sealText(person, texts),
  });
}

function sealText(person: string, texts: Record<string, string | null>): AuditText {
  const text = JSON.stringify(texts);
  const salt = randomBytes(16);
  return { person, salt, text, hash: hashText(salt, text) };
}

/** Hashes the text of an entry. The salt is deleted together with the text, so the text cannot be guessed from the hash afterwards. */
export function hashText(salt: Buffer, text: string): Buffer {
  return createHash('sha256').update(salt).update(text).digest();
}
