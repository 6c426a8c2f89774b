import { findDifference, textMatches, type Json } from './compare.ts';
import { readGuide, type GuideStep, type ShownOutput } from './read-guide.ts';
import { refresh } from './refresh.ts';
import type { GuideRun } from './run-guide.ts';

/** Lists what is no longer true in a guide, step by step. */
export function findProblems(steps: readonly GuideStep[], { printed, failure }: GuideRun): string[] {
  const lastStep = steps[printed.length - 1];
  const problems = failure === null ? [] : [`line ${lastStep?.line}: the commands failed: ${failure}`];
  const ended = failure === null ? printed : printed.slice(0, -1);
  for (const [at, text] of ended.entries()) {
    const { line, shown } = steps[at]!;
    const problem = problemWith(shown, text.trim());
    if (problem) problems.push(`line ${line}: ${problem}`);
  }
  return problems;
}

function problemWith(shown: ShownOutput | null, printed: string): string | null {
  if (!shown)
    return printed === '' ? null : `the commands print output that the guide does not show: ${printed}`;
  const expected = shown.text.trim();
  if (shown.language === 'text')
    return textMatches(expected, printed)
      ? null
      : `the guide shows\n${expected}\nbut the commands printed\n${printed}`;
  const [shownJson, printedJson] = [parse(expected), parse(printed)];
  if (shownJson === undefined) return 'the output in the guide is not JSON';
  if (printedJson === undefined) return `the printed output is not JSON: ${printed}`;
  return findDifference(shownJson, printedJson);
}

/** Returns the guide with its current responses. */
export function refreshGuide(guide: string, { printed }: GuideRun, nowMs: number): string {
  let refreshed = guide;
  // From the end, so that earlier offsets stay valid.
  for (const [at, { shown }] of [...readGuide(guide).entries()].toReversed()) {
    const text = printed[at]?.trim();
    if (shown && text)
      refreshed = refreshed.slice(0, shown.start) + fresh(shown, text, nowMs) + refreshed.slice(shown.end);
  }
  return refreshed;
}

function fresh(shown: ShownOutput, printed: string, nowMs: number): string {
  if (problemWith(shown, printed) === null) return shown.text;
  const real = shown.language === 'json' ? parse(printed) : undefined;
  if (real === undefined) return `${printed}\n`;
  return `${JSON.stringify(refresh(parse(shown.text), real, nowMs))}\n`;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
