import type { Calendar } from '../../kernel/calendar/calendar.js';
import { broken } from '../import-rules.js';
import { isMisread, type Misread, type Values } from './value.js';
import { money } from './number-values.js';

export interface ImportDay {
  /** The civil date in São Paulo. */
  readonly today: string;
  readonly calendar: Calendar;
}

/** An error between fields that are individually valid; `field` is the one to report it at. */
export interface RuleError extends Misread {
  readonly field: string;
}

export type Rule = (values: Readonly<Values>, day: ImportDay) => RuleError | undefined;

/** Requires that the first date is not after the second one, if both are given. */
export function inOrder(first: string, second: string): Rule {
  return (values) => {
    const [from, to] = [values[first] ?? null, values[second] ?? null];
    if (from === null || to === null || from <= to) return undefined;
    return { field: second, error: broken('OUT_OF_ORDER', { value: to, field: first, other: from }) };
  };
}

export function notInTheFuture(field: string): Rule {
  return (values, { today }) => {
    const day = values[field] ?? null;
    return day === null || day <= today
      ? undefined
      : { field, error: broken('FIELD_IN_FUTURE', { value: day, today }) };
  };
}

/** Requires that a day, if given, is covered by the table of business days. */
export function inCalendar(field: string): Rule {
  return (values, { calendar }) => {
    const day = values[field] ?? null;
    return day === null || covers(calendar, day)
      ? undefined
      : { field, error: broken('NOT_IN_CALENDAR', { value: day }) };
  };
}

export function covers(calendar: Calendar, day: string): boolean {
  try {
    calendar.isBusinessDay(day);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export function together(first: string, second: string): Rule {
  return (values) => {
    const [one, other] = [values[first] ?? null, values[second] ?? null];
    if ((one === null) === (other === null)) return undefined;
    return one === null
      ? { field: first, error: broken('REQUIRED_WITH', { field: second }) }
      : { field: second, error: broken('REQUIRED_WITH', { field: first }) };
  };
}

export function notAbove(field: string, limit: string): Rule {
  return (values) => {
    const [value, most] = [values[field] ?? null, values[limit] ?? null];
    if (value === null || most === null || BigInt(value) <= BigInt(most)) return undefined;
    return { field, error: broken('MORE_THAN', { value, field: limit, limit: most }) };
  };
}

/** Requires that a computed amount fits its column, as a given one must. */
export function fitsMoney(field: string): Rule {
  return (values) => {
    const read = money.read(values[field] ?? '0');
    return isMisread(read) ? { field, error: read.error } : undefined;
  };
}
