import { useQuery } from '@tanstack/react-query';
import type { ScoreExplanationWire } from '@tributary/contract';
import { metricsQuery, scoreExplanationQuery } from '../../api/health.ts';
import { Factors } from '../../charts/factors.tsx';
import { Notice } from '../../components/feedback/feedback.tsx';
import { Time } from '../../components/overlays/tip.tsx';
import { number, plural, weekday } from '../../words/time.ts';
import { useProviderNames } from '../user/devices/device-state.tsx';
import { usePerson } from '../user/person.ts';
import { scaleOf } from '../user/health/score-scales.ts';
import { inWords, formatValue, words } from '../user/health/value-text.ts';
import { WhyButton } from './why-button.tsx';
import { WhyFoot, WhySection, WhyValue, WhyWaiting } from './why-parts.tsx';

export function ScoreWhy({ type, date }: { type: string; date: string }) {
  const { user, whose } = usePerson();
  const { data, error, refetch } = useQuery(scoreExplanationQuery(whose, type, date));
  if (!data) return <WhyWaiting error={error} onRetry={() => void refetch()} />;
  const baseline = data.factors.find(({ name }) => name === 'baseline')?.contribution ?? 0;
  return (
    <>
      <WhyValue
        value={data.value === null ? '–' : String(Math.round(data.value))}
        {...(data.recipe.band && { unit: data.recipe.band })}
        about={`${data.name}, ${weekday(date)}`}
      />
      {data.state === 'pending' && data.current_value !== null && (
        <Notice title={`Current data gives ${Math.round(data.current_value)}.`}>
          This score is published shortly. The details below already describe it.
        </Notice>
      )}
      <div className="why-reason">
        <p>{data.why}</p>
        <p className="quiet">
          Recipe {data.recipe.version}. Higher is {data.recipe.higher_is}.
          {data.computed_at && (
            <>
              {' '}
              Published <Time at={data.computed_at} end />.
            </>
          )}
        </p>
      </div>
      {data.value !== null && (
        <WhySection title="Factors">
          <Factors
            label={data.name}
            baseline={baseline}
            factors={data.factors
              .filter(({ name }) => name !== 'baseline')
              .map(({ name, contribution }) => ({ label: words(name), effect: contribution }))}
            total={data.value}
            neutral={!scaleOf(type)?.isBetterHigher}
          />
        </WhySection>
      )}
      <Inputs explanation={data} />
      <Norms explanation={data} />
      {data.missing.length > 0 && (
        <p className="quiet">No data for: {data.missing.map(inWords).join(', ')}.</p>
      )}
      <p className="score-note">Wellness information, not medical advice.</p>
      <WhyFoot
        request={{ method: 'GET', path: `/v1/users/${user.id}/scores/explain`, query: { type, date } }}
      />
    </>
  );
}

/** Daily values that the score is based on. Each can be explained. */
function Inputs({ explanation: { inputs, date } }: { explanation: ScoreExplanationWire }) {
  const { whose } = usePerson();
  const { data: catalog } = useQuery(metricsQuery(whose.environment));
  const nameOf = useProviderNames(whose.environment);
  if (inputs.length === 0) return null;
  return (
    <WhySection title="Input values">
      <ul className="why-list">
        {inputs.map(({ metric, value, unit, source }) => {
          const entry = catalog?.get(metric);
          const name = entry?.display_name ?? words(metric);
          const displayValue = value === null ? '–' : formatValue(value, unit, entry);
          return (
            <li key={metric}>
              <span>
                {name} {source && <small>{nameOf(source.provider)}</small>}
              </span>
              <WhyButton subject={{ kind: 'daily', metric, date }} label={`${name} ${displayValue}`}>
                {displayValue}
              </WhyButton>
            </li>
          );
        })}
      </ul>
    </WhySection>
  );
}

/** The user's baselines. Logarithms are converted back to readable values. */
function Norms({ explanation: { baselines } }: { explanation: ScoreExplanationWire }) {
  if (baselines.length === 0) return null;
  return (
    <WhySection title="Usual range">
      <ul className="why-list">
        {baselines.map(({ input, transform, centre, sd, readings }) => {
          const [low, high] = [centre - sd, centre + sd].map((one) =>
            transform === 'ln' ? Math.exp(one) : one,
          );
          return (
            <li key={input}>
              <span>
                {words(input)} <small>{plural(readings, 'reading')}</small>
              </span>
              <span>
                {number(low!)} – {number(high!)}
              </span>
            </li>
          );
        })}
      </ul>
    </WhySection>
  );
}
