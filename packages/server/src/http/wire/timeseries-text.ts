import { Readable } from 'node:stream';
import { minuteMs, originalOf, type Metric } from '@tributary/domain';
import { shownUnit, shownValue, type UnitSystem } from '../../services/daily/read-exact-daily.ts';
import type { Series, Timeseries } from '../../services/timeseries/read-timeseries.ts';
import { toSourceWire } from './daily-text.ts';
import { yieldToEventLoop } from '../frame/yield-to-event-loop.ts';

/** Samples printed at a time: about half a millisecond of work before yielding to other requests. */
const mostAtOnce = 600;

/**
 * The body in pieces: JSON of millions of samples is never in memory as a whole, and printing it does not block other requests. Pieces are
 * written to the socket as strings. As bytes, each would be a buffer outside the heap, and freeing them would need long garbage
 * collections.
 */
export function streamTimeseries(
  timeseries: Pick<Timeseries, 'pieces' | 'devices'>,
  units: UnitSystem,
  withSources: boolean,
): Readable {
  return Readable.from(printTimeseries(timeseries, units, withSources), { highWaterMark: 1 });
}

async function* printTimeseries(
  { pieces, devices }: Pick<Timeseries, 'pieces' | 'devices'>,
  units: UnitSystem,
  withSources: boolean,
): AsyncGenerator<string> {
  let separator = '{"data":[';
  for await (const piece of pieces()) {
    const writers = piece.map((series) => new SeriesWriter(series, units, withSources ? devices : null));
    // Unpacking the piece already took one slot's work.
    await yieldToEventLoop();
    for (let text = printByTime(writers); text !== ''; text = printByTime(writers)) {
      yield separator + text;
      separator = ',';
      await yieldToEventLoop();
    }
  }
  yield separator === ',' ? ']}' : `${separator}]}`;
}

/** The next samples by time, and at the same time in the requested metric order. Empty after the last. */
function printByTime(writers: readonly SeriesWriter[]): string {
  let text = '';
  for (let count = 0; count < mostAtOnce; count += 1) {
    let next: SeriesWriter | undefined;
    for (const writer of writers) if (writer.nextMs < (next?.nextMs ?? Infinity)) next = writer;
    if (!next) break;
    text += text === '' ? next.print() : `,${next.print()}`;
  }
  return text;
}

/** Prints samples in sequence. Most of a sample's text equals the previous one's and is built once per minute. */
class SeriesWriter {
  /** The time of the next sample; infinite after the last. */
  nextMs: number;
  readonly #series: Series;
  readonly #units: UnitSystem;
  readonly #devices: Timeseries['devices'] | null;
  readonly #seconds: readonly string[];
  readonly #end: string;
  #at = 0;
  #minute = NaN;
  #start = '';

  constructor(series: Series, units: UnitSystem, devices: Timeseries['devices'] | null) {
    this.#series = series;
    this.#units = units;
    this.#devices = devices;
    this.#seconds = secondsOf(series.metric);
    this.#end = `,"unit":${JSON.stringify(shownUnit(series.metric, units))}`;
    this.nextMs = series.points.timesMs[0] ?? Infinity;
  }

  print(): string {
    const { metric, points } = this.#series;
    const at = this.#at++;
    const timeMs = this.nextMs;
    this.nextMs = points.timesMs[this.#at] ?? Infinity;
    const minute = Math.floor(timeMs / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#start = `{"timestamp":"${new Date(timeMs).toISOString().slice(0, 17)}`;
    }
    const inMinute = timeMs - minute * minuteMs;
    const second = this.#seconds[inMinute / 1000] ?? timeAndMetric(inMinute, metric);
    const value = shownValue(metric, points.micros[at]!, this.#units);
    return `${this.#start}${second}${value}${this.#end}${this.#devices ? this.#source(at, this.#devices) : ''}}`;
  }

  #source(at: number, devices: Timeseries['devices']): string {
    const { metric, points, deviceNo } = this.#series;
    const shown = points.devices?.[at] ?? deviceNo;
    if (shown === null) return ',"source":null';
    const device = devices.get(shown)!;
    const original = points.unitCodes && originalOf(metric, points.micros[at]!, points.unitCodes[at]!);
    const source = toSourceWire({
      provider: device.provider,
      deviceId: device.id,
      originalValue: original?.value ?? null,
      originalUnit: original?.unit ?? null,
    });
    return `,"source":${JSON.stringify(source)}`;
  }
}

const secondsByMetric = new Map<number, readonly string[]>();

/** The text between the minute and the value, for each whole second. */
function secondsOf(metric: Metric): readonly string[] {
  let seconds = secondsByMetric.get(metric.no);
  if (!seconds) {
    seconds = Array.from({ length: 60 }, (_, second) => timeAndMetric(second * 1000, metric));
    secondsByMetric.set(metric.no, seconds);
  }
  return seconds;
}

function timeAndMetric(inMinuteMs: number, metric: Metric): string {
  const seconds = String(Math.floor(inMinuteMs / 1000)).padStart(2, '0');
  const milliseconds = String(Math.floor(inMinuteMs % 1000)).padStart(3, '0');
  return `${seconds}.${milliseconds}Z","metric":"${metric.id}","value":`;
}
