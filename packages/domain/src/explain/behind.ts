import type { DeviceFacts } from '../devices/device-facts.ts';
import { compareDevices } from '../devices/rank.ts';
import { instantWords, rankWords } from './words.ts';

/** A device with its rank for what is being decided, and what people call it. */
export interface LabelledDevice {
  readonly device: DeviceFacts;
  readonly rank: number;
  readonly label: string;
}

/** Why one device comes after another. */
export interface Behind {
  readonly reason: 'lower_rank' | 'connected_earlier' | 'other_id';
  readonly because: string;
}

/** Says why `other` comes after `better`; null when it does not. */
export function whyBehind(better: LabelledDevice, other: LabelledDevice): Behind | null {
  if (compareDevices(better, other) >= 0) return null;
  if (better.rank !== other.rank) {
    const because =
      `A ${rankWords(other.device, other.rank)} gives way to a ${rankWords(better.device, better.rank)}: ` +
      `${better.label}.`;
    return { reason: 'lower_rank', because };
  }
  const [connectedMs, betterMs] = [other.device.connectedAtMs, better.device.connectedAtMs];
  if (betterMs !== connectedMs) {
    const because =
      `Both have rank ${other.rank}, and ${better.label} was connected later: ` +
      `at ${instantWords(betterMs)}, this one at ${instantWords(connectedMs)}.`;
    return { reason: 'connected_earlier', because };
  }
  const because = `It equals ${better.label} in rank and time of connection; of such the order of their own ids decides.`;
  return { reason: 'other_id', because };
}
