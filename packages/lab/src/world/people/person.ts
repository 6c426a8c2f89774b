/** A simulated user. Everything about them is derived from the seed. */
export interface Person {
  /** `ada`, or `person-17`. */
  id: string;
  seed: number;
  name: string;
  email: string;
  birthDate: string;
  heightM: number;
  /** Where they live. `trips` lists when they are elsewhere. */
  timezone: string;
  trips: { from: string; to: string; timezone: string }[];
  wearsGlucoseSensor: boolean;
}
