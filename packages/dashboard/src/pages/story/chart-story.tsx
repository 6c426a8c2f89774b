import { useMemo, useState } from 'react';
import { Bars } from '../../charts/bars.tsx';
import { DayStrip } from '../../charts/day-strip.tsx';
import { Factors } from '../../charts/factors.tsx';
import { HeartRate } from '../../charts/heart-rate.tsx';
import { Meter } from '../../charts/meter.tsx';
import { ScoreStrip } from '../../charts/score-strip.tsx';
import { SleepBars } from '../../charts/sleep-bars.tsx';
import { Spark } from '../../charts/spark.tsx';
import { Trend } from '../../charts/trend.tsx';
import { Card, Stat } from '../../components/page.tsx';
import { days, heartRate, hourly, nightSpans, nights, scores, timeZone, workouts } from './samples.ts';
import { Row, Section } from './section.tsx';

export function ChartStory() {
  const [score, setScore] = useState('recovery');
  const [day, setDay] = useState(days.at(-1)!.date);
  const samples = useMemo(() => heartRate(), []);
  return (
    <Section title="Charts">
      <div className="tiles">
        <Stat label="Accepted" value="1.42 M" unit="values today" note="p95 acknowledged in 38 ms">
          <Bars label="Values by hour: highest 79 thousand at 11:00" values={hourly} />
        </Stat>
        <Stat label="Fresh" value="96.8%" unit="of users in 15 min" note="4,812 are late">
          <span className="quiet">
            <Spark
              wide
              label="Share of fresh users by hour"
              values={[96, 97, 97, 98, null, null, 81, 92, 96, 97]}
            />
          </span>
        </Stat>
        <Stat label="Delivered" value="99.2%" unit="on first attempt" note="2 endpoints failing">
          <Bars label="Deliveries by hour; four hours had failures" values={hourly} bad={[13, 14, 15, 16]} />
        </Stat>
      </div>
      <Row>
        <Spark values={[3, 4, 2, 6, 5, 7]} label="Steps over six days" />
        <Meter label="Limit used" share={0.3} shareText="30%" />
        <Meter label="Limit used" share={0.7} tone="warn" shareText="70%" />
        <Meter label="Limit used" share={0.97} tone="bad" shareText="97%" />
      </Row>
      <ScoreStrip scores={scores} selected={score} onSelect={setScore}>
        <div className="story-score">
          <div className="stack">
            <p>Above this user’s usual level. Last night’s sleep contributed most.</p>
            <Trend
              label="Recovery over 21 days: from 54 to 70, high"
              values={scores[0]!.history}
              highest={100}
              bands={[
                { from: 0, label: 'Low' },
                { from: 34, label: 'Moderate' },
                { from: 67, label: 'High' },
              ]}
            />
            <p className="quiet">Wellness information, not medical advice.</p>
          </div>
          <Factors
            label="Recovery"
            baseline={50}
            total={69.9}
            factors={[
              { label: 'Sleep', effect: 12.4 },
              { label: 'Load balance', effect: 9.8 },
              { label: 'Resting heart rate', effect: -5.2 },
              { label: 'HRV today', effect: 2.9 },
              { label: 'Respiratory rate', effect: 0 },
            ]}
          />
        </div>
      </ScoreStrip>
      <HeartRate samples={samples} nights={nightSpans} workouts={workouts} timeZone={timeZone} />
      <SleepBars nights={nights()} />
      <Card title="Days">
        <DayStrip label="Days" days={days} selected={day} onSelect={setDay} />
      </Card>
    </Section>
  );
}
