import type { BatchWire, BatchReceiptWire } from './sdk-batch.ts';

export const exampleBatch = {
  batch_id: '0d9c1c55-3f0e-4d4b-9a52-6f6f3f1f7f10',
  created_at: '2026-03-02T07:14:30Z',
  sent_at: '2026-03-02T07:14:31Z',
  device: { provider: 'apple_health', id: 'watch-81c2', kind: 'watch', model: 'Watch 9' },
  series: [
    {
      metric: 'heart_rate',
      start: '2026-03-02T07:00:00Z',
      interval_seconds: 5,
      values: [61, 62, 62, 63],
      utc_offset: '+01:00',
    },
  ],
  records: [{ metric: 'weight', start: '2026-03-02T06:40:00Z', value: 160.2, unit: 'lb', id: 'scale-17' }],
  daily: [{ metric: 'steps', date: '2026-03-01', value: 8420 }],
} satisfies BatchWire;

export const exampleBatchReceipt: BatchReceiptWire = {
  batch_id: exampleBatch.batch_id,
  status: 'processed',
  counts: { new: 5, updated: 0, duplicate: 0, rejected: 1, deleted: 0 },
  rejected: [
    {
      list: 'series',
      index: 0,
      position: 3,
      count: 1,
      code: 'out_of_range',
      message: 'The value is outside the plausible range of this metric.',
    },
  ],
};
