import { useRef, useState, type KeyboardEvent } from 'react';
import { duration, format, weekday } from '../words/time.ts';
import { Button } from '../components/controls/button.tsx';
import { ChartCard } from './chart-card.tsx';
import './chart.css';

/** Minutes by stage. */
export interface Night {
  /** The calendar day of waking up. */
  date: string;
  /** Local times of the user. */
  from: string;
  to: string;
  deep: number;
  light: number;
  rem: number;
  awake: number;
}

export interface SleepBarsProps {
  nights: readonly Night[];
  /** Explains the selected night. */
  onWhy?: (date: string) => void;
}

const stages = [
  { key: 'deep', label: 'Deep' },
  { key: 'light', label: 'Light' },
  { key: 'rem', label: 'REM' },
  { key: 'awake', label: 'Awake' },
] as const;
const columnHeight = 172;

/** Sleep stages by night. Shows totals only, because the order of stages within a night is unknown. */
export function SleepBars({ nights, onWhy }: SleepBarsProps) {
  const [chosen, setChosen] = useState(nights.at(-1)?.date ?? '');
  const box = useRef<HTMLDivElement>(null);
  const night = nights.find(({ date }) => date === chosen) ?? nights.at(-1);
  const mean = nights.reduce((sum, one) => sum + asleep(one), 0) / Math.max(1, nights.length);
  const longest = Math.max(480, ...nights.map((one) => asleep(one) + one.awake));
  const heightOf = (minutes: number) => (minutes / (longest * 1.06)) * columnHeight;
  function onKey(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = nights[nights.findIndex(({ date }) => date === chosen) + step];
    if (!next) return;
    event.preventDefault();
    setChosen(next.date);
    box.current?.querySelector<HTMLElement>(`[data-date="${next.date}"]`)?.focus();
  }
  if (!night) return null;
  return (
    <ChartCard
      title="Sleep"
      readout={
        <>
          <b>{duration(asleep(night))}</b>
          <span>{weekday(night.date)}</span>
          <span>
            {night.from} – {night.to}
          </span>
          <span>average {duration(mean)}</span>
        </>
      }
      tools={
        onWhy && (
          <Button small onPress={() => onWhy(night.date)}>
            Explain this night
          </Button>
        )
      }
      table={() => ({
        head: ['Night', 'Asleep', ...stages.map(({ label }) => label)],
        rows: nights.map((one) => [
          weekday(one.date),
          duration(asleep(one)),
          ...stages.map(({ key }) => duration(one[key])),
        ]),
      })}
    >
      <div
        ref={box}
        className="sleep"
        role="group"
        aria-label="Nights. Use the arrow keys to select one."
        onKeyDown={onKey}
      >
        {[480, 240].map((minutes) => (
          <span key={minutes} className="sleep-line" style={{ bottom: heightOf(minutes) + 24 }}>
            <small>{minutes / 60}h</small>
          </span>
        ))}
        <span className="sleep-mean" style={{ bottom: heightOf(mean) + 24 }} />
        {nights.map((one) => (
          <button
            key={one.date}
            type="button"
            className="night"
            data-date={one.date}
            aria-pressed={one === night}
            tabIndex={one === night ? 0 : -1}
            onClick={() => setChosen(one.date)}
            onPointerEnter={() => setChosen(one.date)}
          >
            <span className="night-column">
              {stages.toReversed().map(({ key }) => (
                <span
                  key={key}
                  className={`stage-${key}`}
                  style={{ height: Math.max(0, heightOf(one[key]) - 1.5) }}
                />
              ))}
            </span>
            <span className="unseen">{describeNight(one)}</span>
            <small aria-hidden="true">
              {format(new Date(one.date), { weekday: 'narrow', timeZone: 'UTC' })}
            </small>
          </button>
        ))}
      </div>
      <dl className="stages">
        {stages.map(({ key, label }) => (
          <div key={key}>
            <dt>
              <span className={`swatch stage-${key}`} aria-hidden="true" />
              {label}
            </dt>
            <dd>{duration(night[key])}</dd>
          </div>
        ))}
      </dl>
    </ChartCard>
  );
}

function asleep({ deep, light, rem }: Night): number {
  return deep + light + rem;
}

function describeNight(night: Night): string {
  const parts = stages.map(({ key, label }) => `${label} ${duration(night[key])}`);
  return `${weekday(night.date)}: asleep ${duration(asleep(night))}, ${parts.join(', ')}`;
}
