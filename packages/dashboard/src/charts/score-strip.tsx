import { ArrowDownRight, ArrowUpRight } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import '../components/page.css';
import { panelId, tabId, TabList } from '../components/controls/tab-list.tsx';
import { number } from '../words/time.ts';
import './chart.css';
import { Spark } from './spark.tsx';

export interface Score {
  key: string;
  label: string;
  /** Null if it could not be computed. */
  value: number | null;
  /** The name of the band. */
  band: string;
  change: number | null;
  /** Whether higher is better. Otherwise the colors are neutral. */
  isBetterHigher: boolean;
  history: readonly (number | null)[];
}

export interface ScoreStripProps {
  scores: readonly Score[];
  selected: string;
  onSelect: (key: string) => void;
  /** Details of the selected score. */
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
                {score.value === null ? '–' : Math.round(score.value)}
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
  if (change === null || Math.round(change) === 0) return null;
  const Arrow = change > 0 ? ArrowUpRight : ArrowDownRight;
  const tone = isBetterHigher ? (change > 0 ? 'ok' : 'bad') : '';
  return (
    <span className={`change ${tone}`}>
      <Arrow size={13} aria-hidden />
      <span className="unseen">{change > 0 ? 'up' : 'down'}</span>
      {number(Math.round(Math.abs(change)))}
    </span>
  );
}
