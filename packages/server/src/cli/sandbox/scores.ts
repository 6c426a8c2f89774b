import { bandOf, scoreTypes, type Factor, type ScoreType } from '@tributary/domain';
import type { SandboxWeek } from '../../services/sandbox/read-week.ts';
import { bar } from './charts.ts';
import { dayLabel, headLine, type Drawing } from './drawing.ts';
import { shortWeekday, signed, tenths } from './text.ts';

/** `100.0` is the widest. */
const scoreWidth = 5;
const bandWidth = 12;

/** The scores day by day, each with a bar where there is room. */
export function renderScores({ days }: SandboxWeek, drawing: Drawing): string[] {
  const { isWide, paint } = drawing;
  const width = isWide ? 14 : 11;
  const barCells = width - scoreWidth - 1 - 2;
  const heads = scoreTypes.map((type) =>
    isWide ? ` ${nameOf(type)}`.padEnd(width) : nameOf(type).padStart(width),
  );
  const lines = days.map(({ day, scores }) => {
    const cells = scoreTypes.map((type) => {
      const value = scores[type];
      if (!isWide) return tenths(value).padStart(width);
      const drawn = value === null ? '' : bar((value / 100) * barCells);
      return `${tenths(value).padStart(scoreWidth)} ${paint('magenta', drawn.padEnd(barCells + 2))}`;
    });
    return dayLabel(day, drawing) + cells.join('');
  });
  return [headLine('Scores', heads.join(''), [], drawing), ...lines];
}

/** The newest value of each score, its band, and the factors that affected it most. */
export function renderReasons({ days, latest }: SandboxWeek, drawing: Drawing): string[] {
  const { paint, labelWidth, width } = drawing;
  const today = days.at(-1)!.day;
  const lines = latest.map(({ type, value, day, factors }) => {
    const shown = tenths(value).padStart(scoreWidth);
    const when = day === today ? '' : `${shortWeekday(day)}: `;
    const lead = `${nameOf(type).padEnd(labelWidth)}${shown}  ${bandOf(type, value).padEnd(bandWidth)}${when}`;
    const factorTexts = factorsWithin(width - lead.length, factors).map(
      ({ name, contribution }) => `${paint('dim', name)} ${signed(contribution)}`,
    );
    return lead + factorTexts.join('   ');
  });
  if (lines.length === 0) return [];
  const scale = `${'score'.padStart(scoreWidth)}  ${'band'.padEnd(bandWidth)}top factors`;
  return [headLine('Why', scale, [], drawing), ...lines];
}

/** The first factors, which affect a score most, as far as there is room. */
function factorsWithin(room: number, factors: readonly Factor[]): Factor[] {
  const moving = factors.filter(({ direction }) => direction !== 'neutral');
  const widths = moving.map(({ name, contribution }) => `${name} ${signed(contribution)}   `.length);
  const fits = (count: number) => widths.slice(0, count).reduce((sum, width) => sum + width, -3) <= room;
  return moving.slice(0, [3, 2, 1].find(fits) ?? 0);
}

function nameOf(type: ScoreType): string {
  return type === 'energy_reserve_score' ? 'reserve' : type.replace('_score', '');
}
