/** Shared by proofs, benchmarks, fuzzing and guides: starting services, load, seeds, histories, reports and planted faults. */
export { cpuSeconds } from './cpu.ts';
export { numberIn, numberInId, uuidOf } from './events/event-number.ts';
export { Ledger } from './events/ledger.ts';
export { type FeedTenant, createTenants } from './events/tenants.ts';
export { forEachOf } from './for-each-of.ts';
export { Client, type Outcome, flood, pace } from './load.ts';
export { LocalDays } from './local-days.ts';
export { chooseFaults, findFaults, listFaults } from './planted-faults.ts';
export { newSeed, Random } from './random.ts';
export { RawConnection, RawConnections, type RawRequest, prepareGet } from './raw-http.ts';
export { Report, limitRunTime, median, progress, quantile, renderTable } from './report.ts';
export {
  type RunAccount,
  type RunStack,
  type RunStackOptions,
  readMetrics,
  startRunStack,
  waitForPresence,
} from './run-stack.ts';
export { type Patch, applyPatch, openService, root } from './service-copy.ts';
export { shareStack } from './shared-stack.ts';
export { type SilentProxy, startSilentProxy } from '@tributary/server/testing/silent-proxy';
