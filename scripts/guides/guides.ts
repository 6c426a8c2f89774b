import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from '@tributary/stack';
import { readGuide, type GuideStep } from './read-guide.ts';
import { runGuide, type GuideRun } from './run-guide.ts';

/** Documents whose commands are run, and whose responses are compared with the actual ones. */
export const guides = [
  'README.md',
  'docs/reading-data.md',
  'docs/two-forms.md',
  'docs/consolidation.md',
  'docs/scores.md',
  'docs/events.md',
  'docs/webhooks.md',
  'docs/client.md',
  'docs/roster.md',
];

/** Adapts a document's commands to this stack. Only addresses and the folder of keys and settings are replaced. */
function adaptTo(stack: Stack): (commands: string) => string {
  return (commands) =>
    commands
      .replaceAll('http://127.0.0.1:8080', stack.info.base_url)
      .replaceAll('http://127.0.0.1:10809', stack.info.mail_url ?? 'no-mail')
      .replaceAll('.tributary/demo.json', join(stack.dir, 'demo.json'))
      .replaceAll(
        'npm run --silent tributary --',
        `node --env-file=${join(stack.dir, 'command.env')} packages/server/src/main.ts`,
      );
}

/** Runs the guide at a path in the repository. */
export async function runGuideOn(
  stack: Stack,
  root: string,
  path: string,
): Promise<{ text: string; steps: GuideStep[]; ran: GuideRun }> {
  const text = await readFile(join(root, path), 'utf8');
  const steps = readGuide(text);
  return { text, steps, ran: await runGuide(steps, root, adaptTo(stack)) };
}
