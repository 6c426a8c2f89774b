import { styleText } from 'node:util';
import type { DayNumber } from '@tributary/domain';
import { shortDate } from './text.ts';

/** The output that a week is printed to. */
export interface Screen {
  /** In columns. */
  width: number;
  color: boolean;
}

/** The layout of a week: a name, a chart and two figures on each line. */
export interface Drawing {
  paint: (format: Parameters<typeof styleText>[0], text: string) => string;
  isWide: boolean;
  /** Columns in use. */
  width: number;
  labelWidth: number;
  /** Columns of a chart. Each column covers a whole number of ten-minute intervals of a day. */
  cells: number;
  figureWidth: number;
}

const wide = { isWide: true, width: 98, labelWidth: 12, cells: 72, figureWidth: 7 };
const narrow = { isWide: false, width: 78, labelWidth: 12, cells: 48, figureWidth: 9 };

/** The layout that fits. A screen of less than 78 columns wraps lines. */
export function drawingFor({ width, color }: Screen): Drawing {
  return {
    ...(width >= wide.width ? wide : narrow),
    paint: (format, text) => (color ? styleText(format, text, { validateStream: false }) : text),
  };
}

/** The head of a section: its name, the scale of its charts, and the labels of the figures. */
export function headLine(name: string, scale: string, figures: readonly string[], drawing: Drawing): string {
  const { paint, labelWidth } = drawing;
  return paint('bold', name.padEnd(labelWidth)) + paint('dim', scale + figureText(figures, drawing));
}

export function dayLine(day: DayNumber, chart: string, figures: readonly string[], drawing: Drawing): string {
  return dayLabel(day, drawing) + chart + figureText(figures, drawing);
}

export function dayLabel(day: DayNumber, { labelWidth }: Drawing): string {
  return shortDate(day).padEnd(labelWidth);
}

export function figureText(figures: readonly string[], { figureWidth }: Drawing): string {
  return figures.map((figure) => figure.padStart(figureWidth)).join('');
}
