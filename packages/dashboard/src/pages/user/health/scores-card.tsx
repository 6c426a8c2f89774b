import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { scoreExplanationQuery, scoreHistoryQuery, type ScoreRow } from '../../../api/health.ts';
import { Factors } from '../../../charts/factors.tsx';
import { ScoreStrip, type Score } from '../../../charts/score-strip.tsx';
import { Trend } from '../../../charts/trend.tsx';
import { Button } from '../../../components/controls/button.tsx';
import { Empty, ErrorBox, Skeleton } from '../../../components/feedback/feedback.tsx';
import { Card } from '../../../components/page.tsx';
import { Time } from '../../../components/overlays/tip.tsx';
import { usePainted } from '../../../components/overlays/use-painted.ts';
import { weekday } from '../../../words/time.ts';
import { prefetchWhy } from '../../why/why-subject.ts';
import { usePerson, daysUpTo } from '../person.ts';
import { bandOf, scoreScales, type ScoreScale } from './score-scales.ts';
import { words } from './value-text.ts';

const shownDays = 21;

/** A score with the date of its value. */
interface DatedScore extends Score {
  date: string | null;
  scale: ScoreScale;
}

export function ScoresCard() {
  const { whose, today } = usePerson();
  const span = daysUpTo(today, shownDays);
  const history = useQuery(scoreHistoryQuery(whose, span));
  const [selected, setSelected] = useState('recovery_score');
  // The score is selected immediately. Its factors render afterwards.
  const explained = usePainted(selected);
  if (history.error && !history.data)
    return (
      <ErrorBox error={history.error} title="Could not load scores." onRetry={() => void history.refetch()} />
    );
  if (!history.data) return <Skeleton heights={[330]} label="Loading scores" />;
  const scores = scoreScales.map((scale) => scoreOf(scale, history.data.data));
  if (scores.every(({ value }) => value === null)) return <NoScores />;
  const open = scores.find(({ key }) => key === explained)!;
  return (
    <ScoreStrip scores={scores} selected={selected} onSelect={setSelected}>
      <ScoreReasons score={open} />
    </ScoreStrip>
  );
}

/** The newest value, its change from the previous day, and its history. */
function scoreOf(scale: ScoreScale, rows: readonly ScoreRow[]): DatedScore {
  const own = rows.filter(({ type }) => type === scale.type);
  const at = own.findLastIndex(({ value }) => value !== null);
  const value = own[at]?.value ?? null;
  const before = own[at - 1]?.value ?? null;
  return {
    key: scale.type,
    label: scale.label,
    value,
    date: own[at]?.date ?? null,
    band: value === null ? 'Not enough data' : bandOf(scale, value),
    change: value === null || before === null ? null : Math.round(value) - Math.round(before),
    isBetterHigher: scale.isBetterHigher,
    history: own.map((row) => row.value),
    scale,
  };
}

function ScoreReasons({ score }: { score: DatedScore }) {
  const { whose, today, explain } = usePerson();
  const client = useQueryClient();
  const { key: type, date, value, label, scale } = score;
  const day = date ?? today;
  const { data, error, refetch } = useQuery(scoreExplanationQuery(whose, type, day));
  if (error && !data)
    return <ErrorBox error={error} title="Could not load explanation." onRetry={() => void refetch()} />;
  if (!data) return <Skeleton heights={[190]} label="Loading explanation" />;
  const subject = { kind: 'score', type, date: day } as const;
  const baseline = data.factors.find(({ name }) => name === 'baseline')?.contribution ?? 0;
  return (
    <div className="score-reasons">
      <div className="stack">
        <div>
          <h2>
            {value === null ? `No ${label.toLowerCase()} score` : `Why ${Math.round(value)}`}
            {date !== null && date !== today && <span className="quiet"> {weekday(date)}</span>}
          </h2>
          <p>{data.why}</p>
          {value === null && <p className="quiet">Requires at least {data.recipe.minimum}.</p>}
        </div>
        <Trend label={describeTrend(score)} values={score.history} bands={scale.bands} highest={100} />
        <p className="score-note">
          {data.computed_at && (
            <>
              Published <Time at={data.computed_at} />.{' '}
            </>
          )}
          Wellness information, not medical advice.
        </p>
      </div>
      <div className="stack">
        {value !== null && (
          <Factors
            label={label}
            baseline={baseline}
            factors={data.factors
              .filter(({ name }) => name !== 'baseline')
              .map(({ name, contribution }) => ({ label: words(name), effect: contribution }))}
            total={value}
            neutral={!scale.isBetterHigher}
          />
        )}
        <div className="row end">
          <Button
            small
            onHoverStart={() => prefetchWhy(client, whose, subject)}
            onPress={() => explain(subject)}
          >
            Show inputs
          </Button>
        </div>
      </div>
    </div>
  );
}

function describeTrend({ label, value, band, history }: DatedScore): string {
  const known = history.filter((one) => one !== null);
  if (value === null) return `${label} over ${shownDays} days: no value`;
  const range = `from ${Math.round(Math.min(...known))} to ${Math.round(Math.max(...known))}`;
  return `${label} over ${shownDays} days: now ${Math.round(value)}, ${band.toLowerCase()}; ${range} on ${known.length} days`;
}

function NoScores() {
  const { user } = usePerson();
  return (
    <Card padded={false}>
      <Empty
        title="Six scores will appear here, each with its factors."
        request={{ method: 'GET', path: `/v1/users/${user.id}/scores` }}
        {...(user.devices.length > 0 && { waiting: 'Waiting for enough data' })}
      >
        The sleep score needs one night. Recovery needs three earlier heart readings.
      </Empty>
    </Card>
  );
}
