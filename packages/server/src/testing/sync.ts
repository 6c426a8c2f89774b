/** Entry point for proofs and benchmarks: provider documents and push URLs. The service does not import this. */
export { pushUrlOf } from '../services/providers/push-address.ts';
export { packDocuments } from '../services/sync/document-payload.ts';
export { defaultScopeBits } from '../scope-bits.ts';
export { cloudDevice } from '@tributary/domain';
export { insertDocumentBatches } from '../store/connections/retained-documents.ts';
export { insertSandboxBatches } from '../store/sandbox/sandbox.ts';
