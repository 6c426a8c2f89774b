import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  write(
    createLog({ log: { level: 'info' }, nodeName: 'node' }, 'api', { write: (line) => void (text += line) }),
  );
  return text;
}

test('removes values that a database error quotes, and keeps the rest', () => {
  const quoting = Object.assign(new Error('invalid input syntax for type double precision: "62.5 bpm"'), {
    severity: 'ERROR',
    code: '22P02',
    detail: 'more of 62.5 bpm',
    where: 'unnamed portal parameter $1 = 62.5 bpm',
  });
  const text = logged((log) => log.error({ err: quoting }, 'failed'));
  expect(text).not.toContain('62.5');
  expect(text).toContain('22P02');
  const plain = logged((log) => log.error({ err: new Error('connection refused') }, 'failed'));
  expect(plain).toContain('connection refused');
});

test('redacts credentials and bodies wherever a caller put them', () => {
  const text = logged((log) =>
    log.info(
      {
        authorization: 'Bearer s',
        user: { token: 's' },
        headers: { a: 's' },
        body: 's',
        input: { secret: 's' },
      },
      'x',
    ),
  );
  expect(JSON.parse(text)).toMatchObject({
    level: 'info',
    node: 'node',
    role: 'api',
    msg: 'x',
    user: {},
    input: {},
  });
  expect(text).not.toContain('"s"');
});
