import { ArrowDownRight, ArrowUpRight } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import '../components/page.css';
import { panelId, tabId, TabList } from '../components/tab-list.tsx';
import { number } from '../words/time.ts';
import './chart.css';
import { Spark } from './spark.tsx';

export interface Score {
  key: string;
  label: string;
  /** Null when it could not be worked out. */
  value: number | null;
  /** The band in words. */
  band: string;
  change: number | null;
  /** Whether higher is better; where it is neither, no colour judges. */
  isBetterHigher: boolean;
  history: readonly (number | null)[];
}

export interface ScoreStripProps {
  scores: readonly Score[];
  selected: string;
  onSelect: (key: string) => void;
  /** What belongs to the one that is open: its reasons. */
  children: ReactNode;
}

export function ScoreStrip({ scores, selected, onSelect, children }: ScoreStripProps) {
  const id = useId();
  return (
    <div className="card scores">
      <TabList
        label="Scores"
        id={id}
        value={selected}
        onChange={onSelect}
        className="score-list"
        tabClassName="score"
        tabs={scores.map((score) => ({
          value: score.key,
          content: (
            <>
              <span className="score-label">{score.label}</span>
              <span className="score-value">
                {score.value === null ? '–' : score.value.toFixed(1)}
                <ScoreChange change={score.change} isBetterHigher={score.isBetterHigher} />
              </span>
              <span className="score-band">{score.band}</span>
              <Spark values={score.history} wide />
            </>
          ),
        }))}
      />
      <div
        role="tabpanel"
        id={panelId(id, selected)}
        aria-labelledby={tabId(id, selected)}
        className="score-panel"
      >
        {children}
      </div>
    </div>
  );
}

function ScoreChange({ change, isBetterHigher }: Pick<Score, 'change' | 'isBetterHigher'>) {
  if (change === null || change === 0) return null;
  const Arrow = change > 0 ? ArrowUpRight : ArrowDownRight;
  const tone = isBetterHigher ? (change > 0 ? 'ok' : 'bad') : '';
  return (
    <span className={`change ${tone}`}>
      <Arrow size={13} aria-hidden />
      <span className="unseen">{change > 0 ? 'up' : 'down'}</span>
      {number(Math.abs(change))}
    </span>
  );
}
