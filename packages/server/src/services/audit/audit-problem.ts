/** Problems that verification can find in the audit log, with their messages. */
const problemTexts = {
  hole: 'entries are missing before this position',
  position_twice: 'two entries have this position',
  edited: 'the entry does not match its hash: the entry, its hash or the previous hash was changed',
  moved: 'the entry is at the wrong position: the order was changed',
  unchecked: 'the entry cannot be verified because the previous entry is missing',
  after_head: 'the entry comes after the signed chain head',
  missing_end: 'the last entries are missing: the chain was signed up to this position',
  head_differs: 'the signed chain head has a different hash than the entry at this position',
  head_not_ours: 'the chain head is not signed with our keys',
  head_missing: 'the signed chain head is missing',
  chain_missing: 'all entries of the chain are missing',
  anchor_differs: 'the entry has a different hash than its anchor in NATS',
  anchor_missing: 'the entry anchored in NATS at this position is missing',
  anchor_not_ours: 'an anchor in NATS contradicts the chain, but is not signed with our keys',
  text_edited: "the entry's text was changed",
  text_missing: "the entry's text is missing, but its person was not erased",
  text_stray: 'a text belongs to no entry',
  id_twice: 'another entry has the same id',
  waiting_twice: 'the entry is also waiting to be chained',
  note_differs: 'the entry has a different hash than the one passed with --expect',
  note_missing: 'the entry passed with --expect is missing',
} as const;

export type AuditProblemKind = keyof typeof problemTexts;

export interface AuditProblem {
  kind: AuditProblemKind;
  accountId: string;
  position: number | null;
  message: string;
}

/** Maximum number of problems that are listed. Further problems are only counted. */
const maxListed = 1_000;

export class AuditProblems {
  readonly listed: AuditProblem[] = [];
  count = 0;

  add(kind: AuditProblemKind, accountId: string, position: number | null, detail = ''): void {
    this.count += 1;
    if (this.listed.length < maxListed)
      this.listed.push({ kind, accountId, position, message: problemTexts[kind] + detail });
  }
}
