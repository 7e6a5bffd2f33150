import { FailureError } from '../frame/failure.js';
import { textOf } from '../frame/parts.js';
import { plain } from '../frame/typed-number.js';
import type { Operations } from './graph/operations.js';

export type Company = NonNullable<Operations['tradingCompany']['data']['tradingCompany']>;
type Change = Operations['changeTradingCompany']['variables'];

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

/** Returns the tiers of a spread as lines of `from; percent`. */
export function tiersText(tiers: Company['terms']['spreadTiers']): string {
  return (tiers ?? []).map(({ aboveBrl, percent }) => `${aboveBrl}; ${percent}`).join('\n');
}

/** Reads lines of `from; percent`; null for no line. A line of another form is left to the server to reject. */
function tiersOf(text: string): Company['terms']['spreadTiers'] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const tiers = lines.map((line) => {
    const [aboveBrl = '', percent = ''] = line.split(';');
    return { aboveBrl: plain(aboveBrl), percent: plain(percent) };
  });
  return tiers.length === 0 ? null : tiers;
}

/** Returns what a form changes of a company, and nothing else: another operator may change the rest meanwhile. */
export function changeOf(company: Company, values: FormData): Change {
  const typed = (name: string) => textOf(values, name).trim();
  const { terms } = company;
  const changed: Record<string, unknown> = {};
  const note = (name: string, before: unknown, now: unknown) => {
    if (JSON.stringify(before) !== JSON.stringify(now)) changed[name] = now;
  };
  for (const name of required) note(name, terms[name], plain(typed(name)));
  for (const name of amounts) note(name, terms[name], plain(typed(name)) || null);
  for (const name of counts) note(name, terms[name], countOf(typed(name)));
  note('spreadTiers', terms.spreadTiers, tiersOf(textOf(values, 'spreadTiers')));
  const [name, accountId, rateLimit] = [typed('name'), typed('accountId') || null, countOf(typed('rateLimit'))];
  return {
    id: company.id,
    ...(name === company.name ? {} : { name }),
    ...(accountId === company.accountId ? {} : { accountId }),
    ...(rateLimit === company.rateLimit ? {} : { rateLimit }),
    ...(Object.keys(changed).length === 0 ? {} : { terms: changed }),
  };
}

/** Reads a whole number, with or without separators of thousands; null for an empty field, and 0, which the server rejects, for anything else. */
export function countOf(typed: string): number | null {
  if (typed === '') return null;
  const isGrouped = /^\d{1,3}([.,]\d{3})+$/.test(typed);
  return isGrouped || /^\d{1,15}$/.test(typed) ? Number(typed.replace(/[.,]/g, '')) : 0;
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

/** Reads one network a line; null for none. */
export function networksOf(text: string): readonly string[] | null {
  const networks = text.split(/[\s,;]+/).filter((line) => line !== '');
  return networks.length === 0 ? null : networks;
}
