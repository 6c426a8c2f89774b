import type { DeviceKind } from '@tributary/contract';
import {
  emptyDeviceDay,
  emptyMonth,
  isOptIn,
  placeInMonth,
  type CanonicalMonth,
  type CanonicalValue,
  type Chunk,
  type ConsolidationSettings,
  type DayNumber,
  type DeviceDay,
  type Metric,
  type Timezones,
} from '@tributary/domain';
import type { DeviceRow } from '../../store/uploads/pending-batches.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { Pace } from './pace.ts';

export interface UserFacts {
  userId: string;
  accountId: string;
  environment: Environment;
  timezones: Timezones;
  settings: ConsolidationSettings;
  /** From the profile. */
  heightCm: number | null;
}

export interface Device {
  deviceNo: number;
  id: string;
  provider: string;
  stableId: string;
  onDevice: boolean;
  kind: DeviceKind;
  connectedAtMs: number;
  /** The batch that provided its kind, model and name. */
  describedMs: number;
  describedBy: string;
  removedMs: number | null;
  model: string | null;
  name: string | null;
  /** The pending write: a new row, a new description, or only that the device sent data. */
  change: 'new' | 'described' | 'heard' | null;
}

interface ChunkEntry {
  metricNo: number;
  deviceNo: number;
  chunk: number;
  content: Chunk | null;
  /** The latest instant that its readings reached when it was loaded. 0 if it had none. */
  storedReachMs: number;
  changed: boolean;
}

interface DayEntry {
  content: DeviceDay;
  /** Whether the stored content shows that the device was worn. */
  wasWorn: boolean;
  changed: boolean;
}

interface MonthEntry {
  metricNo: number;
  month: number;
  content: CanonicalMonth;
  changed: boolean;
}

/** What the shown sessions of one kind say about a day. */
export interface DayOfSessions {
  /** Canonical values by metric number. */
  readonly values: ReadonlyMap<number, CanonicalValue>;
  /** The devices that recorded the sessions. */
  readonly devices: readonly number[];
  /** The device of the main sleep, or of the only one. Null if there is none, and for workouts. */
  readonly mainDevice: number | null;
}

/** The required part of one user's layers: loaded, changed in memory and written, all in one transaction. */
export class UserState {
  readonly user: UserFacts;
  readonly pace: Pace;
  readonly devices: Device[];
  readonly chunks = new Map<string, ChunkEntry>();
  readonly days = new Map<DayNumber, Map<number, DayEntry>>();
  readonly months = new Map<string, MonthEntry>();
  /** What the shown sessions of a day say about it, by kind. Days that are not listed have not been loaded. */
  readonly sessionDays = {
    sleep: new Map<DayNumber, DayOfSessions>(),
    workout: new Map<DayNumber, DayOfSessions>(),
  };
  /** The device of each measurement, as far as it was decided since the layers changed. */
  readonly measuredBy = new Map<string, number | null>();
  /** Days and metrics whose device values may have changed. */
  readonly stale = new Map<DayNumber, Set<number>>();
  /** The metrics whose canonical values changed, and the range of days. */
  readonly changed = unchanged();
  /** The part of these changes that events report. Opt-in metrics are left out, with their days. */
  readonly reported = unchanged();
  /** Days whose scores may change, those with changed sleep among them, and whether anything other than continuously measured metrics changed. */
  readonly scores = { days: new Set<DayNumber>(), nights: new Set<DayNumber>(), prompt: false };
  /** True if the set of merged sessions changed, which affects explanations but not canonical values. */
  mergedSessionsChanged = false;
  /** True if the ranks of devices changed, so that every day must be recomputed. */
  ranksChanged = false;
  /** True if the ranks of devices changed and the history is so long that a job must recompute it. */
  ranksChangedLater = false;
  lastBatchMs = 0;

  constructor(user: UserFacts, devices: readonly DeviceRow[], pace = new Pace()) {
    this.user = user;
    this.pace = pace;
    this.devices = devices.map(
      ([
        deviceNo,
        id,
        provider,
        stableId,
        onDevice,
        kind,
        connectedMs,
        describedMs,
        describedBy,
        removedMs,
      ]) => ({
        deviceNo,
        id,
        provider,
        stableId: stableId ?? id,
        onDevice,
        kind: kind as DeviceKind,
        connectedAtMs: connectedMs ?? 0,
        describedMs: describedMs ?? 0,
        describedBy: describedBy ?? '',
        removedMs,
        model: null,
        name: null,
        change: null,
      }),
    );
  }

  chunk(metricNo: number, deviceNo: number, chunk: number): ChunkEntry {
    const key = `${metricNo}/${deviceNo}/${chunk}`;
    let entry = this.chunks.get(key);
    if (!entry) this.chunks.set(key, (entry = emptyChunkEntry(metricNo, deviceNo, chunk)));
    return entry;
  }

  day(day: DayNumber, deviceNo: number): DayEntry {
    let devices = this.days.get(day);
    if (!devices) this.days.set(day, (devices = new Map()));
    let entry = devices.get(deviceNo);
    if (!entry)
      devices.set(deviceNo, (entry = { content: emptyDeviceDay(), wasWorn: false, changed: false }));
    return entry;
  }

  month(metricNo: number, day: DayNumber): MonthEntry {
    const { month, daysInMonth } = placeInMonth(day);
    const key = `${metricNo}/${month}`;
    let entry = this.months.get(key);
    if (!entry)
      this.months.set(key, (entry = { metricNo, month, content: emptyMonth(daysInMonth), changed: false }));
    return entry;
  }

  /** Records that canonical values of these days changed, those of a metric or of sessions. */
  noteChange(days: readonly DayNumber[], metric?: Metric): void {
    for (const changes of metric && isOptIn(metric) ? [this.changed] : [this.changed, this.reported]) {
      if (metric) changes.metrics.add(metric.no);
      changes.first = Math.min(changes.first, ...days);
      changes.last = Math.max(changes.last, ...days);
    }
  }

  markStale(day: DayNumber, metricNo: number): void {
    const metrics = this.stale.get(day);
    if (metrics) metrics.add(metricNo);
    else this.stale.set(day, new Set([metricNo]));
  }
}

/** Changes of canonical values, none so far. */
interface Changes {
  readonly metrics: Set<number>;
  first: DayNumber;
  last: DayNumber;
}

function unchanged(): Changes {
  return { metrics: new Set(), first: Infinity, last: -Infinity };
}

function emptyChunkEntry(metricNo: number, deviceNo: number, chunk: number): ChunkEntry {
  return { metricNo, deviceNo, chunk, content: null, storedReachMs: 0, changed: false };
}
