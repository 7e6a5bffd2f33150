import { addDays } from '../../../shared/kernel/calendar/days.js';

/** Reads a parameter of an address; undefined where its text says nothing. */
type Reader = (text: string) => unknown;

/** Returns the parameters of an address that can be read; all others are left out. */
export function parametersIn<const Readers extends Readonly<Record<string, Reader>>>(
  search: Readonly<Record<string, unknown>>,
  readers: Readers,
) {
  const found = Object.entries(readers).flatMap(([name, read]) => {
    const given = search[name];
    // The router reads a short text of digits as a number.
    const text = typeof given === 'number' ? String(given) : given;
    const value = typeof text === 'string' && text !== '' ? read(text) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  // Each has been read by its own reader.
  return Object.fromEntries(found) as {
    readonly [Name in keyof Readers]?: Exclude<ReturnType<Readers[Name]>, undefined>;
  };
}

export const asText = (text: string) => text;

/** A day of the calendar, `YYYY-MM-DD`: there is no year 0, and `Date.parse` takes the 30th of February. */
export const asDay = (text: string) =>
  /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text
    ? text
    : undefined;

export const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (text: string) =>
    values.find((one) => one === text);
