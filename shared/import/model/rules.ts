import type { Calendar } from '../../calendar/calendar.js';
import { isMisread, type Misread, type Values } from './value.js';
import { money } from './number-values.js';

/** The day of an import. */
export interface ImportDay {
  /** The civil date in São Paulo. */
  readonly today: string;
  readonly calendar: Calendar;
}

/** What is wrong between fields that are each right; `field` is the one to look at. */
export interface RuleError extends Misread {
  readonly field: string;
}

/** A rule between the fields of one record. */
export type Rule = (values: Readonly<Values>, day: ImportDay) => RuleError | undefined;

/** The first date is not after the second one, where both are known. */
export function inOrder(first: string, second: string): Rule {
  return (values) => {
    const [from, to] = [values[first] ?? null, values[second] ?? null];
    if (from === null || to === null || from <= to) return undefined;
    return { field: second, fault: `is ${to}, before ${first}, which is ${from}` };
  };
}

/** A date of something that has happened. */
export function notInTheFuture(field: string): Rule {
  return (values, { today }) => {
    const day = values[field] ?? null;
    return day === null || day <= today
      ? undefined
      : { field, fault: `is ${day}, and today is ${today}: it must not be in the future` };
  };
}

/** A day that the table of business days covers, where it is known. */
export function inCalendar(field: string): Rule {
  return (values, { calendar }) => {
    const day = values[field] ?? null;
    return day === null || covers(calendar, day)
      ? undefined
      : { field, fault: `is ${day}, a day for which the house has no table of business days` };
  };
}

/** Whether the table of business days covers a day. */
export function covers(calendar: Calendar, day: string): boolean {
  try {
    calendar.isBusinessDay(day);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Two fields that mean something only side by side. */
export function together(first: string, second: string): Rule {
  return (values) => {
    const [one, other] = [values[first] ?? null, values[second] ?? null];
    if ((one === null) === (other === null)) return undefined;
    return one === null
      ? { field: first, fault: `is required where ${second} is given` }
      : { field: second, fault: `is required where ${first} is given` };
  };
}

/** Whole numbers, the first one not above the second one. */
export function notAbove(field: string, limit: string): Rule {
  return (values) => {
    const [value, most] = [values[field] ?? null, values[limit] ?? null];
    if (value === null || most === null || BigInt(value) <= BigInt(most)) return undefined;
    return { field, fault: `is ${value}, more than ${limit}, which is ${most}` };
  };
}

/** An amount that was computed fits its column, as one that was given does. */
export function fitsMoney(field: string): Rule {
  return (values) => {
    const read = money.read(values[field] ?? '0');
    return isMisread(read) ? { field, fault: read.fault } : undefined;
  };
}
