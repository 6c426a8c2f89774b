import type { BatchList, BatchRejectionWire, RejectionCode } from '@tributary/contract';

const mostListed = 100;

const messages: Record<RejectionCode, string> = {
  unknown_metric: 'The data catalog has no such metric.',
  not_accepted: 'This metric is computed by the service, or belongs elsewhere in an upload.',
  unknown_unit: 'The unit cannot be converted to the catalog’s unit of this metric.',
  out_of_range: 'The value is outside of what is plausible for this metric.',
  rate_too_high: 'The value is more than is plausible for the length of its interval.',
  out_of_scope: 'The session was not granted this category of data.',
  invalid_time: 'A time is in the future, before 1970, or ends before it starts, or the span is too long.',
  invalid_series: 'A series needs `interval_seconds`, or one of `offsets_seconds` for each value.',
};

/** What of a batch was refused and why. The list is bounded, the count is not. */
export class Rejections {
  readonly listed: BatchRejectionWire[] = [];
  count = 0;

  add(list: BatchList, index: number, code: RejectionCode, count = 1, position?: number): void {
    this.count += count;
    const last = this.listed.at(-1);
    // Refused values of one series for one reason are one entry.
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
