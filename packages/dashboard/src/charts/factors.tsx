import './chart.css';

interface Factor {
  label: string;
  /** Points, up or down. */
  effect: number;
}

export interface FactorsProps {
  /** What the score is called. */
  label: string;
  baseline: number;
  factors: readonly Factor[];
  total: number;
  /** Where higher is neither better nor worse, no colour judges. */
  neutral?: boolean;
}

/** What made a score what it is: bars from the neutral point, which visibly add up to the value. */
export function Factors({ label, baseline, factors, total, neutral }: FactorsProps) {
  const moving = factors.filter(({ effect }) => effect !== 0);
  const still = factors.filter(({ effect }) => effect === 0);
  const largest = Math.max(1, ...moving.map(({ effect }) => Math.abs(effect)));
  return (
    <table className="factors" aria-label={`What made ${label}`}>
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
              No effect today: {still.map(({ label: name }) => name).join(', ')}
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
          <td className="number">{total.toFixed(1)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
