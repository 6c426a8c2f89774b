/** An alert rule with the cases that prove it. `npm run monitoring -- --write` prints them for Prometheus. */
export interface Alert {
  /** Also the heading of its section in the runbooks. */
  name: string;
  /** `page`: people lose data or service now. `ticket`: someone should act within a day. */
  severity: 'page' | 'ticket';
  /** What is wrong, with `{{ $labels.name }}` for labels. */
  summary: string;
  expr: string;
  /** How long the expression must hold. */
  for?: string;
  /** Its windows are hours, so its cases have a sample every minute, which makes their evaluation fast. */
  hasLongWindows?: true;
  /**
   * At least one case in which it fires, and one in which it does not. With `for`, the first one that fires must not fire that much earlier, so its time is less
   * than twice `for` after the condition begins.
   */
  cases: readonly AlertCase[];
}

export interface AlertCase {
  /** Samples by series, every ten seconds or every minute: `1x5` is a value and five more, `0+2x5` adds 2 each time. */
  series: Readonly<Record<string, string>>;
  at: string;
  /** The labels of each alert that fires, without its severity. */
  fires: readonly Readonly<Record<string, string>>[];
}

/** Longer than most alerts wait. Every case costs time for each evaluation. */
const atMost = '4m';

/** Seconds of a duration such as `20s` or `2h5m`. */
export function secondsOf(duration: string): number {
  const units: Record<string, number> = { h: 3_600, m: 60, s: 1 };
  return [...duration.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * units[unit!]!,
    0,
  );
}

/** A case in which the alert fires. */
export function fires(
  series: AlertCase['series'],
  at: string,
  ...labels: readonly Readonly<Record<string, string>>[]
): AlertCase {
  return { series, at, fires: labels.length > 0 ? labels : [{}] };
}

/** A case in which it does not. */
export function staysQuiet(series: AlertCase['series'], at: string = atMost): AlertCase {
  return { series, at, fires: [] };
}

/** An expression whose result is dropped for processes that cannot reach PostgreSQL, which has an alert of its own. */
export function unlessDatabaseIsDown(expr: string): string {
  return `(${expr}) unless on (instance) (tributary_component_ok{component="database"} == 0)`;
}

/** The same for an expression over all processes. */
export function unlessAnyDatabaseIsDown(expr: string): string {
  return `(${expr}) unless on () (tributary_component_ok{component="database"} == 0)`;
}
