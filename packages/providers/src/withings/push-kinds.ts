/** A kind of notification by Withings number, the scope it requires, and the streams it announces. */
interface PushKind {
  appli: number;
  scope: string;
  streams: readonly string[];
}

/** The kinds to subscribe to: body, temperature, blood pressure and oxygen, activity, sleep, and the account itself. */
export const pushKinds: readonly PushKind[] = [
  { appli: 1, scope: 'user.metrics', streams: ['measures'] },
  { appli: 2, scope: 'user.metrics', streams: ['measures'] },
  { appli: 4, scope: 'user.metrics', streams: ['measures'] },
  { appli: 16, scope: 'user.activity', streams: ['activity', 'intraday', 'workouts'] },
  { appli: 44, scope: 'user.activity', streams: ['sleep'] },
  { appli: 46, scope: 'user.info', streams: [] },
];
