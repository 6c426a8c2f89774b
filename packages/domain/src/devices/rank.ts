import type { Metric } from '../catalog/metric.ts';
import type { DeviceFacts } from './device-facts.ts';
import { rankRowOf, ranks, type Ranks } from './rank-table.ts';

const unusualKind = 80;
const unknownKind = 95;
/** Every device of a cloud comes after every one of the phone's own health store. */
const cloud = 1000;

const rows = new Map<number, Ranks>();

/** How well a device suits a metric; the lowest wins. */
export function rankOf(metric: Metric, device: Pick<DeviceFacts, 'onDevice' | 'kind'>): number {
  let row = rows.get(metric.no);
  if (row === undefined) {
    const name = rankRowOf(metric);
    row = name === null ? {} : ranks[name];
    rows.set(metric.no, row);
  }
  return rankIn(row, device);
}

/** How well a device suits whole sessions: its stages of sleep, or its heart rate in a workout. */
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

/** A device and its rank for what is being decided. */
export interface Ranked {
  readonly rank: number;
  readonly device: Pick<DeviceFacts, 'connectedAtMs' | 'stableId' | 'provider'>;
}

/** Sorts the best first: by rank, then what was connected most recently, then by the device's own id. */
export function compareDevices(a: Ranked, b: Ranked): number {
  return (
    a.rank - b.rank ||
    b.device.connectedAtMs - a.device.connectedAtMs ||
    compareText(a.device.stableId, b.device.stableId) ||
    // Two providers may give the same id to what they connect.
    compareText(a.device.provider, b.device.provider)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
