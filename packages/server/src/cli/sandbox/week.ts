import { formatId } from '../../ids.ts';
import type { SandboxWeek, WeekDay } from '../../services/sandbox/read-week.ts';
import { bar, barBetween, heavy, hourLine, light, lineOf, sparkline, thinOut } from './charts.ts';
import { dayLabel, dayLine, drawingFor, figureText, headLine, type Drawing, type Screen } from './drawing.ts';
import { renderReasons, renderScores } from './scores.ts';
import { clock, countOf, harmless, hours, longDate, missing, percent, tenths, whole } from './text.ts';

/** A user's week as text: heart rate, sleep, steps with workouts, scores, and what changed the newest of them. */
export function renderWeek(week: SandboxWeek, screen: Screen): string {
  const drawing = drawingFor(screen);
  const sections = isEmpty(week)
    ? [renderHead, renderNothing]
    : [renderHead, renderHeartRate, renderSleep, renderSteps, renderScores, renderReasons, renderFoot];
  return sections
    .map((render) => render(week, drawing))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join('\n'))
    .join('\n\n');
}

function isEmpty({ days, latest }: SandboxWeek): boolean {
  return latest.length === 0 && days.every(isBare);
}

function isBare({ heartRate, steps, scores, sleep, workouts }: WeekDay): boolean {
  const values = [...heartRate, steps, ...Object.values(scores)];
  return values.every((value) => value === null) && sleep.length + workouts.length === 0;
}

function renderHead({ person, nowMinute, days }: SandboxWeek, { paint, width }: Drawing): string[] {
  const { timezone, daysAhead, providers, scoreStatus } = person;
  const name = harmless(person.referenceId);
  const kind = person.archetype === 'none' ? 'no archetype' : person.archetype.replaceAll('_', ' ');
  const id = formatId('user', person.id);
  const room = width - name.length - 2 - kind.length - id.length;
  const ahead = daysAhead === 0 ? '' : `, ${countOf(daysAhead, 'day')} ahead`;
  return [
    `${paint('bold', name)}  ${kind}${room > 1 ? ' '.repeat(room) : '\n'}${paint('dim', id)}`,
    `${longDate(days.at(-1)!.day)}, ${clock(nowMinute)} in ${timezone}${ahead}`,
    paint('dim', providers.length === 0 ? 'no devices' : providers.join(', ')),
    ...(scoreStatus === 'ready' ? [] : [`Scores are ${scoreStatus}.`]),
  ];
}

function renderHeartRate({ days }: SandboxWeek, drawing: Drawing): string[] {
  const { paint, cells } = drawing;
  const drawn = days.map(({ heartRate }) => thinOut(heartRate, heartRate.length / cells));
  const known = drawn.flat().filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const lines = days.map(({ day, lowestHeartRate, highestHeartRate }, at) => {
    const values = drawn[at]!;
    const filledLength = values.findLastIndex((value) => value !== null) + 1;
    // The rest of today is not missing, and a day without any data is reported missing once.
    const shown = at === days.length - 1 || filledLength === 0 ? values.slice(0, filledLength) : values;
    const chart = (sparkline(shown, low, high) || missing).padEnd(cells);
    return dayLine(day, paint('red', chart), [whole(lowestHeartRate), whole(highestHeartRate)], drawing);
  });
  return [headLine('Heart rate', hourLine(cells, 0, 24), ['low', 'high'], drawing), ...lines];
}

function renderSleep({ days }: SandboxWeek, drawing: Drawing): string[] {
  const { paint, cells } = drawing;
  const { fromHour, toHour } = nightOf(days);
  const placeOf = (minute: number) => ((minute / 60 - fromHour) / (toHour - fromHour)) * cells;
  const lines = days.map(({ day, sleep }) => {
    const bars = sleep.map(({ startMinute, endMinute, isMain }) =>
      barBetween(placeOf(startMinute), placeOf(endMinute), isMain ? heavy : light),
    );
    const chart = bars.length === 0 ? missing.padEnd(cells) : lineOf(cells, bars);
    const main = sleep.find(({ isMain }) => isMain);
    const figures = [hours(main?.asleepMinutes ?? null), percent(main?.efficiencyPercent ?? null)];
    return dayLine(day, paint('blue', chart), figures, drawing);
  });
  return [headLine('Sleep', hourLine(cells, fromHour, toHour), ['asleep', 'eff.'], drawing), ...lines];
}

/** From 20:00 to noon, extended to cover all sleep, up to a whole day. */
function nightOf(days: readonly WeekDay[]): { fromHour: number; toHour: number } {
  const sleep = days.flatMap((day) => day.sleep);
  const fromHour = Math.min(-4, ...sleep.map(({ startMinute }) => Math.floor(startMinute / 120) * 2));
  const toHour = Math.max(12, ...sleep.map(({ endMinute }) => Math.ceil(endMinute / 120) * 2));
  return { fromHour, toHour: Math.min(toHour, fromHour + 24) };
}

const stepsWidth = 6;
const sportWidth = 21;

function renderSteps({ days }: SandboxWeek, drawing: Drawing): string[] {
  const { paint, cells, labelWidth } = drawing;
  const barCells = cells - stepsWidth - 1 - 2 - sportWidth;
  const most = Math.max(1, ...days.map(({ steps }) => steps ?? 0));
  const indent = ' '.repeat(labelWidth + cells - sportWidth);
  const lines = days.flatMap(({ day, steps, workouts }) => {
    const drawn = (steps === null ? '' : bar((steps / most) * barCells)).padEnd(barCells);
    const lead = `${dayLabel(day, drawing)}${whole(steps).padStart(stepsWidth)} ${paint('green', drawn)}  `;
    const workoutTexts = workouts.map(({ sport, durationMinutes, strain }) => {
      const name = sport.replaceAll('_', ' ').slice(0, sportWidth).padEnd(sportWidth);
      return name + figureText([whole(durationMinutes), tenths(strain)], drawing);
    });
    // A second workout has its own line.
    return [lead + (workoutTexts[0] ?? ''), ...workoutTexts.slice(1).map((workout) => indent + workout)];
  });
  const head = 'Steps'.padEnd(indent.length) + 'Workouts'.padEnd(sportWidth);
  return [paint('bold', head) + paint('dim', figureText(['min', 'strain'], drawing)), ...lines];
}

function renderNothing(): string[] {
  return ['No data for these days.'];
}

function renderFoot(_week: SandboxWeek, { paint }: Drawing): string[] {
  const legend = `${missing} no value   ${light.whole} nap`;
  return [paint('dim', `${legend}   Scores describe wellness. They are not medical advice.`)];
}
