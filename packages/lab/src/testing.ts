/** Internals of the simulated providers that proofs compare with. */
export { chanceOf } from './world/hash.ts';
export { addDays } from './world/people/local-time.ts';
export { personOf } from './world/people/people.ts';
export type { DocumentKey, Frame, Grant, LimitRule, Pushes, Visible } from './provider.ts';
export { allProviders } from './providers/index.ts';
export { isEchoOfPhone } from './providers/withings/activity.ts';
export { sleepOf } from './providers/withings/documents.ts';
