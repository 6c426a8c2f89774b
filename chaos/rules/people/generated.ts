/** Patterns in which the service differs from the documentation. Each is generated once the service is fixed: set it to true. */
export const generated = {
  /**
   * Two weigh-ins of one device within the same four hours UTC. If only the first has a body fat, the service returns the weight of the second
   * and no body fat.
   */
  closeWeighIns: false,
  /** Halves of blood pressures beside complete readings of the same device. The service adds them to the mean of the complete ones. */
  halvesBesideCompletePressures: false,
  /**
   * Copies of a workout that hold a distance which the session in the list does not have, or under another sport. The service adds them to the
   * daily distance.
   */
  distancesOfHiddenCopies: false,
  /** `avg` for sleep. The service then uses the best-ranked device of each provider, even if it recorded an hour of the night. */
  averagedSleep: false,
  /** A provider that is excluded for weight but not for body fat. The service then mixes the weigh-ins of two devices. */
  dividedWeighIns: false,
};
