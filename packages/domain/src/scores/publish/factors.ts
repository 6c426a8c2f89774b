import type {
  Confidence,
  Factor,
  Ingredient,
  NamedBaseline,
  RecipeVersion,
  Score,
  Scored,
  ScoreType,
} from '../score.ts';

/** A component of a recipe: name, weight, and sub-score, which is null without data. */
export type Component = readonly [name: string, weight: number, subScore: number | null];

/** Sums of weights such as 0.2 + 0.25 may miss the minimum weight by a rounding error. */
const weightTolerance = 1e-9;

/** Rescales the weights over the components with data. Null if their total weight is too low. */
export function weigh(
  neutral: number,
  components: readonly Component[],
  leastWeight: number,
): Ingredient[] | null {
  let present = 0;
  for (const [, weight, subScore] of components) if (subScore !== null) present += weight;
  if (present < leastWeight - weightTolerance) return null;
  return components.flatMap(([name, weight, subScore]) => {
    if (subScore === null) return [];
    const share = weight / present;
    return { name, weight, share, subScore, contribution: share * (subScore - neutral) };
  });
}

/** An ingredient without a weight: a penalty, a part of a load, or an entry of a ledger. */
export function entryOf(name: string, contribution: number): Ingredient {
  // Adding 0 turns negative zero into zero.
  return { name, weight: null, share: null, subScore: null, contribution: contribution + 0 };
}

/** An upper limit of a score, and the factor that reports its effect. */
export type Limit = readonly [name: string, highest: number];

/** Adds an entry for the lowest limit that the sum of the ingredients exceeds. */
export function limitTo(
  neutral: number,
  ingredients: readonly Ingredient[],
  limits: readonly Limit[],
): Ingredient[] {
  const total = ingredients.reduce((sum, { contribution }) => sum + contribution, neutral);
  const lowest = limits.reduce<Limit | null>((low, limit) => (low && low[1] <= limit[1] ? low : limit), null);
  if (lowest === null || total <= lowest[1]) return [...ingredients];
  return [...ingredients, entryOf(lowest[0], lowest[1] - total)];
}

/** The score of the ingredients, with everything that explains it. */
export function scoreOf(
  type: ScoreType,
  neutral: number,
  ingredients: Ingredient[],
  { baselines = [], figures = {}, version = 1, confidence = 'normal' }: Explanation,
): Scored {
  const { value, factors } = addUp(neutral, ingredients);
  return { type, version, confidence, value, factors, neutral, ingredients, baselines, figures };
}

interface Explanation {
  baselines?: NamedBaseline[];
  figures?: Record<string, number>;
  version?: RecipeVersion;
  confidence?: Confidence;
}

/** Adds contributions, in recipe order, to the neutral point. The displayed numbers add up exactly. */
export function addUp(
  neutral: number,
  parts: readonly { readonly name: string; readonly contribution: number }[],
): Score {
  const { total, contributions } = holdInRange(
    neutral,
    parts.map(({ contribution }) => contribution),
  );
  const valueTenths = Math.floor(roundToMillionth(total * 10) + 0.5);
  const tenths = shareOut(valueTenths - neutral * 10, contributions);
  const factors = parts.map(({ name }, at) => factorOf(name, tenths[at]!));
  factors.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  if (neutral !== 0) factors.unshift({ name: 'baseline', contribution: neutral, direction: 'neutral' });
  return { value: valueTenths / 10, factors };
}

/** Below 0, scales all negative contributions so that the total is 0. Above 100, scales all positive ones so that it is 100. */
function holdInRange(
  neutral: number,
  contributions: readonly number[],
): { total: number; contributions: readonly number[] } {
  let [raised, lowered] = [0, 0];
  for (const contribution of contributions) {
    if (contribution > 0) raised += contribution;
    else lowered += contribution;
  }
  const total = neutral + raised + lowered;
  if (total < 0) {
    const scale = (neutral + raised) / -lowered;
    return { total: 0, contributions: contributions.map((each) => (each < 0 ? each * scale : each)) };
  }
  if (total > 100) {
    const scale = (100 - neutral - lowered) / raised;
    return { total: 100, contributions: contributions.map((each) => (each > 0 ? each * scale : each)) };
  }
  return { total, contributions };
}

/** Whole tenths for each contribution that add up to `totalTenths`. The largest remainders are rounded up, the first of equal ones first. */
function shareOut(totalTenths: number, contributions: readonly number[]): number[] {
  const exact = contributions.map((contribution) => roundToMillionth(contribution * 10));
  const tenths = exact.map((each) => Math.floor(each) + 0);
  const missing = tenths.reduce((rest, each) => rest - each, totalTenths);
  const remainders = exact.map((each, at) => each - tenths[at]!);
  const byRemainder = remainders.map((_, at) => at).sort((a, b) => remainders[b]! - remainders[a]!);
  for (const at of byRemainder.slice(0, missing)) tenths[at]! += 1;
  return tenths;
}

function factorOf(name: string, tenths: number): Factor {
  const direction = tenths >= 5 ? 'positive' : tenths <= -5 ? 'negative' : 'neutral';
  return { name, contribution: tenths / 10, direction };
}

/**
 * Rounds to six decimals, half to even. Floating-point noise depends on the order of sums and must not decide a tenth. Exact for scores and
 * loads up to a million.
 */
export function roundToMillionth(value: number): number {
  const scaled = value * 1e6;
  const below = Math.floor(scaled);
  if (Math.abs(scaled - below - 0.5) > 1e-3) return Math.round(scaled) / 1e6;
  // Among binary fractions, only odd multiples of 1/128 lie exactly between two millionths.
  if (Number.isInteger(value * 128)) return (below % 2 === 0 ? below : below + 1) / 1e6;
  return Number(value.toFixed(6));
}
