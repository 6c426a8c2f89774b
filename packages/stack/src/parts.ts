/** Parts of the stack, for proofs that arrange engines differently. */
export { findBinaries } from './engines/binaries.ts';
export { ensureDashboardBuilt } from './service/dashboard-build.ts';
export { engineEnvironment } from './engines/engine.ts';
export { probe } from './engines/probe.ts';
export { openTemporaryFolder } from './folder.ts';
export { startGuard } from './processes/guard.ts';
export { rotateLogs } from './processes/log-file.ts';
export { type Service, createService } from './service/service.ts';
