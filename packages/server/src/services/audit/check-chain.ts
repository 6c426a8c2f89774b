import { parseId } from '../../ids.ts';
import type { SignedHead } from '../../store/audit/chain.ts';
import type { StoredEntry } from '../../store/audit/verification.ts';
import type { AuditProblems } from './audit-problem.ts';
import { beforeFirst, hashEntry } from './hash-entry.ts';
import { hashText } from './record.ts';

/** Actions after which a user's texts may be missing. An erasure removes them in steps and records an entry when it is complete. */
export const forgettingActions: readonly string[] = ['user.deleted', 'user.erased', 'person.forgotten'];

/** The hash that the entry at a position must have. */
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

/** The result of checking a chain. */
export interface CheckedChain {
  accountId: string;
  entries: number;
  head: SignedHead | null;
}

/** Checks the entries of one chain in order. */
export class ChainCheck {
  readonly accountId: string;
  readonly #problems: AuditProblems;
  readonly #head: SignedHead | null;
  /** Expected hashes whose entries have not been read yet, by position. */
  readonly #expected = new Map<number, ExpectedHash[]>();
  /** Positions whose texts are missing, by user, until a later entry records that the user was erased. */
  readonly #withoutText = new Map<string, number[]>();
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

  /** `following` returns the entries after it, as far as they are loaded. */
  add(entry: StoredEntry, laterEntries: () => Iterable<StoredEntry>): void {
    const { position } = entry;
    this.#entries += 1;
    if (position === this.#position + 1) this.#checkHash(entry, laterEntries);
    else if (position === this.#position) this.#report('position_twice', position);
    else {
      this.#report('hole', position, this.#describeHole(position));
      this.#report('unchecked', position);
    }
    this.#checkText(entry);
    for (const { hash, by } of this.#expected.get(position) ?? [])
      if (hash !== entry.hash.toString('hex')) this.#report(differs[by], position);
    this.#expected.delete(position);
    if (this.#head && position > this.#head.position) this.#report('after_head', position);
    this.#position = position;
    this.#hash = entry.hash;
  }

  /** `forgotten` contains the users whose erasure is recorded by entries that are not chained yet. */
  finish(forgotten: ReadonlySet<string>): CheckedChain {
    if (this.#entries === 0 && this.#expected.size > 0) this.#report('chain_missing', null);
    if (this.#entries > 0 && !this.#head) this.#report('head_missing', null);
    for (const [position, list] of this.#expected)
      for (const { by } of list) this.#report(isMissing[by], position);
    for (const [person, positions] of this.#withoutText)
      if (!forgotten.has(person)) for (const position of positions) this.#report('text_missing', position);
    return { accountId: this.accountId, entries: this.#entries, head: this.#head };
  }

  #checkHash(entry: StoredEntry, laterEntries: () => Iterable<StoredEntry>): void {
    const { position } = entry;
    if (hashEntry(this.#hash, position, entry).equals(entry.hash)) return;
    for (const other of laterEntries()) {
      const isHere = other.accountId === this.accountId && other.position !== position;
      if (isHere && hashEntry(this.#hash, position, other).equals(other.hash)) {
        this.#report('moved', position, ` (the entry for this position is at ${other.position})`);
        return;
      }
    }
    this.#report('edited', position);
  }

  #checkText(entry: StoredEntry): void {
    const { position, textHash, text } = entry;
    if (textHash === null) {
      if (text) this.#report('text_stray', position);
    } else if (!text) {
      const whose = entry.person ?? '';
      const positions = this.#withoutText.get(whose);
      if (positions) positions.push(position);
      else this.#withoutText.set(whose, [position]);
    } else {
      const isWhole =
        hashText(text.salt, text.content).toString('hex') === textHash &&
        text.person === entry.person &&
        text.accountId === entry.accountId &&
        text.environment === entry.environment;
      if (!isWhole) this.#report('text_edited', position);
    }
    // Last, so that it also covers the text of this entry.
    if (forgettingActions.includes(entry.action)) {
      const forgotten = parseId('user', entry.targetId);
      if (forgotten) this.#withoutText.delete(forgotten);
    }
  }

  #describeHole(position: number): string {
    const [from, to] = [this.#position + 1, position - 1];
    if (position <= this.#position || from > to) return '';
    return from === to ? `: ${from}` : `: ${from} to ${to}`;
  }

  #report(kind: Parameters<AuditProblems['add']>[0], position: number | null, detail = ''): void {
    this.#problems.add(kind, this.accountId, position, detail);
  }
}
