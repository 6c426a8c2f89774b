/** Entry point for proofs and benchmarks: the audit chain. The service does not import this. */
export type { hashEntry } from '../services/audit/hash-entry.ts';
export { type AuditQuery, listAudit } from '../services/audit/list-audit.ts';
export { type Change, record } from '../services/audit/record.ts';
export type { verifyChain } from '../services/audit/verify-chain.ts';
export { type AuditEntry, entryColumns } from '../store/audit/chain.ts';
