import type { Metric } from '../catalog/metric.ts';
import type { DeviceFacts } from './device-facts.ts';
import { rankRowOf, ranks, type Ranks } from './rank-table.ts';

const unusualKind = 80;
const unknownKind = 95;
/** Added to the rank of cloud devices, so that all of them rank below the phone's own health store. */
const cloud = 1000;

const rows = new Map<number, Ranks>();

/** The rank of a device for a metric. The lowest number wins. */
export function rankOf(metric: Metric, device: Pick<DeviceFacts, 'onDevice' | 'kind'>): number {
  let row = rows.get(metric.no);
  if (row === undefined) {
    const name = rankRowOf(metric);
    row = name === null ? {} : ranks[name];
    rows.set(metric.no, row);
  }
  return rankIn(row, device);
}

/** The rank of a device for whole sessions: by sleep stages, or by heart rate during a workout. */
export function rankForSession(
  session: 'sleep' | 'workout',
  device: Pick<DeviceFacts, 'onDevice' | 'kind'>,
): number {
  return rankIn(session === 'sleep' ? ranks.sleepStages : ranks.workout, device);
}

function rankIn(row: Ranks, { kind, onDevice }: Pick<DeviceFacts, 'onDevice' | 'kind'>): number {
  const ofKind = kind === 'other' ? unknownKind : (row[kind] ?? unusualKind);
  return onDevice ? ofKind : cloud + ofKind;
}

/** A device with its rank for the current decision. */
export interface Ranked {
  readonly rank: number;
  readonly device: Pick<DeviceFacts, 'connectedAtMs' | 'stableId' | 'provider'>;
}

/** Sorts by rank, then by most recent connection, then by the device's own ID. */
export function compareDevices(a: Ranked, b: Ranked): number {
  return (
    a.rank - b.rank ||
    b.device.connectedAtMs - a.device.connectedAtMs ||
    compareText(a.device.stableId, b.device.stableId) ||
    // Two providers may use the same device ID.
    compareText(a.device.provider, b.device.provider)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
