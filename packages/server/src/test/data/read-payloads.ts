import { zstdDecompressSync } from 'node:zlib';
import type { TestApp } from '../apps/test-app.ts';

/** The stored payloads of the batches that match a condition on `raw_batches`, decrypted, as text. */
export async function readPayloads(
  { admin, ctx }: Pick<TestApp, 'admin' | 'ctx'>,
  where: 'user_id = $1' | 'batch_id = $1',
  id: string,
): Promise<string[]> {
  const { rows } = await admin.query<{ userId: string; batchId: string; payload: Buffer }>(
    `SELECT user_id AS "userId", batch_id AS "batchId", payload FROM raw_batches WHERE ${where}`,
    [id],
  );
  const decrypt = await ctx.rawPayloads.readKeys(rows);
  return rows.map((row) => zstdDecompressSync(decrypt(row)).toString());
}
