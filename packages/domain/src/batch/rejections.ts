import type { BatchList, BatchRejectionWire, RejectionCode } from '@tributary/contract';

const mostListed = 100;

const messages: Record<RejectionCode, string> = {
  unknown_metric: 'Unknown metric. It is not in the data catalog.',
  not_accepted:
    'This metric is not accepted here. The service computes it, or it belongs in another part of the upload.',
  unknown_unit: 'The unit cannot be converted to the catalog unit of this metric.',
  out_of_range: 'The value is outside the plausible range of this metric.',
  rate_too_high: 'The value is implausibly high for the length of its interval.',
  ambiguous_unit: 'Blood glucose needs a `unit` here. The value is plausible in both mmol/L and mg/dL.',
  inconsistent_pressure:
    'The systolic pressure is not above the diastolic pressure of the same time. Both values are rejected.',
  exceeds_session: 'Minutes of this session are more than 2 minutes longer than the session itself.',
  asleep_exceeds_in_bed: 'The time asleep is more than 2 minutes longer than the time in bed.',
  out_of_scope: 'The SDK session does not have access to this category of data.',
  invalid_time:
    'A time is more than a day in the future or before 1970, an end is before its start, or the span is too long.',
  unset_clock:
    'The time is within a day of 1970-01-01 or 2001-01-01 UTC. The clock of the device was probably not set.',
  invalid_series: 'A series requires `interval_seconds`, or `offsets_seconds` with one entry per value.',
};

/** The rejected parts of a batch, with reasons. The list is bounded, the count is not. */
export class Rejections {
  readonly listed: BatchRejectionWire[] = [];
  count = 0;

  add(list: BatchList, index: number, code: RejectionCode, count = 1, position?: number): void {
    this.count += count;
    const last = this.listed.at(-1);
    // Values of one series rejected for one reason share an entry.
    if (last && last.list === list && last.index === index && last.code === code) {
      last.count += count;
      return;
    }
    if (this.listed.length >= mostListed) return;
    this.listed.push({
      list,
      index,
      ...(position === undefined ? {} : { position }),
      count,
      code,
      message: messages[code],
    });
  }
}
