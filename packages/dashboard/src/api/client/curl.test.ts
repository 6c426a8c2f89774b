import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf } from './curl.ts';

const origin = 'https://health.example.com';

test('a read is a URL with the key as a variable', () => {
  expect(curlOf({ method: 'GET', path: '/v1/users', query: { limit: 20 } }, origin)).toBe(
    `curl 'https://health.example.com/v1/users?limit=20' \\
  -H "Authorization: Bearer $TRIBUTARY_KEY"`,
  );
});

test('quotes every part for the shell', () => {
  const body = { reference_id: "O'Brien $HOME `id`" };
  const command = curlOf({ method: 'POST', path: '/v1/users', query: { q: "a'b" }, body }, origin);
  const output = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], {
    env: { TRIBUTARY_KEY: 'sk_1' },
    encoding: 'utf8',
  });
  expect(output.trimEnd().split('\n')).toEqual([
    '-X',
    'POST',
    'https://health.example.com/v1/users?q=a%27b',
    '-H',
    'Authorization: Bearer sk_1',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(body),
  ]);
});
