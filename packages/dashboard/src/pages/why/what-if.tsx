import { useQueries } from '@tanstack/react-query';
import type { CatalogMetricWire, DailyExplanationWire } from '@tributary/contract';
import { whatIfQuery } from '../../api/explain.ts';
import { Chip } from '../../components/feedback/badge.tsx';
import { None } from '../../components/overlays/tip.tsx';
import { usePerson } from '../user/person.ts';
import { formatValue } from '../user/health/value-text.ts';

export interface WhatIfProps {
  explanation: DailyExplanationWire;
  methods: readonly string[];
  entry: CatalogMetricWire;
}

/** The day's value with each available method. Nothing is stored. */
export function WhatIf({ explanation, methods, entry }: WhatIfProps) {
  const { whose } = usePerson();
  const { method, metric, date, value, unit } = explanation;
  const results = useQueries({
    queries: methods.map((one) => ({
      ...whatIfQuery(whose, { key: method!.key, method: one, metric, date }),
      enabled: one !== method!.in_force,
    })),
  });
  return (
    <table className="table what-if" aria-label="Values with each method">
      <tbody>
        {methods.map((one, at) => {
          const { data, error } = results[at]!;
          const isInForce = one === method!.in_force;
          const then = isInForce || data === null ? value : data?.after;
          return (
            <tr key={one} data-current={isInForce ? '' : undefined}>
              <th scope="row">
                <Chip>{one}</Chip>
              </th>
              <td>{isInForce ? 'current' : one === method!.default ? 'default' : ''}</td>
              <td className="number">
                {then === null || then === undefined ? (
                  <None reason={error ? 'Could not compute' : data ? 'No value' : 'Computing'} />
                ) : (
                  formatValue(then, unit, entry)
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
