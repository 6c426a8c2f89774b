import { asReported, average, latest, logged, lowest, total, type Row } from './row.ts';
import { degreesApart } from './unit-labels.ts';

/** Nights and naps. */
export const sleepRows: readonly Row[] = [
  total(99, 'asleep', 'Time asleep', 'min', [0, 1440], { group: 'sleep_stages' }),
  total(100, 'time_in_bed', 'Time in bed', 'min', [0, 1440], { group: 'sleep_stages' }),
  total(101, 'time_awake', 'Time awake in bed', 'min', [0, 1200], { group: 'sleep_stages' }),
  total(102, 'light_sleep', 'Light sleep', 'min', [0, 1200], { group: 'sleep_stages' }),
  total(103, 'deep_sleep', 'Deep sleep', 'min', [0, 600], { group: 'sleep_stages' }),
  total(104, 'REM', 'REM sleep', 'min', [0, 600], { group: 'sleep_stages' }),
  total(105, 'restorative_sleep', 'Restorative sleep', 'min', [0, 900], { derived: true }),
  average(106, 'sleep_efficiency', 'Sleep efficiency', '%', [0, 100], { group: 'sleep_stages', decimals: 1 }),
  latest(107, 'sleep_latency', 'Sleep latency', 'min', [0, 600], { group: 'sleep_stages' }),
  latest(108, 'wake_after_sleep_onset', 'Wake after sleep onset', 'min', [0, 900], { group: 'sleep_stages' }),
  latest(109, 'latency_to_arising', 'Time in bed after waking', 'min', [0, 600], { group: 'sleep_stages' }),
  latest(110, 'awakenings', 'Awakenings', 'count', [0, 100], { group: 'sleep_stages' }),
  latest(111, 'sleep_cycles', 'Sleep cycles', 'count', [0, 15], { group: 'sleep_stages' }),
  average(112, 'sleep_restlessness', 'Restlessness', '%', [0, 100], { group: 'sleep_stages', decimals: 1 }),
  total(113, 'nap_time', 'Nap time', 'min', [0, 720], { by: logged }),
  total(114, 'nap_count', 'Naps', 'count', [0, 12], { derived: true }),
  latest(115, 'bedtime', 'Bedtime', 'min', [-1080, 1439], { derived: true }),
  latest(116, 'wake_time', 'Wake time', 'min', [0, 1439], { derived: true }),
  latest(117, 'sleep_midpoint', 'Sleep midpoint', 'min', [-600, 1439], { derived: true }),
  latest(118, 'sleep_need', 'Sleep need', 'min', [300, 720], { derived: true }),
  latest(119, 'sleep_debt', 'Sleep debt', 'min', [0, 10_080], { derived: true }),
  latest(120, 'sleep_regularity_index', 'Sleep regularity index', 'index', [-100, 100], {
    decimals: 1,
    derived: true,
  }),
  latest(121, 'social_jetlag', 'Social jetlag', 'min', [0, 720], { derived: true }),
  average(122, 'sleep_heart_rate', 'Sleep heart rate', 'bpm', [25, 150], { group: 'sleep_vitals' }),
  lowest(123, 'sleep_heart_rate_min', 'Lowest sleep heart rate', 'bpm', [20, 130], { group: 'sleep_vitals' }),
  average(124, 'sleep_heart_rate_variability', 'Sleep HRV', 'ms', [1, 300], {
    group: 'sleep_vitals',
    decimals: 1,
  }),
  latest(125, 'heart_rate_dip', 'Nocturnal heart-rate dip', '%', [-50, 60], { decimals: 1, derived: true }),
  average(126, 'sleep_respiratory_rate', 'Sleep respiratory rate', 'breaths/min', [4, 60], {
    group: 'sleep_vitals',
    decimals: 1,
  }),
  average(127, 'sleep_blood_oxygen', 'Sleep blood oxygen', '%', [60, 100], {
    group: 'sleep_vitals',
    decimals: 1,
  }),
  lowest(128, 'sleep_blood_oxygen_min', 'Lowest sleep blood oxygen', '%', [50, 100], {
    group: 'sleep_vitals',
    decimals: 1,
  }),
  average(129, 'oxygen_desaturation_index', 'Oxygen desaturation index', 'events/h', [0, 150], {
    group: 'sleep_breathing',
    decimals: 1,
  }),
  average(130, 'breathing_disturbances', 'Breathing disturbances', 'events/h', [0, 150], {
    group: 'sleep_breathing',
    decimals: 1,
  }),
  average(131, 'apnea_hypopnea_index', 'Apnea-hypopnea index', 'events/h', [0, 150], {
    group: 'sleep_breathing',
    decimals: 1,
  }),
  total(132, 'snoring_time', 'Snoring time', 'min', [0, 720], { group: 'sleep_breathing' }),
  average(133, 'sleep_body_temperature', 'Sleep body temperature', '°C', [30, 42], {
    group: 'sleep_temperature',
    decimals: 2,
    imperialDecimals: 1,
  }),
  average(134, 'sleep_skin_temperature', 'Sleep skin temperature', '°C', [20, 42], {
    group: 'sleep_temperature',
    decimals: 2,
    imperialDecimals: 1,
  }),
  average(135, 'sleep_wrist_temperature', 'Sleep wrist temperature', '°C', [20, 42], {
    group: 'sleep_temperature',
    decimals: 2,
    imperialDecimals: 1,
  }),
  latest(136, 'sleep_temperature_deviation', 'Sleep temperature deviation', '°C', [-10, 10], {
    decimals: 2,
    imperialDecimals: 1,
    imperial: degreesApart,
    by: asReported,
  }),
  latest(137, 'device_sleep_score', 'Device sleep score', 'score', [0, 100], { by: asReported }),
];
