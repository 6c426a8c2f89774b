import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The result of a part. */
export interface PartResult {
  name: string;
  passed: boolean;
  /** The last line that it printed about its result. */
  summary: string;
  seconds: number;
  endedAt: string;
}

/** The results of one commit, kept in a file so that an interrupted run can be resumed. */
export interface NightlyState {
  commit: string;
  results: PartResult[];
}

/** The commit that is checked out. Throws if files differ from it, because results belong to a commit. */
export async function readCommit(root: string): Promise<string> {
  const { stdout: changes } = await run('git', ['status', '--porcelain'], { cwd: root });
  if (changes.trim() !== '')
    throw new Error('Commit or stash your changes first. Results are stored per commit.');
  const { stdout } = await run('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: root });
  return stdout.trim();
}

export async function openState(dir: string, commit: string): Promise<NightlyState> {
  await mkdir(dir, { recursive: true });
  const text = await readFile(join(dir, 'results.json'), 'utf8').catch(() => null);
  return text === null ? { commit, results: [] } : (JSON.parse(text) as NightlyState);
}

/** Replaces an earlier result of the same part. */
export async function saveResult(dir: string, state: NightlyState, result: PartResult): Promise<void> {
  state.results = [...state.results.filter(({ name }) => name !== result.name), result];
  const aside = join(dir, 'results.json.new');
  await writeFile(aside, `${JSON.stringify(state, null, 2)}\n`);
  await rename(aside, join(dir, 'results.json'));
}
