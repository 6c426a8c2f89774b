import type { Visible } from '../../provider.ts';
import { deviceIdOf, idOf } from './ids.ts';
import type { Measurement } from './measures.ts';

/** A group of measures on the wire. */
export interface MeasureGroup {
  grpid: number;
  /** 0 certainly this person, 1 uncertain, 2 manual, 4 entered when the account was opened, 7 confirmed. */
  attrib: number;
  date: number;
  created: number;
  modified: number;
  /** 1 measured, 2 a goal. */
  category: number;
  deviceid: string | null;
  measures: { value: number; type: number; unit: number; position: null }[];
}

/** A measurement on the wire. Each real value is `value` times ten to the power of `unit`. */
export function measureGroup(
  personId: string,
  measurement: Measurement,
  seen: Visible,
  chance: number,
): MeasureGroup {
  const isManual = measurement.kind === 'body' && chance < 0.05;
  const isAmbiguous = measurement.kind === 'body' && chance >= 0.95;
  const attrib = isManual ? 2 : seen.revision > 0 ? 7 : isAmbiguous ? 1 : 0;
  return {
    grpid: idOf('measures', personId, measurement.kind, String(measurement.at)),
    attrib,
    date: seconds(measurement.at),
    created: seconds(seen.createdAt),
    modified: seconds(seen.updatedAt),
    category: 1,
    deviceid: isManual ? null : deviceIdOf(personId, measurement.device),
    measures: measurement.values.map(({ type, value, decimals }) => measure(type, value, decimals)),
  };
}

/** Account data: the height entered when it was opened, and a goal, which has the form of a measurement but is not one. */
export function accountGroups(personId: string, heightM: number, openedAt: number): MeasureGroup[] {
  const at = seconds(openedAt);
  const same = { date: at, created: at, modified: at, deviceid: null };
  return [
    { grpid: idOf('height', personId), attrib: 4, ...same, category: 1, measures: [measure(4, heightM, 2)] },
    {
      grpid: idOf('goal', personId),
      attrib: 2,
      ...same,
      category: 2,
      measures: [measure(1, Math.round(22 * heightM ** 2), 0)],
    },
  ];
}

function measure(type: number, value: number, decimals: number): MeasureGroup['measures'][number] {
  return {
    value: Math.round(value * 10 ** decimals),
    type,
    unit: decimals === 0 ? 0 : -decimals,
    position: null,
  };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
