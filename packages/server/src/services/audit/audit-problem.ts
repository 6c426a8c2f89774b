/** What can be wrong with the audit log, and how it is told. */
const problemTexts = {
  hole: 'entries are missing before this position',
  position_twice: 'this position is taken twice',
  edited: 'the entry does not match its hash: it, its hash or the hash of the entry before was changed',
  moved: 'the entry belongs to another position: the order was changed',
  unchecked: 'the entry cannot be checked, since the one before it is missing',
  after_head: 'the entry comes after the end that was signed',
  missing_end: 'the last entries are missing: the chain was signed up to this position',
  head_differs: 'the signed end has another hash than the entry at this position',
  head_not_ours: 'the end of the chain is not signed with our keys',
  head_missing: 'the signed end of the chain is missing',
  chain_missing: 'every entry of the chain is missing',
  anchor_differs: 'the entry has another hash than was anchored in NATS',
  anchor_missing: 'the entry is missing that was anchored in NATS at this position',
  anchor_not_ours: 'an anchor in NATS says otherwise, which is not signed with our keys',
  text_edited: "the entry's text was changed",
  text_missing: "the entry's text is missing, although its person was not forgotten",
  text_stray: 'a text belongs to no entry',
  id_twice: 'another entry has the same id',
  waiting_twice: 'the entry waits to be chained once more',
  note_differs: 'the entry has another hash than your note',
  note_missing: 'the entry of your note is missing',
} as const;

export type AuditProblemKind = keyof typeof problemTexts;

export interface AuditProblem {
  kind: AuditProblemKind;
  accountId: string;
  position: number | null;
  message: string;
}

/** Problems that are told; more are only counted. */
const mostTold = 1_000;

/** Collects what is wrong. */
export class AuditProblems {
  readonly told: AuditProblem[] = [];
  count = 0;

  add(kind: AuditProblemKind, accountId: string, position: number | null, detail = ''): void {
    this.count += 1;
    if (this.told.length < mostTold)
      this.told.push({ kind, accountId, position, message: problemTexts[kind] + detail });
  }
}
