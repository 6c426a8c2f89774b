import { type DeviceKind, deviceKinds, onDeviceProviders } from '@tributary/contract';
import { acceptedMetrics } from './accepted-metrics.ts';
import type { Random } from '@tributary/rig';

/** A device of a user. */
export interface PersonDevice {
  provider: (typeof onDeviceProviders)[number];
  id: string;
  kind: DeviceKind;
  /** The cloud provider that this device is changed to before settings are changed, if any. */
  cloud: string | null;
}

/** The properties that differ between users. */
export interface Persona {
  timezone: string;
  /** The time zone that the user moves to during the run, or null. */
  nextTimezone: string | null;
  /** The first date with data. */
  firstMs: number;
  devices: PersonDevice[];
  /** Start times of most data. Devices often report the same time, so that consolidation has to choose. */
  momentsMs: number[];
  /** The metrics of most readings, for the same reason. */
  interests: string[];
  profile: { max_heart_rate?: number; birth_date?: string };
}

export const dayMs = 86_400_000;
/** Number of days with data. */
export const daysOfLife = 6;

/** Days around clock changes, a day that Samoa skipped, and the end of a year. */
const firstDays = [
  '2026-03-27',
  '2026-10-23',
  '2025-09-26',
  '2026-03-06',
  '2026-02-13',
  '2026-03-20',
  '2011-12-28',
  '2025-12-29',
  '2026-06-10',
];

const timezones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'America/St_Johns',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Honolulu',
];

const usualKinds: readonly DeviceKind[] = ['watch', 'watch', 'phone', 'phone', 'ring', 'band', 'chest_strap'];
const clouds = ['garmin', 'oura', 'whoop', null];

export function personaOf(random: Random): Persona {
  const devices = Array.from({ length: random.pick([1, 2, 3, 3, 4, 5]) }, (_, at): PersonDevice => {
    const provider = random.pick(onDeviceProviders);
    return {
      provider,
      // Occasionally two providers use the same device id.
      id: random.chance(0.2) ? 'twin' : `device-${random.int(0, 9)}-${at}`,
      kind: random.chance(0.75) ? random.pick(usualKinds) : random.pick(deviceKinds),
      cloud: random.chance(0.25) ? (random.pick(clouds) ?? provider) : null,
    };
  });
  const distinct = devices.filter(
    (device, at) =>
      devices.findIndex(({ provider, id }) => provider === device.provider && id === device.id) === at,
  );
  const timezone = random.pick(timezones);
  const firstMs = Date.parse(random.pick(firstDays));
  const moves = random.chance(0.5) || distinct.some(({ cloud }) => cloud !== null);
  return {
    timezone,
    nextTimezone: moves ? random.pick(timezones.filter((other) => other !== timezone)) : null,
    firstMs,
    momentsMs: Array.from({ length: 9 }, () => firstMs + random.int(0, daysOfLife * 24 - 1) * 3_600_000),
    interests: Array.from({ length: 8 }, () => random.pick(acceptedMetrics).id),
    devices: distinct,
    profile: {
      ...(random.chance(0.3) ? { max_heart_rate: random.int(150, 210) } : {}),
      ...(random.chance(0.5) ? { birth_date: `19${random.int(40, 99)}-02-2${random.int(0, 8)}` } : {}),
    },
  };
}
