export {
  DailyCandidate,
  DailyExplanation,
  type CandidateReason,
  type DailyCandidateWire,
  type DailyExplanationWire,
  type Exclusion,
} from './explanation-daily.ts';
export { exampleDailyExplanation } from './explanation-daily-example.ts';
export {
  ExplainedBatch,
  ExplainedDevice,
  explanationLimits,
  type ExplainedDeviceWire,
} from './explanation-parts.ts';
export {
  exampleSleepExplanation,
  exampleWorkoutExplanation,
  OverlappingSession,
  SleepExplanation,
  WorkoutExplanation,
  type OverlappingSessionWire,
  type SessionReason,
  type SleepExplanationWire,
  type WorkoutExplanationWire,
} from './explanation-session.ts';
