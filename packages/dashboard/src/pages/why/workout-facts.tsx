import type { WorkoutDetailWire } from '@tributary/contract';
import { duration } from '../../words/time.ts';
import { sayValue } from '../user/value-text.ts';

/** What was measured, and the minutes in each zone of the heart rate. */
export function WorkoutFacts({ workout }: { workout: WorkoutDetailWire }) {
  const facts: [string, number | null, string][] = [
    ['Distance', workout.distance_km, 'km'],
    ['Energy', workout.calories, 'kcal'],
    ['Mean heart rate', workout.avg_heart_rate, 'bpm'],
    ['Highest heart rate', workout.max_heart_rate, 'bpm'],
    ['Strain', workout.strain, 'score'],
    ['Ascent', workout.metrics.elevation_meters, 'm'],
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
              <dd>{sayValue(value, unit)}</dd>
            </div>
          ),
        )}
      </dl>
      {zones.length > 0 && (
        <table className="zones" aria-label="Minutes in each zone of the heart rate">
          <tbody>
            {zones.map(({ zone, minutes, min_bpm, max_bpm }) => (
              <tr key={zone}>
                <th scope="row">
                  Zone {zone} <small>{max_bpm === null ? `from ${min_bpm}` : `${min_bpm}–${max_bpm}`}</small>
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
