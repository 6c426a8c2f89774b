import type { BatchKind } from '../../store/uploads/raw-batches.ts';

/**
 * The kind of a batch whose row does not name it, because a node of an earlier version wrote it. Documents of a provider have no `batch_id`,
 * and every upload of the Mobile SDK has one; the batches of simulated devices have neither.
 */
export function inferBatchKind(body: object): BatchKind {
  return 'documents' in body && !('batch_id' in body) ? 'documents' : 'upload';
}
