import { FailureError } from '../frame/failure.js';
import { textOf } from '../frame/parts.js';
import { language } from '../frame/language.js';
import { countOf, numberOf } from '../frame/number-input.js';
import { readNumber, writeNumber } from '../../design/typed-number.js';
import type { Operations } from './graph/operations.js';
import { changedParty } from './party-fields.js';

export type Company = NonNullable<Operations['tradingCompany']['data']['tradingCompany']>;
type Change = Operations['changeTradingCompany']['variables'];

export interface CompanyPart {
  readonly company: Company;
  readonly mayAct: boolean;
  readonly onDone: (said: string) => void;
}

const amounts = ['maxOrderValue', 'maxDailyVolume', 'profileMaxDailyVolume'] as const;
const counts = ['maxOpenOrders', 'profileMaxOpenOrders'] as const;
const required = ['makerFee', 'takerFee', 'maxQuotedValue'] as const;

/** Names of the terms that are typed as a number, in the order of the form. */
export const termFields = [
  'makerFee',
  'takerFee',
  'maxOrderValue',
  'maxOpenOrders',
  'maxDailyVolume',
  'profileMaxOpenOrders',
  'profileMaxDailyVolume',
  'maxQuotedValue',
] as const;

type TermField = (typeof termFields)[number];

export const isCount = (name: TermField) => counts.some((one) => one === name);

export function unitOf(name: TermField): string | undefined {
  if (isCount(name)) return undefined;
  return name === 'makerFee' || name === 'takerFee' ? '%' : 'BRL';
}

/** Returns the tiers of a spread as lines of `from; percent`. */
export function tiersText(tiers: Company['terms']['spreadTiers']): string {
  const write = (value: string) => writeNumber(value, language.code);
  return (tiers ?? []).map(({ aboveBrl, percent }) => `${write(aboveBrl)}; ${write(percent)}`).join('\n');
}

/** Reads lines of `from; percent`; null for no line, undefined where a line has another form. */
export function tiersOf(text: string): Company['terms']['spreadTiers'] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const tiers = lines.flatMap((line) => {
    const [from = '', share = '', ...more] = line.split(';');
    const aboveBrl = readNumber(from, language.code, 'BRL');
    const percent = readNumber(share, language.code, '%');
    return aboveBrl === undefined || percent === undefined || more.length > 0 ? [] : [{ aboveBrl, percent }];
  });
  if (tiers.length < lines.length) return undefined;
  return tiers.length === 0 ? null : tiers;
}

/** Returns only the fields that a form changes of a company: another operator may change the others meanwhile. */
export function changeOf(company: Company, values: FormData): Change {
  const { terms } = company;
  const changed: Record<string, unknown> = {};
  const note = (name: string, before: unknown, now: unknown) => {
    if (JSON.stringify(before) !== JSON.stringify(now)) changed[name] = now;
  };
  for (const name of [...required, ...amounts]) note(name, terms[name], numberOf(values, name, unitOf(name)));
  for (const name of counts) note(name, terms[name], countOf(values, name));
  note('spreadTiers', terms.spreadTiers, tiersOf(textOf(values, 'spreadTiers')));
  return {
    id: company.id,
    ...changedParty(company, values),
    ...(Object.keys(changed).length === 0 ? {} : { terms: changed }),
  };
}

/** Runs an act, and names the errors of terms as the fields of the form. */
export async function withFieldsOfTerms(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const details = error.failure.details.map((one) => ({ ...one, path: one.path.replace(/^terms\./, '') }));
    throw new FailureError({ ...error.failure, details });
  }
}
