import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { GuideStep } from './read-guide.ts';

const run = promisify(execFile);

export interface GuideRun {
  /** The output of each step that ran. */
  printed: string[];
  /** Why the last of them failed. */
  failure: string | null;
}

// A request whose response is not shown must succeed; a shown response may be an error. Background processes of
// a guide end with it, also when one of its commands fails.
const prelude = `set -euo pipefail
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
curl() { command curl $\{must_succeed:+--fail-with-body} "$@"; }
`;

/** Runs the steps of a guide in one shell, so that later steps see the variables of earlier ones. */
export async function runGuide(
  steps: readonly GuideStep[],
  root: string,
  adapt: (commands: string) => string,
): Promise<GuideRun> {
  const parts = steps.map(
    ({ commands, shown }) => `printf '\\x1e'\nmust_succeed=${shown ? '' : 'yes'}\n${adapt(commands)}`,
  );
  try {
    const { stdout } = await run('bash', ['-c', prelude + parts.join('\n')], { cwd: root, timeout: 120_000 });
    return { printed: printedBy(stdout), failure: null };
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
    return { printed: printedBy(stdout), failure: stderr || message };
  }
}

function printedBy(stdout: string): string[] {
  return stdout.split('\x1e').slice(1);
}
