import { Panel } from '../../components/panel.tsx';
import { DailyWhy } from './daily-why.tsx';
import { ScoreWhy } from './score-why.tsx';
import { SleepWhy, WorkoutWhy } from './session-why.tsx';
import { wordOf, type WhySubject } from './why-subject.ts';
import './why.css';

export interface WhyPanelProps {
  subject: WhySubject;
  onClose: () => void;
  /** Opens the setting of the method. */
  onSettings: (key: string) => void;
}

/** Explains a value: its devices, the rule that decided, and the value with other rules. */
export function WhyPanel({ subject, onClose, onSettings }: WhyPanelProps) {
  return (
    <Panel title="Why this value" onClose={onClose}>
      <WhyBody key={wordOf(subject)} subject={subject} onSettings={onSettings} />
    </Panel>
  );
}

function WhyBody({ subject, onSettings }: Pick<WhyPanelProps, 'subject' | 'onSettings'>) {
  switch (subject.kind) {
    case 'daily':
      return <DailyWhy metric={subject.metric} date={subject.date} onSettings={onSettings} />;
    case 'score':
      return <ScoreWhy type={subject.type} date={subject.date} />;
    case 'sleep':
      return <SleepWhy id={subject.id} />;
    case 'workout':
      return <WorkoutWhy id={subject.id} />;
  }
}
