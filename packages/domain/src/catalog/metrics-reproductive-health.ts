import type { Level } from './metric.ts';
import { degreesApart } from './unit-labels.ts';
import { asReported, highest, latest, mean, type Row } from './row.ts';

/** Levels of a metric in codes, from 0: the name, and the numbers of HealthKit and Health Connect. */
function levelsOf(
  ...levels: [name: string, healthkit: number | null, healthConnect: number | null][]
): Pick<Row, 'by' | 'levels'> {
  return {
    by: asReported,
    levels: levels.map(([name, healthkit, healthConnect], value): Level => ({
      value,
      name,
      healthkit,
      healthConnect,
    })),
  };
}

/** Bleeding of an unknown amount is the least that is not none, so a day with a known amount has that one. */
const flow = levelsOf(
  ['none', 5, null],
  ['unspecified', 1, 0],
  ['light', 2, 1],
  ['medium', 3, 2],
  ['heavy', 4, 3],
);

/** A test that failed says less than any result. `high` is a rise in estrogen, `positive` the surge of luteinizing hormone. */
const ovulation = levelsOf(['indeterminate', 3, 0], ['negative', 1, 3], ['high', 4, 2], ['positive', 2, 1]);

const pregnancy = levelsOf(['not pregnant', null, null], ['pregnant', 0, null]);

/** HealthKit has no value for none. */
const contraceptives = levelsOf(
  ['none', null, null],
  ['unspecified', 1, null],
  ['implant', 2, null],
  ['injection', 3, null],
  ['intrauterine device', 4, null],
  ['vaginal ring', 5, null],
  ['oral', 6, null],
  ['patch', 7, null],
);

/** Cycle, fertility, pregnancy and contraception. People have to turn on this category. */
export const reproductiveHealthRows: readonly Row[] = [
  latest(239, 'cycle_day', 'Cycle day', 'count', [1, 366], { by: asReported }),
  highest(240, 'menstrual_flow', 'Menstrual flow', 'code', [0, 4], flow),
  highest(241, 'ovulation_test', 'Ovulation test', 'code', [0, 3], ovulation),
  latest(242, 'basal_body_temperature_shift', 'Basal body temperature shift', '°C', [-3, 3], {
    by: mean,
    decimals: 2,
    imperial: degreesApart,
  }),
  latest(243, 'pregnancy', 'Pregnancy', 'code', [0, 1], pregnancy),
  latest(244, 'contraception', 'Contraception', 'code', [0, 7], contraceptives),
];
