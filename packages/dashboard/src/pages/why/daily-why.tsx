import { useQuery } from '@tanstack/react-query';
import type { DailyExplanationWire } from '@tributary/contract';
import { dailyExplanationQuery } from '../../api/explain.ts';
import { metricsQuery } from '../../api/health.ts';
import { Chip } from '../../components/feedback/badge.tsx';
import { Button } from '../../components/controls/button.tsx';
import { weekday } from '../../words/time.ts';
import { useProviderNames } from '../user/devices/device-state.tsx';
import { usePerson } from '../user/person.ts';
import { describeMissing, formatValue, valueText, words } from '../user/health/value-text.ts';
import { Candidates } from './candidates.tsx';
import { partsOf, SplitBar } from './split-bar.tsx';
import { WhatIf } from './what-if.tsx';
import { WhyButton } from './why-button.tsx';
import { RebuildNotice, WhyFoot, WhySection, WhyValue, WhyWaiting } from './why-parts.tsx';

export interface DailyWhyProps {
  metric: string;
  date: string;
  onSettings: (key: string) => void;
}

export function DailyWhy({ metric, date, onSettings }: DailyWhyProps) {
  const { user, whose } = usePerson();
  const { data, error, refetch } = useQuery(dailyExplanationQuery(whose, metric, date));
  const { data: catalog } = useQuery(metricsQuery(whose.environment));
  if (!data) return <WhyWaiting error={error} onRetry={() => void refetch()} />;
  const entry = catalog?.get(metric);
  const name = entry?.display_name ?? words(metric);
  const displayValue = data.value === null ? null : valueText(data.value, data.unit, entry);
  return (
    <>
      <WhyValue
        value={displayValue?.text ?? '–'}
        {...(displayValue && { unit: displayValue.unit })}
        about={`${name}, ${weekday(date)}`}
      />
      {data.pending_rebuild && <RebuildNotice />}
      <DailyReason explanation={data} />
      {data.candidates.length > 0 && (
        <WhySection title="Candidates">
          <Candidates candidates={data.candidates} entry={entry} />
        </WhySection>
      )}
      <Ingredients explanation={data} />
      <Sessions explanation={data} />
      {data.method && data.value !== null && entry?.consolidation && (
        <WhySection title="Compare methods">
          <WhatIf explanation={data} methods={entry.consolidation.allowed_methods} entry={entry} />
        </WhySection>
      )}
      <WhyFoot
        request={{ method: 'GET', path: `/v1/users/${user.id}/daily/explain`, query: { metric, date } }}
      >
        {data.method && (
          <Button kind="link" onPress={() => onSettings(data.method!.key)}>
            Change method
          </Button>
        )}
      </WhyFoot>
    </>
  );
}

/** One sentence with the method and reason, and each device's contribution. */
function DailyReason({ explanation }: { explanation: DailyExplanationWire }) {
  const { whose } = usePerson();
  const nameOf = useProviderNames(whose.environment);
  const { method, summary, value, missing_reason } = explanation;
  return (
    <div className="why-reason">
      <p>{value === null ? `${describeMissing(missing_reason)}. ${summary}` : summary}</p>
      {method && (
        <p className="quiet">
          <Chip>{method.applied}</Chip> {method.chosen_by === 'settings' ? 'set for this user' : 'by default'}
          {method.chosen_by === 'settings' && method.default !== method.in_force && (
            <>
              {' '}
              instead of <Chip>{method.default}</Chip>
            </>
          )}
          {method.applied !== method.in_force && (
            <>
              , because <Chip>{method.in_force}</Chip> has no intervals on this day
            </>
          )}
        </p>
      )}
      <SplitBar parts={partsOf(explanation, nameOf)} unit={explanation.unit} />
    </div>
  );
}

function Ingredients({ explanation: { derived_from, date } }: { explanation: DailyExplanationWire }) {
  const { whose } = usePerson();
  const { data: catalog } = useQuery(metricsQuery(whose.environment));
  if (!derived_from || derived_from.length === 0) return null;
  return (
    <WhySection title="Derived from">
      <ul className="why-list">
        {derived_from.map(({ metric, value, unit }) => {
          const entry = catalog?.get(metric);
          const name = entry?.display_name ?? words(metric);
          const displayValue = value === null ? '–' : formatValue(value, unit, entry);
          return (
            <li key={metric}>
              <span>{name}</span>
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

function Sessions({ explanation: { sessions, timezone } }: { explanation: DailyExplanationWire }) {
  if (!sessions || sessions.length === 0) return null;
  const clock = new Intl.DateTimeFormat('en-US', {
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
  });
  return (
    <WhySection title="Sessions">
      <ul className="why-list">
        {sessions.map(({ id, kind, start, end, is_main_sleep }) => {
          const name = kind === 'workout' ? 'Workout' : is_main_sleep ? 'Main sleep' : 'Nap';
          const span = `${clock.format(new Date(start))} – ${clock.format(new Date(end))}`;
          return (
            <li key={id}>
              <span>{name}</span>
              <WhyButton subject={{ kind, id }} label={`${name} ${span}`}>
                {span}
              </WhyButton>
            </li>
          );
        })}
      </ul>
    </WhySection>
  );
}
