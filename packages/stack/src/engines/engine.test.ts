import { describe, expect, test } from 'vitest';
import { addressIn, existingEngine } from './engine.ts';

describe('addressIn', () => {
  test.each([
    ['postgres://me:secret@db.example:5432/tributary?sslmode=require', 'db.example:5432'],
    ['nats://a:4222,nats://b:4222', 'b:4222'],
    ['localhost:4222', 'localhost:4222'],
    ['redis://cache', 'cache'],
  ])('shows %s as %s', (url, address) => {
    expect(addressIn(url)).toBe(address);
  });
});

describe('existingEngine', () => {
  test('is used but never stopped or wiped', async () => {
    const redis = existingEngine('redis', 'redis://cache', 6379);
    expect(redis).toMatchObject({ name: 'redis', url: 'redis://cache', port: 6379, pid: undefined });
    await redis.stop();
    expect(() => redis.signal('SIGKILL')).toThrow('This stack does not run redis at cache.');
    await expect(redis.wipe()).rejects.toThrow('This stack does not run');
  });
});
