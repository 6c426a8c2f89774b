import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { scoreExplanationQuery, scoreHistoryQuery, type ScoreRow } from '../../api/health.ts';
import { Factors } from '../../charts/factors.tsx';
import { ScoreStrip, type Score } from '../../charts/score-strip.tsx';
import { Trend } from '../../charts/trend.tsx';
import { Button } from '../../components/button.tsx';
import { Empty, ErrorBox, Skeleton } from '../../components/feedback.tsx';
import { Card } from '../../components/page.tsx';
import { Time } from '../../components/tip.tsx';
import { usePainted } from '../../components/use-painted.ts';
import { weekday } from '../../words/time.ts';
import { prefetchWhy } from '../why/why-subject.ts';
import { usePerson, daysUpTo } from './person.ts';
import { bandOf, scoreScales, type ScoreScale } from './score-scales.ts';
import { words } from './value-text.ts';

const shownDays = 21;

/** A score with the day that its value is of. */
interface DatedScore extends Score {
  date: string | null;
  scale: ScoreScale;
}

export function ScoresCard() {
  const { whose, today } = usePerson();
  const span = daysUpTo(today, shownDays);
  const history = useQuery(scoreHistoryQuery(whose, span));
  const [selected, setSelected] = useState('recovery_score');
  // The score is marked at once; its reasons follow.
  const explained = usePainted(selected);
  if (history.error && !history.data)
    return (
      <ErrorBox
        error={history.error}
        title="The scores could not be loaded."
        onRetry={() => void history.refetch()}
      />
    );
  if (!history.data) return <Skeleton heights={[330]} label="Loading the scores" />;
  const scores = scoreScales.map((scale) => scoreOf(scale, history.data.data));
  if (scores.every(({ value }) => value === null)) return <NoScores />;
  const open = scores.find(({ key }) => key === explained)!;
  return (
    <ScoreStrip scores={scores} selected={selected} onSelect={setSelected}>
      <ScoreReasons score={open} />
    </ScoreStrip>
  );
}

/** The newest value, how it compares with the day before, and how it went. */
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
    change: value === null || before === null ? null : value - before,
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
    return <ErrorBox error={error} title="The reasons could not be loaded." onRetry={() => void refetch()} />;
  if (!data) return <Skeleton heights={[190]} label="Loading the reasons" />;
  const subject = { kind: 'score', type, date: day } as const;
  const baseline = data.factors.find(({ name }) => name === 'baseline')?.contribution ?? 0;
  return (
    <div className="score-reasons">
      <div className="stack">
        <div>
          <h2>
            {value === null ? `No ${label.toLowerCase()} score` : `Why ${value.toFixed(1)}`}
            {date !== null && date !== today && <span className="quiet"> {weekday(date)}</span>}
          </h2>
          <p>{data.why}</p>
          {value === null && <p className="quiet">It takes at least {data.recipe.minimum}.</p>}
        </div>
        <Trend label={sayTrend(score)} values={score.history} bands={scale.bands} highest={100} />
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
            Inputs and norms
          </Button>
        </div>
      </div>
    </div>
  );
}

function sayTrend({ label, value, band, history }: DatedScore): string {
  const known = history.filter((one) => one !== null);
  if (value === null) return `${label} over ${shownDays} days: no value`;
  const range = `from ${Math.min(...known)} to ${Math.max(...known)}`;
  return `${label} over ${shownDays} days: now ${value}, ${band.toLowerCase()}; ${range} on ${known.length} days`;
}

function NoScores() {
  const { user } = usePerson();
  return (
    <Card padded={false}>
      <Empty
        title="Six scores will stand here, each with what moved it."
        request={{ method: 'GET', path: `/v1/users/${user.id}/scores` }}
        {...(user.devices.length > 0 && { waiting: 'Waiting for enough data' })}
      >
        Sleep needs one night; recovery needs three earlier readings of the heart.
      </Empty>
    </Card>
  );
}
