import { asText, parametersIn } from '../frame/parameters.js';
import type { Tone } from '../../design/basics.js';
import { valueIn } from '../../design/controls/controls.js';

export const requestParameters = (search: Readonly<Record<string, unknown>>) =>
  parametersIn(search, {
    key: asText,
    status: (text) => (/^[1-5](\d\d)?$/.test(text) ? text : undefined),
    path: asText,
    id: asText,
  });

export const statusChoices = ['2', '4', '5', '400', '401', '403', '404', '409', '422', '429', '500', '503'];

export function filterOf({ key, status, path, id }: ReturnType<typeof requestParameters>) {
  return {
    keyId: key ?? null,
    status: status === undefined ? null : Number(status),
    path: path ?? null,
    requestId: id ?? null,
  };
}

export const toneOf: Readonly<Record<'PENDING' | 'DELIVERED' | 'FAILED' | 'SKIPPED', Tone>> = {
  PENDING: 'plain',
  DELIVERED: 'good',
  FAILED: 'bad',
  SKIPPED: 'warn',
};

export const deliveryParameters = (search: Readonly<Record<string, unknown>>) =>
  parametersIn(search, { status: (text) => valueIn(toneOf, text) });
