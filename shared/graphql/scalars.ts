import 'reflect-metadata';
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { withoutDecimalComma } from '../kernel/format/format.js';
import { byRule, ruleOf, type BrokenRule, type Ruled } from '../kernel/errors.js';

// Every scalar is text on the wire and in code: compiled documents carry their arguments as JSON, which would lose an instance of a class.

interface TextForm {
  readonly name: string;
  readonly description: string;
  /** Where the form is specified. */
  readonly specifiedBy: string;
  readonly canonical: (text: string) => string | undefined;
  /** Returns the rule that a rejected text breaks; without a text, the rule for a value of another type. */
  readonly rule: (text?: string) => BrokenRule;
  readonly output?: (value: unknown) => string | undefined;
}

/** Returns the rule that a value of a scalar breaks, from the error about it; nothing for other errors. */
export function brokenIn({ extensions }: GraphQLError): Ruled {
  // Only the scalars of this file set it.
  const broken = extensions['broken'] as BrokenRule | undefined;
  return broken === undefined ? {} : ruleOf(broken);
}

function textScalar({
  name,
  description,
  specifiedBy,
  canonical,
  rule,
  output,
}: TextForm): GraphQLScalarType<string, string> {
  const parse = (value: unknown, node?: ValueNode): string => {
    const text = typeof value === 'string' ? canonical(value) : undefined;
    if (text !== undefined) return text;
    const broken = rule(typeof value === 'string' ? value : undefined);
    // graphql-js reports a value of a document without its place, which the name of the type replaces; one of a variable has its path.
    const message = node === undefined ? broken.message : `${name} ${broken.message}`;
    throw new GraphQLError(message, { nodes: node ?? null, extensions: { broken } });
  };
  return new GraphQLScalarType<string, string>({
    name,
    description,
    specifiedByURL: specifiedBy,
    parseValue: (value) => parse(value),
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined, node),
    serialize: (value) => {
      const text = (typeof value === 'string' ? canonical(value) : undefined) ?? output?.(value);
      if (text === undefined)
        throw new GraphQLError(`A resolver returned a value that is not valid: ${name} ${rule().message}`);
      return text;
    },
  });
}

const civilDate = /^(\d{4})-(\d{2})-(\d{2})$/;
const shortMonths: ReadonlySet<number> = new Set([4, 6, 9, 11]);

/** Whether `YYYY-MM-DD` is an existing day; there is no year 0. Computed arithmetically, since a batch contains 50,000 dates. */
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

/** One text for each number and scale: without leading zeros, a sign of zero, an exponent, or a point at either end. */
const decimalForm = /^-?(0|[1-9]\d{0,39})(\.\d{1,40})?$/;
const negativeZero = /^-0(\.0+)?$/;

/** Money, prices, quantities and rates. */
/** Resolvers return the text with the decimals that the description of the field says: a `Decimal` does not know them, and is refused. */
export const DecimalScalar = textScalar({
  name: 'Decimal',
  description:
    'A decimal number as text, exact, without leading zeros and never in exponent form: `"1234.50"`. Money is in BRL and percentages are in percent, unless the field says otherwise.',
  specifiedBy: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
  canonical: (text) => (decimalForm.test(text) && !negativeZero.test(text) ? text : undefined),
  // Arithmetic yields it, such as the negation of nothing.
  output: (value) => (typeof value === 'string' && negativeZero.test(value) ? value.slice(1) : undefined),
  rule: (text = '') => {
    const instead = withoutDecimalComma(text);
    return instead === undefined ? byRule('DECIMAL_FORM') : byRule('DECIMAL_POINT', { instead });
  },
});

export const DateScalar = textScalar({
  name: 'Date',
  description: 'A civil date in São Paulo: `"2026-12-31"`.',
  specifiedBy: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  rule: () => byRule('DATE_FORM'),
  canonical: (text) => (isCivilDate(text) ? text : undefined),
});

/** An instant. In code it is the text of `Date.prototype.toISOString`; resolvers may return a `Date`. */
export const DateTimeScalar = textScalar({
  name: 'DateTime',
  description: 'An instant in UTC (RFC 3339): `"2026-12-31T18:30:00.000Z"`. Inputs may carry another offset.',
  specifiedBy: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  rule: () => byRule('DATE_TIME_FORM'),
  canonical: (text) => {
    const day = instant.exec(text)?.[1];
    if (day === undefined || !isCivilDate(day)) return undefined;
    // In UTC it may fall into another year, outside of 0001 to 9999.
    const utc = new Date(text).toISOString();
    return isCivilDate(utc.slice(0, 10)) ? utc : undefined;
  },
  output: (value) => (value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined),
});

export const MonthScalar = textScalar({
  name: 'Month',
  description: 'A month: `"2026-12"`.',
  specifiedBy: 'https://www.w3.org/TR/xmlschema11-2/#gYearMonth',
  rule: () => byRule('MONTH_FORM'),
  canonical: (text) => (isCivilDate(`${text}-01`) ? text : undefined),
});
