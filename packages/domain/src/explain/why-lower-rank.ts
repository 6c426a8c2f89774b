import type { DeviceFacts } from '../devices/device-facts.ts';
import { compareDevices } from '../devices/rank.ts';
import { capitalize, instantWords, kindWords } from './words.ts';

/** A device with its rank for the metric or session being decided, and its label. */
export interface LabelledDevice {
  readonly device: DeviceFacts;
  readonly rank: number;
  readonly label: string;
}

/** Why one device ranks below another. */
export interface Behind {
  readonly reason: 'lower_rank' | 'connected_earlier' | 'other_id';
  /** A predicate whose subject is the better device: `ranks higher. Rings outrank watches for sleep.` */
  readonly predicate: string;
}

/** Explains why `other` ranks below `better` for `topic`; null when it does not. */
export function whyLowerRank(better: LabelledDevice, other: LabelledDevice, topic: string): Behind | null {
  if (compareDevices(better, other) >= 0) return null;
  if (better.rank !== other.rank)
    return { reason: 'lower_rank', predicate: `ranks higher. ${rankRule(better, other, topic)}` };
  const [connectedMs, betterMs] = [other.device.connectedAtMs, better.device.connectedAtMs];
  if (betterMs !== connectedMs) {
    const predicate =
      `has the same rank (${other.rank}) and was connected later, at ${instantWords(betterMs)}. ` +
      `This device was connected at ${instantWords(connectedMs)}.`;
    return { reason: 'connected_earlier', predicate };
  }
  const predicate = `has the same rank (${other.rank}) and connection time. Ties are broken by device ID, then by provider.`;
  return { reason: 'other_id', predicate };
}

/** The rule behind two different ranks. On-device data always outranks cloud data; otherwise the kind decides. */
function rankRule(
  { device: better }: LabelledDevice,
  { device: other }: LabelledDevice,
  topic: string,
): string {
  if (better.onDevice !== other.onDevice) return 'Data from the phone outranks data from a cloud API.';
  return `${capitalize(kindWords(better.kind))} outrank ${kindWords(other.kind)} for ${topic}.`;
}
