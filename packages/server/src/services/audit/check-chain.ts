import { parseId } from '../../ids.ts';
import type { SignedHead } from '../../store/audit-chain.ts';
import type { StoredEntry } from '../../store/audit-verification.ts';
import type { AuditProblems } from './audit-problem.ts';
import { beforeFirst, hashEntry } from './hash-entry.ts';
import { hashText } from './record.ts';

/** With one of these a person's texts may be gone: an erasure removes them in pieces, and tells when it has ended. */
export const forgettingActions: readonly string[] = ['user.deleted', 'user.erased', 'person.forgotten'];

/** A hash that some position has to have. */
export interface ExpectedHash {
  position: number;
  hash: string;
  by: 'head' | 'anchor' | 'strange_anchor' | 'note';
}

const differs = {
  head: 'head_differs',
  anchor: 'anchor_differs',
  strange_anchor: 'anchor_not_ours',
  note: 'note_differs',
} as const;
const isMissing = {
  head: 'missing_end',
  anchor: 'anchor_missing',
  strange_anchor: 'anchor_not_ours',
  note: 'note_missing',
} as const;

/** What a chain has come to. */
export interface CheckedChain {
  accountId: string;
  entries: number;
  head: SignedHead | null;
}

/** Checks the entries of one chain as they come, in their order. */
export class ChainCheck {
  readonly accountId: string;
  readonly #problems: AuditProblems;
  readonly #head: SignedHead | null;
  /** Not seen yet, by position. */
  readonly #expected = new Map<number, ExpectedHash[]>();
  /** Positions whose texts are missing, by person, until a later entry tells that the person was forgotten. */
  readonly #textless = new Map<string, number[]>();
  #entries = 0;
  #position = 0;
  #hash: Buffer = beforeFirst;

  constructor(
    accountId: string,
    head: SignedHead | null,
    expected: readonly ExpectedHash[],
    problems: AuditProblems,
  ) {
    this.accountId = accountId;
    this.#head = head;
    this.#problems = problems;
    const all = head
      ? [...expected, { position: head.position, hash: head.hash.toString('hex'), by: 'head' as const }]
      : expected;
    for (const one of all)
      this.#expected.set(one.position, [...(this.#expected.get(one.position) ?? []), one]);
  }

  /** `following` are entries that come after it, as far as they are at hand. */
  add(entry: StoredEntry, following: () => Iterable<StoredEntry>): void {
    const { position } = entry;
    this.#entries += 1;
    if (position === this.#position + 1) this.#checkHash(entry, following);
    else if (position === this.#position) this.#tell('position_twice', position);
    else {
      this.#tell('hole', position, this.#describeHole(position));
      this.#tell('unchecked', position);
    }
    this.#checkText(entry);
    for (const { hash, by } of this.#expected.get(position) ?? [])
      if (hash !== entry.hash.toString('hex')) this.#tell(differs[by], position);
    this.#expected.delete(position);
    if (this.#head && position > this.#head.position) this.#tell('after_head', position);
    this.#position = position;
    this.#hash = entry.hash;
  }

  /** `forgotten` are people of whom entries that are not chained yet tell so. */
  finish(forgotten: ReadonlySet<string>): CheckedChain {
    if (this.#entries === 0 && this.#expected.size > 0) this.#tell('chain_missing', null);
    if (this.#entries > 0 && !this.#head) this.#tell('head_missing', null);
    for (const [position, list] of this.#expected)
      for (const { by } of list) this.#tell(isMissing[by], position);
    for (const [person, positions] of this.#textless)
      if (!forgotten.has(person)) for (const position of positions) this.#tell('text_missing', position);
    return { accountId: this.accountId, entries: this.#entries, head: this.#head };
  }

  #checkHash(entry: StoredEntry, following: () => Iterable<StoredEntry>): void {
    const { position } = entry;
    if (hashEntry(this.#hash, position, entry).equals(entry.hash)) return;
    for (const other of following()) {
      const isHere = other.accountId === this.accountId && other.position !== position;
      if (isHere && hashEntry(this.#hash, position, other).equals(other.hash)) {
        this.#tell('moved', position, `; the one that belongs here is at ${other.position}`);
        return;
      }
    }
    this.#tell('edited', position);
  }

  #checkText(entry: StoredEntry): void {
    const { position, textHash, text } = entry;
    if (textHash === null) {
      if (text) this.#tell('text_stray', position);
    } else if (!text) {
      const whose = entry.person ?? '';
      const positions = this.#textless.get(whose);
      if (positions) positions.push(position);
      else this.#textless.set(whose, [position]);
    } else {
      const isWhole =
        hashText(text.salt, text.content).toString('hex') === textHash &&
        text.person === entry.person &&
        text.accountId === entry.accountId &&
        text.environment === entry.environment;
      if (!isWhole) this.#tell('text_edited', position);
    }
    // Last, so that it covers what the entry itself says of the person.
    if (forgettingActions.includes(entry.action)) {
      const forgotten = parseId('user', entry.targetId);
      if (forgotten) this.#textless.delete(forgotten);
    }
  }

  #describeHole(position: number): string {
    const [from, to] = [this.#position + 1, position - 1];
    if (position <= this.#position || from > to) return '';
    return from === to ? `: ${from}` : `: ${from} to ${to}`;
  }

  #tell(kind: Parameters<AuditProblems['add']>[0], position: number | null, detail = ''): void {
    this.#problems.add(kind, this.accountId, position, detail);
  }
}
