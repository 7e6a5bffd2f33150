import { Decimal } from '../../kernel/decimal.js';
import { broken, type BrokenImportRule } from '../import-rules.js';
import { quote, type Misread, type ValueType } from './value.js';

interface DecimalOptions {
  readonly min?: string;
  readonly above?: string;
  readonly max?: string;
}

/** A decimal that NUMERIC(digits, places) holds exactly: nothing is ever rounded. */
export function decimal(digits: number, places: number, { min, above, max }: DecimalOptions = {}): ValueType {
  const whole = digits - places;
  const least = min ?? above;
  const signed = least === undefined || least.startsWith('-');
  const bounds = {
    ...(min && { minimum: Number(min) }),
    ...(above && { exclusiveMinimum: Number(above) }),
    ...(max && { maximum: Number(max) }),
  };
  return {
    form: 'number',
    sql: `numeric(${digits}, ${places})`,
    hint: `decimal, at most ${places} decimals${boundsText({ ...(min && { min }), ...(above && { above }), ...(max && { max }) })}`,
    schema: {
      type: ['string', 'number'],
      pattern: `^${signed ? '-?' : ''}[0-9]{1,${whole}}${places === 0 ? '' : `(\\.[0-9]{1,${places}})?`}$`,
      ...bounds,
    },
    read: (value) => {
      if (!/^-?\d+(\.\d+)?$/.test(value)) return { error: broken('NUMBER', { value: quote(value) }) };
      const [before = '', after = ''] = value.replace('-', '').split('.');
      if (after.replace(/0+$/, '').length > places) return { error: placesError(places, value) };
      if (before.replace(/^0+/, '').length > whole) return { error: broken('FIELD_WHOLE_DIGITS', { max: whole }) };
      return boundsError(value, min, above, max) ?? (places === 0 ? (value.split('.')[0] ?? '') : value);
    },
  };
}

function placesError(places: number, value: string): BrokenImportRule {
  return places === 0
    ? broken('WHOLE_NUMBER', { value: quote(value) })
    : broken('FIELD_DECIMALS', { max: places, value: quote(value) });
}

function boundsText({ min, above, max }: DecimalOptions): string {
  if (min !== undefined && max !== undefined) return `, from ${min} to ${max}`;
  if (min !== undefined) return min === '0' ? ', not negative' : `, ${min} or more`;
  return above === undefined ? '' : `, greater than ${above}`;
}

function boundsError(value: string, min?: string, above?: string, max?: string): Misread | undefined {
  if (min === '0' && max === undefined) {
    return value.startsWith('-') && /[1-9]/.test(value) ? { error: broken('NOT_NEGATIVE', { value }) } : undefined;
  }
  const number = new Decimal(value);
  if (min !== undefined && number.lessThan(min)) return { error: broken('AT_LEAST', { min, value }) };
  if (above !== undefined && number.lessThanOrEqualTo(above))
    return { error: broken('ABOVE', { limit: above, value }) };
  if (max !== undefined && number.greaterThan(max)) return { error: broken('AT_MOST', { max, value }) };
  return undefined;
}

/** An amount in reais with two decimals, not negative. */
export const money = decimal(24, 2, { min: '0' });

/** A whole number that fits PostgreSQL's integer. */
export function integer(min: number, max = 2_147_483_647): ValueType {
  return {
    form: 'number',
    sql: 'integer',
    hint: max === 2_147_483_647 ? `whole number, ${min} or more` : `whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    read: (value) => {
      const number = /^-?\d{1,15}(\.0+)?$/.test(value) ? Number(value) : Number.NaN;
      if (Number.isNaN(number)) return { error: broken('WHOLE_NUMBER', { value: quote(value) }) };
      return number >= min && number <= max ? String(number) : { error: broken('FROM_TO', { min, max, value }) };
    },
  };
}
