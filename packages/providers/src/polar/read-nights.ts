import { ProviderFailure } from '../failure.ts';
import { dateOf, fieldsOf, listOf, textOf, type Fields } from '../mapping/read.ts';
import type { Documents, Span, UserApi } from '../provider.ts';
import { getJson } from './get-json.ts';
import type { RechargeDocument } from './map-recharge.ts';
import { availableDates } from './windows.ts';

/** The nights of a span. Polar returns those of the last weeks all at once. */
export async function* readNights(api: UserApi, span: Span): AsyncGenerator<Documents> {
  const nights = await listByDate(api, '/users/sleep', 'nights', span);
  if (nights.length > 0) yield nights;
}

/** The recharges of a span, each with the times of its night. */
export async function* readRecharges(api: UserApi, span: Span): AsyncGenerator<Documents> {
  const recharges = await listByDate(api, '/users/nightly-recharge', 'recharges', span);
  if (recharges.length === 0) return;
  const nights = await listNights(api);
  yield recharges.map((recharge) =>
    withTimes(
      recharge,
      nights.find(({ date }) => date === recharge['date']),
    ),
  );
}

/** The recharge of a date. */
export async function readRecharge(api: UserApi, date: string): Promise<Documents> {
  const recharge = await getJson(api, `/users/nightly-recharge/${encodeURIComponent(date)}`);
  if (recharge === null) return [];
  const night = await ifAllowed(getJson(api, `/users/sleep/${encodeURIComponent(date)}`));
  return [withTimes(recharge, fieldsOf(night))];
}

/** All available nights, or none if the user does not share them. */
export async function listNights(api: UserApi): Promise<Fields[]> {
  const response = await ifAllowed(getJson(api, '/users/sleep'));
  return listOf(fieldsOf(response)['nights']).map(fieldsOf);
}

/** Null for data that the user does not share. It is only used to interpret other data. */
export function ifAllowed(response: Promise<unknown>): Promise<unknown> {
  return response.catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.kind === 'forbidden') return null;
    throw error;
  });
}

async function listByDate(api: UserApi, path: string, list: string, span: Span): Promise<Fields[]> {
  const range = availableDates(span, api.now());
  if (!range) return [];
  return listOf(fieldsOf(await getJson(api, path))[list])
    .map(fieldsOf)
    .filter((one) => {
      const date = dateOf(one['date']);
      return date !== null && range.from <= date && date <= range.to;
    });
}

function withTimes(recharge: unknown, night: Fields | undefined): RechargeDocument {
  return {
    recharge,
    sleep_start_time: textOf(night?.['sleep_start_time']),
    sleep_end_time: textOf(night?.['sleep_end_time']),
  };
}
