import type { StatValue, Tone } from '../../design/basics.js';
import { attemptText } from '../frame/failure.js';
import { moment, plural } from '../frame/language.js';
import type { Operations } from './graph/operations.js';

export interface Item {
  readonly text: string;
  readonly note?: string | null | undefined;
  readonly count: number;
  readonly hasMore?: boolean | undefined;
  readonly tone: Tone;
  /** A path of the panel; one of the public pages in `href`. */
  readonly to?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly href?: string;
  /** Where the navigation counts it: at the entry of this path, or of one above it; nowhere when undefined. */
  readonly page?: string | undefined;
}

export interface View {
  readonly figures: readonly StatValue[];
  readonly items: readonly Item[];
  /** In place of items where there are none. */
  readonly empty?: Item;
}

/** Returns an item of a count, and none of nothing. The navigation counts it where it leads to, unless `page` says otherwise. */
export function itemOf(
  count: number,
  forms: Parameters<typeof plural>[1],
  rest: Omit<Item, 'count' | 'text'>,
): readonly Item[] {
  return count === 0 ? [] : [{ page: rest.to, ...rest, count, text: plural(count, forms, rest.hasMore) }];
}

/** Returns the path of the only row; for several rows, the path of the list. */
export function pathOf(page: string, rows: readonly { readonly id: string }[]): string {
  const [first] = rows;
  return first !== undefined && rows.length === 1 ? `${page}/${first.id}` : page;
}

type Webhook = Operations['developer']['data']['webhooks']['items'][number];

/** Returns the state of a webhook: it fails where its last attempt did. */
export function webhookState({ status, health }: Pick<Webhook, 'status' | 'health'>) {
  if (status === 'DEACTIVATED') return 'DEACTIVATED';
  const { lastFailure, lastSuccessAt } = health;
  return lastFailure !== null && lastFailure.at > (lastSuccessAt ?? '') ? 'FAILING' : 'HEALTHY';
}

export function failureNote(webhook: string, failure: Webhook['health']['lastFailure']): string | undefined {
  if (failure === null) return undefined;
  const { own, english } = attemptText(failure.error ?? '');
  return `${webhook}: ${failure.responseStatus ?? own ?? english ?? ''} · ${moment(failure.at)}`;
}
