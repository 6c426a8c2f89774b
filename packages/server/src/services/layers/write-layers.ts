import {
  encodeChunk,
  encodeDeviceDay,
  encodeMonth,
  isEmptyDeviceDay,
  metricOf,
  printMonth,
} from '@tributary/domain';
import type { Queryable } from '../../store/database/database.ts';
import { writeChunks, writeDeviceDays, writeMonths } from '../../store/layers/writes.ts';
import { pack } from './packing.ts';
import type { UserState } from './user-state.ts';

/** Writes the changes of these users. The statements are pipelined. */
export async function writeLayers(tx: Queryable, states: readonly UserState[]): Promise<void> {
  const chunks = states.flatMap(({ user: { userId }, chunks }) =>
    [...chunks.values()].flatMap(({ metricNo, deviceNo, chunk, content, changed }) =>
      changed && content
        ? [{ userId, metricNo, deviceNo, chunk, data: pack(encodeChunk(content, chunk)) }]
        : [],
    ),
  );
  const days = states.flatMap(({ user: { userId }, days }) =>
    [...days].flatMap(([day, devices]) =>
      [...devices].flatMap(([deviceNo, { content, changed }]) =>
        changed
          ? [
              {
                userId,
                day,
                deviceNo,
                data: isEmptyDeviceDay(content) ? null : pack(encodeDeviceDay(content, day)),
              },
            ]
          : [],
      ),
    ),
  );
  const months = states.flatMap(({ user: { userId }, months }) =>
    [...months.values()].flatMap(({ metricNo, month, content, changed }) => {
      if (!changed) return [];
      const empty = content.every((value) => value === null);
      const printed = empty ? '' : printMonth(content, metricOf(metricNo));
      return [{ userId, metricNo, month, printed, detail: empty ? null : encodeMonth(content) }];
    }),
  );
  await Promise.all([
    chunks.length > 0 && writeChunks(tx, chunks),
    days.length > 0 && writeDeviceDays(tx, days),
    months.length > 0 && writeMonths(tx, months),
  ]);
}
