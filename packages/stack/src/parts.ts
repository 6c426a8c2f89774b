/** Parts of the stack, for proofs that arrange engines differently. */
export { findBinaries } from './binaries.ts';
export { ensureDashboardBuilt } from './dashboard-build.ts';
export { engineEnvironment } from './engines/engine.ts';
export { probe } from './engines/probe.ts';
export { openTemporaryFolder } from './folder.ts';
export { startGuard } from './guard.ts';
export { rotateLogs } from './log-file.ts';
export { type Service, createService } from './service.ts';
