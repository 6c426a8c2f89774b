import type { Metric } from '../catalog/metric.ts';
import { conversionsOf, same, type Conversion } from './conversions.ts';
import { ownWords, spellings } from './spellings.ts';

/** A unit that values of one metric may have. */
export interface KnownUnit {
  readonly label: string;
  readonly conversion: Conversion;
}

const longestSpelling = 40;
const tables = new Map<number, ReadonlyMap<string, KnownUnit>>();

/**
 * The unit that `text` means for this metric. Case matters only where it distinguishes units (`cal`, `Cal`). A unit that equals the catalog
 * unit, such as `/min` for bpm, is the catalog unit.
 */
export function findUnit(metric: Metric, text: string): KnownUnit | null {
  if (text.length > longestSpelling) return null;
  const table = tableOf(metric);
  const exact = table.get(text);
  if (exact !== undefined) return exact;
  const plain = text.normalize('NFKC').trim();
  return table.get(plain) ?? table.get(folded(plain)) ?? null;
}

function tableOf(metric: Metric): ReadonlyMap<string, KnownUnit> {
  const known = tables.get(metric.no);
  if (known !== undefined) return known;
  const table = buildTable(metric);
  tables.set(metric.no, table);
  return table;
}

function buildTable(metric: Metric): ReadonlyMap<string, KnownUnit> {
  const table = new Map<string, KnownUnit>();
  const lower = new Map<string, KnownUnit | null>();
  for (const [unit, conversion] of conversionsOf(metric)) {
    const label = isSame(conversion) ? metric.unit : unit;
    const known = { label, conversion };
    const words = [unit, ...(spellings[unit] ?? [])];
    if (unit === metric.unit) words.push(metric.ucumUnit, ...(ownWords[metric.id] ?? []));
    for (const word of words) {
      table.set(word, known);
      const other = lower.get(folded(word));
      lower.set(folded(word), other === undefined || other?.label === label ? known : null);
    }
  }
  for (const [word, known] of lower) {
    if (known !== null) table.set(word, known);
  }
  return table;
}

function isSame({ times, over, zero }: Conversion): boolean {
  return times === same.times && over === same.over && zero === same.zero;
}

/** A key that no exact spelling can have: the NUL keeps the two apart in one map. */
function folded(word: string): string {
  return `\u0000${word.toLowerCase()}`;
}
