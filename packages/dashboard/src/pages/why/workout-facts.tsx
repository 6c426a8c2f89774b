import type { WorkoutDetailWire } from '@tributary/contract';
import { duration } from '../../words/time.ts';
import { formatValue } from '../user/health/value-text.ts';

/** Measured values, and the minutes in each heart rate zone. */
export function WorkoutFacts({ workout }: { workout: WorkoutDetailWire }) {
  const facts: [string, number | null, string][] = [
    ['Distance', workout.distance_km, 'km'],
    ['Energy', workout.calories, 'kcal'],
    ['Average heart rate', workout.avg_heart_rate, 'bpm'],
    ['Max heart rate', workout.max_heart_rate, 'bpm'],
    ['Strain', workout.strain, 'score'],
    ['Elevation gain', workout.metrics.elevation_meters, 'm'],
  ];
  const zones = workout.heart_rate?.zones ?? [];
  const most = Math.max(1, ...zones.map(({ minutes }) => minutes));
  return (
    <>
      <dl className="why-facts">
        {facts.map(([label, value, unit]) =>
          value === null ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{formatValue(value, unit)}</dd>
            </div>
          ),
        )}
      </dl>
      {zones.length > 0 && (
        <table className="zones" aria-label="Minutes per heart rate zone">
          <tbody>
            {zones.map(({ zone, minutes, min_bpm, max_bpm }) => (
              <tr key={zone}>
                <th scope="row">
                  Zone {zone} <small>{max_bpm === null ? `${min_bpm}+` : `${min_bpm}–${max_bpm}`}</small>
                </th>
                <td>
                  <span
                    className="zone-bar"
                    style={{ width: `${(minutes / most) * 100}%`, background: `var(--zone-${zone})` }}
                  />
                </td>
                <td className="number">{duration(minutes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
