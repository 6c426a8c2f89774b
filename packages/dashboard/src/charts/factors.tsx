import './chart.css';

interface Factor {
  label: string;
  /** Points, positive or negative. */
  effect: number;
}

export interface FactorsProps {
  /** The name of the score. */
  label: string;
  baseline: number;
  factors: readonly Factor[];
  total: number;
  /** For scores where higher is neither better nor worse. Uses neutral colors. */
  neutral?: boolean;
}

/** Shows the factors of a score as bars from the baseline that add up to the value. */
export function Factors({ label, baseline, factors, total, neutral }: FactorsProps) {
  const moving = factors.filter(({ effect }) => effect !== 0);
  const still = factors.filter(({ effect }) => effect === 0);
  const largest = Math.max(1, ...moving.map(({ effect }) => Math.abs(effect)));
  return (
    <table className="factors" aria-label={`${label} breakdown`}>
      <tbody>
        <tr className="base">
          <th scope="row">Baseline</th>
          <td>
            <span className="factor-bar" />
          </td>
          <td className="number">{baseline.toFixed(1)}</td>
        </tr>
        {moving.map(({ label: name, effect }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <span className="factor-bar" aria-hidden="true">
                <span
                  className={neutral ? 'neutral' : effect < 0 ? 'down' : 'up'}
                  style={{
                    width: `${(Math.abs(effect) / largest) * 50}%`,
                    [effect < 0 ? 'right' : 'left']: '50%',
                  }}
                />
              </span>
            </td>
            <td className="number">
              {effect > 0 ? '+' : '−'}
              {Math.abs(effect).toFixed(1)}
            </td>
          </tr>
        ))}
        {still.length > 0 && (
          <tr className="none">
            <th scope="row" colSpan={2}>
              No effect: {still.map(({ label: name }) => name).join(', ')}
            </th>
            <td className="number">0.0</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {label}
          </th>
          <td className="number">{Math.round(total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
