/** The six scores. */
export const scoreTypes = [
  'recovery_score',
  'strain_score',
  'sleep_score',
  'stress_score',
  'nutrition_score',
  'energy_reserve_score',
] as const;
export type ScoreType = (typeof scoreTypes)[number];

/** The formulas of all six scores. Formulas that give other numbers for the same readings are a new version. Old versions stay reproducible. */
export const recipeVersions = [1, 2] as const;
export type RecipeVersion = (typeof recipeVersions)[number];

/** The version that new scores are computed with. */
export const currentRecipe: RecipeVersion = 2;

/** Low if a score rests on so little data that most of it is assumed. */
export type Confidence = 'normal' | 'low';

/** What moved a score, and by how much. The direction is that of the number, whether or not that is good for the person. */
export interface Factor {
  readonly name: string;
  /** A multiple of 0.1. */
  readonly contribution: number;
  readonly direction: 'positive' | 'negative' | 'neutral';
}

/** From 0 to 100, a multiple of 0.1. The factors add up to it exactly. */
export interface Score {
  readonly value: number;
  readonly factors: Factor[];
}

/** A score, the recipe that gave it, and how far it can be trusted. */
export interface VersionedScore extends Score {
  readonly version: RecipeVersion;
  readonly confidence: Confidence;
}

/** One ingredient of a score, for explanations. */
export interface Ingredient {
  readonly name: string;
  /** As in the recipe. Null for penalties, loads and entries of a ledger. */
  readonly weight: number | null;
  /** The weight after rescaling over the components with data. */
  readonly share: number | null;
  /** From 0 to 100. */
  readonly subScore: number | null;
  /** Not rounded, and before the total is limited to 0 to 100. */
  readonly contribution: number;
  /** The reading is missing, and the person's usual value or the population median replaces it. */
  readonly assumed?: true;
}

/** The person's baseline as a recipe used it. */
export interface NamedBaseline {
  readonly input: string;
  /** The transformation of the readings before center and sd were computed. */
  readonly transform: 'ln' | 'none';
  readonly centre: number;
  readonly sd: number;
  readonly readings: number;
}

/** A score with everything that explains it. */
export interface Scored extends VersionedScore {
  readonly type: ScoreType;
  /** The score when nothing moves it. */
  readonly neutral: number;
  /** In recipe order. Only ingredients with data. */
  readonly ingredients: Ingredient[];
  readonly baselines: NamedBaseline[];
  /** Additional numbers, such as the training load behind a strain. */
  readonly figures: Record<string, number>;
}

/** As in the profile. Null if it is not set. */
export type Sex = 'female' | 'male' | 'other' | null;
