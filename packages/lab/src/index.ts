export type { RegisteredApp } from './apps.ts';
export type { Counts } from './counts.ts';
export type { FaultKind, FaultSwitch } from './faults.ts';
export { startLab, type Lab, type StartLabOptions } from './lab.ts';
export type { Day, Sleep, Workout } from './people/day.ts';
export type { Person } from './people/person.ts';
export type { LabProvider } from './provider.ts';
export type { PushRecord } from './pushes.ts';
