import { randomUUID } from 'node:crypto';
import { sandboxBatches } from '@tributary/domain';
import type { Person } from '../ingest/people.ts';
import type { PreparedUpload } from '../ingest/uploads.ts';

/** The phone platform through which each simulated device uploads, since uploads of real phones name no cloud provider. */
const stores: Record<string, string> = {
  oura: 'health_connect',
  withings: 'health_connect',
  apple_health: 'apple_health',
};

/** The reports of some users' devices between two instants, as requests. */
export function uploadsOf(
  baseUrl: string,
  people: readonly Person[],
  { timezone, firstDay, fromMs, toMs }: { timezone: string; firstDay: number; fromMs: number; toMs: number },
): PreparedUpload[] {
  const { host } = new URL(baseUrl);
  return people.flatMap(({ userId, token }, at) => {
    const person = {
      seed: String(at),
      archetype: 'office_worker',
      firstDay,
      timezone,
    } as const;
    return sandboxBatches({ ...person, fromMs, toMs }).map(({ device, ...content }) => {
      const batchId = randomUUID();
      const body = JSON.stringify({
        batch_id: batchId,
        device: { ...device, provider: stores[device.provider]! },
        ...content,
      });
      const request = Buffer.from(
        `POST /v1/sdk/batches HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n` +
          `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return { userId, batchId, startMs: fromMs, values: [], request };
    });
  });
}
