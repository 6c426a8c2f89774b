export type { RegisteredApp } from './apps.ts';
export type { Counts } from './world/counts.ts';
export type { FaultKind, FaultSwitch } from './world/faults.ts';
export { startLab, type StartLabOptions } from './lab.ts';
export type { Lab } from './lab-type.ts';
export type { Day, Sleep, Workout } from './world/people/day.ts';
export type { Person } from './world/people/person.ts';
export type { LabProvider } from './provider.ts';
export type { PushRecord } from './world/pushes.ts';
