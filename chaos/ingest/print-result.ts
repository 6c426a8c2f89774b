import type { Report } from '@tributary/rig';
import type { Verdict } from './check/check.ts';
import type { Difference, Wrong } from './check/differences.ts';
import type { History } from './history.ts';

const wrongs: readonly Wrong[] = ['lost', 'twice', 'phantom', 'wrong'];
const titles: Record<Difference['what'], string> = {
  batch: 'batches',
  receipt: 'receipts',
  sample: 'samples',
  day: 'canonical days',
  session: 'sleep and workouts',
  event: 'events',
};

/** Adds the check's findings to a report. Every difference fails a bound. */
export function reportVerdict(report: Report, verdict: Verdict): void {
  const { batches, unknown, samples, days, sessions } = verdict.compared;
  report.note(
    'compared',
    `${batches} batches (${unknown} of them from requests with an unknown outcome), ${samples} samples, ${days} days, ${sessions} sessions`,
  );
  report.bound(
    'pending at the end',
    `${verdict.pending}, after ${(verdict.drainedMs / 1000).toFixed(1)} s`,
    '0',
    verdict.pending === 0,
  );
  report.bound('dead letters', String(verdict.deadLetters), '0', verdict.deadLetters === 0);
  for (const [what, title] of Object.entries(titles)) {
    const counts = wrongs.map(
      (wrong) => verdict.differences.filter((one) => one.what === what && one.wrong === wrong).length,
    );
    const figure = wrongs.map((wrong, at) => `${counts[at]} ${wrong}`).join(', ');
    report.bound(
      title,
      figure,
      'none',
      counts.every((count) => count === 0),
    );
  }
}

/** Adds what clients saw to a report. */
export function reportHistory(report: Report, history: History): void {
  const { counts, surprises } = history;
  report.note(
    'requests',
    `${counts.acknowledged} acknowledged, ${counts.unknown} unknown, ${counts.unsent} not sent, ${counts.limited} rate-limited`,
  );
  const sample = surprises[0] === undefined ? '' : `, for example: ${surprises[0]}`;
  report.bound('unexpected responses', `${surprises.length}${sample}`, '0', surprises.length === 0);
}

/** Explains the first differences, if any. */
export function explainVerdict(verdict: Verdict): void {
  if (verdict.differences.length === 0) return;
  console.log(`\nThe first of ${verdict.differences.length} differences:\n`);
  for (const text of verdict.explained) console.log(text);
}
