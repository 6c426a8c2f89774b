import { clamp } from '../../clamp.ts';
import { roundTo } from '../../round.ts';
import { slotMinutes } from '../day/slots.ts';
import { recordOf, type Report, type ReportedDay } from './report.ts';
import { hrvOf, reportOfWatch, timesOfDay } from './watch.ts';

const hrvEveryMinutes = 180;
/** SDNN also contains slow changes, which rMSSD does not. */
const sdnnPerRmssd = 1.15;

/** The Apple Watch measures variability as SDNN every few hours. Its wearers leave sleep to the ring. */
export function reportOfAppleWatch(reported: ReportedDay): Report {
  const { truth, habits, window } = reported;
  const read = hrvOf(truth);
  const watch = reportOfWatch(reported);
  const readings = timesOfDay(hrvEveryMinutes).flatMap((minute) => {
    const rmssd = truth.heart.rmssd[minute / slotMinutes]!;
    if (rmssd === null || !habits.worn[minute / slotMinutes]) return [];
    const sdnn = clamp(roundTo(sdnnPerRmssd * read(rmssd), 1), 1, 400);
    return recordOf(window, 'heart_rate_variability', minute, sdnn);
  });
  return { ...watch, records: [...watch.records, ...readings] };
}
