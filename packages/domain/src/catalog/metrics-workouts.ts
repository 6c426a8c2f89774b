import { session, type Row } from './row.ts';

/** Metrics of a single workout. */
export const workoutRows: readonly Row[] = [
  session(53, 'duration', 'Workout duration', 'min', [1, 2880], { aggregation: 'sum' }),
  session(54, 'heart_rate_avg', 'Workout average heart rate', 'bpm', [40, 230]),
  session(55, 'zone_1', 'Heart-rate zone 1', 'min', [0, 2880], {
    decimals: 1,
    derived: true,
    aggregation: 'sum',
  }),
  session(56, 'zone_2', 'Heart-rate zone 2', 'min', [0, 2880], {
    decimals: 1,
    derived: true,
    aggregation: 'sum',
  }),
  session(57, 'zone_3', 'Heart-rate zone 3', 'min', [0, 2880], {
    decimals: 1,
    derived: true,
    aggregation: 'sum',
  }),
  session(58, 'zone_4', 'Heart-rate zone 4', 'min', [0, 2880], {
    decimals: 1,
    derived: true,
    aggregation: 'sum',
  }),
  session(59, 'zone_5', 'Heart-rate zone 5', 'min', [0, 2880], {
    decimals: 1,
    derived: true,
    aggregation: 'sum',
  }),
  session(60, 'strain', 'Workout strain', 'score', [0, 100], {
    decimals: 1,
    derived: true,
    aggregation: 'last',
  }),
  session(61, 'avg_speed_kmh', 'Workout average speed', 'km/h', [0, 250], { decimals: 1, imperial: null }),
  session(62, 'avg_pace_seconds_per_km', 'Workout average pace', 's/km', [60, 7200]),
  session(63, 'avg_mets', 'Workout average MET', 'MET', [1, 25], { decimals: 1 }),
  session(64, 'weather_temperature_c', 'Workout air temperature', '°C', [-60, 60], {
    decimals: 1,
    imperial: null,
  }),
  session(65, 'weather_humidity_pct', 'Workout humidity', '%', [0, 100]),
  session(66, 'swimming_lap_length_m', 'Pool length', 'm', [10, 100], {
    decimals: 1,
    imperial: null,
    aggregation: 'last',
  }),
  session(67, 'session_rpe', 'Session RPE', 'level', [0, 10], { aggregation: 'last' }),
];
