import { appendFileSync, closeSync, mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLog, rotateLogs, tailLog } from './log-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tributary-logs-'));
  rotateLogs(dir);
});
afterEach(() => rmSync(dir, { recursive: true }));

function write(name: string, text: string) {
  const log = openLog(dir, name);
  writeSync(log.fd, text);
  closeSync(log.fd);
  return log;
}

test('rotateLogs keeps the logs of the previous start', () => {
  write('redis', 'first\n');
  rotateLogs(dir);
  write('redis', 'second\n');
  expect(readFileSync(join(dir, 'logs/redis.log'), 'utf8')).toBe('second\n');
  expect(readFileSync(join(dir, 'logs.previous/redis.log'), 'utf8')).toBe('first\n');
  rotateLogs(dir);
  expect(readFileSync(join(dir, 'logs.previous/redis.log'), 'utf8')).toBe('second\n');
});

describe('tailLog', () => {
  test('returns the last lines of this run, not of the previous one', () => {
    write('nats', 'old run\n');
    const log = write('nats', 'one\ntwo\nthree\n');
    expect(tailLog(log)).toBe('one\ntwo\nthree');
    expect(tailLog(log, 2)).toBe('two\nthree');
  });

  test('is short for a log of any size, and empty for a missing one', () => {
    const log = write('node-1', '');
    appendFileSync(log.file, 'x'.repeat(99).concat('\n').repeat(10_000));
    expect(tailLog(log).split('\n')).toHaveLength(15);
    expect(tailLog({ file: join(dir, 'none.log'), offset: 0 })).toBe('');
  });
});
