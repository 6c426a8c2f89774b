import type { Logger } from 'pino';
import type pg from 'pg';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Keyring } from './credentials/keyring.ts';
import type { Loops } from './loops.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Broker } from './stream/broker.ts';

/** The part of the context that belongs to no service. Parts of the context are built from it, so they import this and not `Context`. */
export interface Core {
  config: Config;
  log: Logger;
  metrics: Metrics;
  loops: Loops;
  clock: Clock;
  newId: () => string;
  /** Sees one tenant at a time. */
  db: pg.Pool;
  /** Sees all tenants: command line, schedules, sequencing, sign-in, and changes to accounts and dashboard users. */
  operator: pg.Pool;
  keyring: Keyring;
  broker: Broker;
}
