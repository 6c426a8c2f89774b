import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assertInstalled, findBinaries } from './binaries.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tributary-binaries-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function install(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '#!/bin/sh\n', { mode: 0o755 });
  }
}

function find(major?: string) {
  const postgresFolders = ['lib/17/bin', 'lib/15/bin', 'bin'].map((folder) => join(root, folder));
  return findBinaries({ postgresFolders, folders: [join(root, 'bin')] }, major);
}

describe('findBinaries', () => {
  test('picks the first complete PostgreSQL, with psql from elsewhere if needed', () => {
    install('lib/17/bin/postgres', 'lib/15/bin/postgres', 'lib/15/bin/initdb', 'bin/psql');
    expect(find().postgres).toEqual({
      postgres: join(root, 'lib/15/bin/postgres'),
      initdb: join(root, 'lib/15/bin/initdb'),
      psql: join(root, 'bin/psql'),
    });
  });

  test('prefers the PostgreSQL version that created the data folder', () => {
    install('bin/psql', ...['15', '17'].flatMap((v) => [`lib/${v}/bin/postgres`, `lib/${v}/bin/initdb`]));
    expect(find().postgres?.postgres).toBe(join(root, 'lib/17/bin/postgres'));
    expect(find('15').postgres?.postgres).toBe(join(root, 'lib/15/bin/postgres'));
    expect(find('16').postgres?.postgres).toBe(join(root, 'lib/17/bin/postgres'));
  });

  test('skips files that are not executable, and accepts Valkey as Redis', () => {
    install('bin/valkey-server');
    writeFileSync(join(root, 'bin/nats-server'), '', { mode: 0o644 });
    mkdirSync(join(root, 'bin/redis-server'));
    expect(find()).toMatchObject({ nats: null, redis: join(root, 'bin/valkey-server') });
  });
});

describe('assertInstalled', () => {
  test('explains how to install each missing engine', () => {
    const programs = { postgres: null, nats: null, redis: '/usr/bin/redis-server' };
    const check = (): void => assertInstalled(programs, ['postgres', 'nats', 'redis']);
    expect(check).toThrow('Not found on this machine: PostgreSQL, NATS.');
    expect(check).toThrow('apt-get install postgresql nats-server\n');
    expect(check).toThrow('brew install postgresql@17 nats-server\n');
    expect(check).toThrow('set DATABASE_URL, NATS_URL.');
  });

  test('does not require an engine that runs elsewhere', () => {
    expect(() =>
      assertInstalled({ postgres: null, nats: '/n', redis: '/r' }, ['nats', 'redis']),
    ).not.toThrow();
  });
});
