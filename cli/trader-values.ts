import { listOf } from './values.js';
/** The options of the command. */
export const options = {
  name: { type: 'string' },
  'rate-limit': { type: 'string' },
  account: { type: 'string' },
  'maker-fee': { type: 'string' },
  'taker-fee': { type: 'string' },
  'max-order-value': { type: 'string' },
  'max-open-orders': { type: 'string' },
  'max-daily-volume': { type: 'string' },
  'profile-max-open-orders': { type: 'string' },
  'profile-max-daily-volume': { type: 'string' },
  'max-quoted-value': { type: 'string' },
  'spread-tiers': { type: 'string' },
  scopes: { type: 'string' },
  allow: { type: 'string' },
  expires: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type TextName = Exclude<keyof typeof options, 'json'>;
export type Values = Readonly<Partial<Record<TextName, string>>> & { readonly json?: boolean };

/** Parses spread tiers written as `0:0.5,100000:0.35`: the value in BRL from which a tier applies, and its percentage. The graph reports any other text. */
export function tiersOf(text: string): { readonly aboveBrl: string; readonly percent: string }[] {
  return listOf(text).map((tier) => {
    const [aboveBrl = '', percent = ''] = tier.split(/:(.*)/s);
    return { aboveBrl, percent };
  });
}
