import 'reflect-metadata';
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { Decimal } from '../decimal.js';
import { withoutDecimalComma } from '../format/decimal-comma.js';

// Every scalar is text on the wire and text inside: compiled documents carry their arguments as JSON, which would lose
// an instance of a class.

interface TextForm {
  readonly name: string;
  readonly description: string;
  /** The text in its one canonical form, or undefined when it is none. */
  readonly canonical: (text: string) => string | undefined;
  /** What an input that is refused should have been. */
  readonly expected: string;
  /** What to write instead of a text that is refused, where that can be told. */
  readonly instead?: (text: string) => string | undefined;
  /** Values other than text that a resolver may return. */
  readonly output?: (value: unknown) => string | undefined;
}

function textScalar({
  name,
  description,
  canonical,
  expected,
  instead,
  output,
}: TextForm): GraphQLScalarType<string, string> {
  const parse = (value: unknown, node?: ValueNode): string => {
    const text = typeof value === 'string' ? canonical(value) : undefined;
    if (text !== undefined) return text;
    const other = typeof value === 'string' ? instead?.(value) : undefined;
    const way = other === undefined ? '' : `: write "${other}"`;
    throw new GraphQLError(`${name} must be ${expected}${way}`, { nodes: node ?? null });
  };
  return new GraphQLScalarType<string, string>({
    name,
    description,
    parseValue: (value) => parse(value),
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined, node),
    serialize: (value) => {
      const text = typeof value === 'string' ? canonical(value) : output?.(value);
      if (text === undefined) throw new GraphQLError(`A resolver gave ${name} something else than ${expected}`);
      return text;
    },
  });
}

const civilDate = /^(\d{4})-(\d{2})-(\d{2})$/;
const shortMonths: ReadonlySet<number> = new Set([4, 6, 9, 11]);

/** Whether `YYYY-MM-DD` names a day that exists; there is no year 0. By arithmetic: a batch brings 50,000 of them at once. */
export function isCivilDate(text: string): boolean {
  const [, year, month, day] = civilDate.exec(text) ?? [];
  return year !== undefined && isDay(Number(year), Number(month), Number(day));
}

function isDay(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = month === 2 ? (leap ? 29 : 28) : shortMonths.has(month) ? 30 : 31;
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= last;
}

const instant = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Money, prices, quantities and rates. */
export const DecimalScalar = textScalar({
  name: 'Decimal',
  description:
    'A decimal number as text, exact and never in exponent form: `"1234.50"`. Money is in BRL and percentages are in percent, unless the field says otherwise.',
  expected: 'a decimal number as text, such as "1234.50"',
  canonical: (text) => (/^-?\d{1,40}(\.\d{1,40})?$/.test(text) ? text : undefined),
  instead: withoutDecimalComma,
  output: (value) => (value instanceof Decimal && value.isFinite() ? value.toFixed() : undefined),
});

/** A civil day. */
export const DateScalar = textScalar({
  name: 'Date',
  description: 'A civil date in São Paulo: `"2026-12-31"`.',
  expected: 'a date that exists, as "YYYY-MM-DD"',
  canonical: (text) => (isCivilDate(text) ? text : undefined),
});

/** An instant. Inside it is the text of `Date.prototype.toISOString`; resolvers may return a `Date`. */
export const DateTimeScalar = textScalar({
  name: 'DateTime',
  description: 'An instant in UTC (RFC 3339): `"2026-12-31T18:30:00.000Z"`. Inputs may carry another offset.',
  expected: 'an instant with its offset, as "YYYY-MM-DDTHH:MM:SSZ"',
  canonical: (text) => {
    const day = instant.exec(text)?.[1];
    if (day === undefined || !isCivilDate(day)) return undefined;
    // In UTC it may be in another year, and that one out of the four digits.
    const utc = new Date(text).toISOString();
    return isCivilDate(utc.slice(0, 10)) ? utc : undefined;
  },
  output: (value) => (value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined),
});

/** A month of a year. */
export const MonthScalar = textScalar({
  name: 'Month',
  description: 'A month: `"2026-12"`.',
  expected: 'a month, as "YYYY-MM"',
  canonical: (text) => (/^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined),
});
