import { createHash, randomBytes } from 'node:crypto';
import type { AuditAction } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { ActingForAccount } from '../../store/acting.ts';
import { insertAuditEntry, type AuditText } from '../../store/audit-intake.ts';
import type { Queryable } from '../../store/database.ts';

export interface Change {
  action: AuditAction;
  /** What it was done to, by its id as the API shows it. */
  target: { type: string; id: string };
  /** Names of fields, states, counts: never a measured value, a secret, or text about a person. */
  data?: Record<string, unknown>;
  /** The user that the change is about, and text about that person, which goes when the person is forgotten. */
  person?: string;
  text?: Record<string, string | null>;
}

/** Writes down who did what to what, in the transaction of the change: both are there, or neither is. */
export async function record(
  ctx: Pick<Context, 'newId'>,
  tx: Queryable,
  acting: ActingForAccount,
  { action, target, data = {}, person, text }: Change,
): Promise<void> {
  const { actor } = acting;
  // Where a person is at home is text about that person.
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

/** What an entry says of its text. Without the salt, which goes with the text, nobody can try texts out. */
export function hashText(salt: Buffer, text: string): Buffer {
  return createHash('sha256').update(salt).update(text).digest();
}
