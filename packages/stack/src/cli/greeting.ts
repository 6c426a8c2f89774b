import { styleText } from 'node:util';
import type { Progress } from './progress.ts';
import type { StackInfo } from '../service/stack-info.ts';

type Format = Parameters<typeof styleText>[0];

/** Colors text for a stream, only on a terminal and without NO_COLOR. */
export type Paint = (format: Format, text: string) => string;

export function paintFor(stream: NodeJS.WriteStream): Paint {
  const colored = stream.isTTY && !process.env['NO_COLOR'];
  return (format, text) => (colored ? styleText(format, text, { validateStream: false }) : text);
}

/** One line for each completed step. */
export function renderProgress({ step, detail, state, elapsedMs }: Progress, paint: Paint): string {
  if (state === 'started') return '';
  const seconds = `${(elapsedMs / 1000).toFixed(1)} s`;
  return `  ${step.padEnd(12)} ${detail.padEnd(24)} ${paint('dim', seconds.padStart(7))}\n`;
}

/** Where a stack stores its data. */
export interface Place {
  dir: string;
  ephemeral: boolean;
  /** The database, if it is outside that folder. */
  database?: string | undefined;
}

/** The message that is printed once everything is ready. */
export function renderGreeting(info: StackInfo, place: Place, paint: Paint): string {
  const rows: [label: string, value: string][] = [
    ...info.base_urls.map((url, index): [string, string] => [index === 0 ? 'API' : '', url]),
    ['Reference', `${info.base_url}/docs`],
    ['Dashboard', info.dashboard_url],
    ...(info.owner_url === undefined
      ? []
      : [['', `${info.owner_url} (makes you the owner)`] as [string, string]]),
    ['Metrics', info.metrics_url],
    ...(info.mail_url === null ? [] : [['Local inbox', info.mail_url] as [string, string]]),
    ...(info.lab_url === null
      ? []
      : [['Lab', `${info.lab_url} (simulated providers for the sandbox)`] as [string, string]]),
    ['Account', info.account_id],
    ['Live key', info.live_key],
    ['Sandbox key', info.sandbox_key],
    ['Data', place.ephemeral ? `${place.dir} (deleted on exit)` : place.dir],
  ];
  if (place.database !== undefined) rows.push(['', `${place.database} (database)`]);
  if (info.outbound_allow !== '')
    rows.push(['Webhooks', `can reach ${info.outbound_allow} (blocked in production)`]);
  const commands = tryCommands(info).flatMap(({ title, command }) => [
    '',
    paint('dim', `  # ${title}`),
    `  ${command}`,
  ]);
  return [
    '',
    paint('bold', 'Tributary is ready.'),
    '',
    ...rows.map(([label, value]) => `  ${paint('dim', label.padEnd(12))} ${value}`),
    '',
    paint('bold', 'Try it:'),
    ...commands,
    '',
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

/** Three first API calls, ready to be pasted. */
export function tryCommands({ base_url, sandbox_key }: StackInfo): { title: string; command: string }[] {
  const key = `-H "Authorization: Bearer ${sandbox_key}"`;
  const user = '{"reference_id":"ada","timezone":"Europe/Berlin"}';
  return [
    {
      title: 'create a user',
      command: `curl -s -X POST ${base_url}/v1/users ${key} -H "Content-Type: application/json" -d '${user}'`,
    },
    { title: 'list users', command: `curl -s ${base_url}/v1/users ${key}` },
    { title: 'get the full API description', command: `curl -s ${base_url}/openapi.json` },
  ];
}
