/** A reading of blood pressure that waits for the other reading of the same time. */
interface PressureReading {
  metricId: string;
  /** The start of the reading, or the day of a total. */
  time: number;
  value: number;
  accept: () => void;
  reject: () => void;
}

const systolic = 'blood_pressure_systolic';
const diastolic = 'blood_pressure_diastolic';

/** Pairs the blood pressure readings of an upload by time. A pair whose systolic pressure is not above the diastolic one is rejected. */
export class PressurePairs {
  readonly #readings: PressureReading[] = [];

  static includes(metricId: string): boolean {
    return metricId === systolic || metricId === diastolic;
  }

  add(reading: PressureReading): void {
    this.#readings.push(reading);
  }

  /** Accepts or rejects all readings, in the order in which they were added. The last one listed for a time counts. */
  decide(): void {
    const [high, low] = [this.#lastByTime(systolic), this.#lastByTime(diastolic)];
    for (const { time, accept, reject } of this.#readings)
      if ((high.get(time) ?? Infinity) <= (low.get(time) ?? -Infinity)) reject();
      else accept();
  }

  #lastByTime(metricId: string): Map<number, number> {
    const own = this.#readings.filter((reading) => reading.metricId === metricId);
    return new Map(own.map(({ time, value }) => [time, value]));
  }
}
