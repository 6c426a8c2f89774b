import { failureOfStatus, ProviderFailure } from '../failure.ts';
import { fieldsOf } from '../mapping/read.ts';
import { failureOfTokenAnswer } from '../oauth/token-answer.ts';
import type { Answer } from '../provider.ts';

/** What is wrong with an answer of Polar: only its token endpoint names an `error`. */
export function failureOf(answer: Answer, nowMs: number): ProviderFailure | null {
  const plain = failureOfStatus(answer, nowMs);
  if (plain?.kind === 'limited')
    return new ProviderFailure('limited', plain.message, { retryAtMs: resetAtOf(answer, nowMs) });
  const isOfTokens = plain !== null && typeof fieldsOf(parsed(answer.body))['error'] === 'string';
  return (isOfTokens ? failureOfTokenAnswer(answer) : null) ?? plain;
}

/** Headers have a number for a quarter of an hour and one for a day: the limit that is used up says when it is reset. */
function resetAtOf({ headers }: Answer, nowMs: number): number | null {
  const [usage = [], limits = [], resets = []] = ['usage', 'limit', 'reset'].map((name) =>
    (headers[`ratelimit-${name}`] ?? '').split(',').map((part) => Number.parseFloat(part)),
  );
  const used = resets.filter((seconds, at) => seconds >= 0 && (usage[at] ?? 0) >= (limits[at] ?? Infinity));
  const first = resets.find((seconds) => seconds >= 0);
  if (used.length > 0) return nowMs + Math.max(...used) * 1000;
  return first === undefined ? null : nowMs + first * 1000;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
