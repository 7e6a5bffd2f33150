import { tradingTexts } from '../texts.js';
import type { Tone } from '../../design/basics.js';
import { oneOf, parametersIn } from '../frame/parameters.js';

export const orderParameters = (search: Readonly<Record<string, unknown>>) =>
  parametersIn(search, { status: oneOf(['OPEN', 'FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED'] as const) });

export type OrderStatus = 'PENDING' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELLED' | 'REJECTED' | 'EXPIRED';

export const filterOf = (status: OrderStatus) =>
  status === 'PENDING' || status === 'PARTIALLY_FILLED' ? 'OPEN' : status;

export const toneOf: Readonly<Record<OrderStatus, Tone>> = {
  PENDING: 'warn',
  PARTIALLY_FILLED: 'warn',
  FILLED: 'good',
  CANCELLED: 'plain',
  REJECTED: 'bad',
  EXPIRED: 'plain',
};

/** Why an order ended, in the language of the page where its words are known: reasons of several venues are joined, each after the name of its venue. */
export function Reason({ text }: { readonly text: string }) {
  const { reasons } = tradingTexts.get().orders;
  const parts = text.split('; ').map((part) => {
    const [, venue = '', sentence = '', timeInForce = ''] = /^([\w-]+: )?(.*?)( \([A-Z]+\))?$/.exec(part) ?? [];
    const known = reasons[sentence];
    return known === undefined ? undefined : venue + known + timeInForce;
  });
  return parts.includes(undefined) ? <span lang="en">{text}</span> : parts.join('; ');
}
