import { broken } from '../import-rules.js';
import { quote, type ValueType } from './value.js';

const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a text is an existing day, as `2026-12-31`, within the possible lifetime of a security (1900 to 2199). */
export function isDay(value: string): boolean {
  const [, year = '', month = '', day = ''] = dayForm.exec(value) ?? [];
  if (year < '1900' || year > '2199' || month < '01' || month > '12' || day < '01') return false;
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

export const date: ValueType = {
  form: 'date',
  sql: 'date',
  hint: 'date, 2026-12-31 or 31/12/2026',
  schema: { type: 'string', format: 'date' },
  read: (value) => (isDay(value) ? value : { error: broken('FIELD_DATE_FORM', { value: quote(value) }) }),
};

/** A month, stored as its first day. */
export const month: ValueType = {
  form: 'month',
  sql: 'date',
  hint: 'month, 2026-12 or 12/2026',
  schema: { type: 'string', pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' },
  read: (value) =>
    isDay(`${value}-01`) ? `${value}-01` : { error: broken('FIELD_MONTH_FORM', { value: quote(value) }) },
};

const instantForm =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** An instant with its offset from UTC. */
export const instant: ValueType = {
  form: 'text',
  sql: 'timestamptz',
  hint: 'moment with offset, 2026-12-31T10:00:00-03:00',
  schema: { type: 'string', format: 'date-time' },
  read: (value) =>
    isDay(instantForm.exec(value)?.[1] ?? '') ? value : { error: broken('MOMENT_FORM', { value: quote(value) }) },
};
