import type { StatValue, Tone } from '../../design/basics.js';
import { plural } from '../frame/language.js';

/** Something that waits for the reader, or has changed. */
export interface Item {
  readonly text: string;
  /** What to know before it is opened. */
  readonly note?: string | null | undefined;
  readonly count: number;
  /** Whether there are more than were read. */
  readonly hasMore?: boolean | undefined;
  readonly tone: Tone;
  /** A path of the panel; one of the public pages in `href`. */
  readonly to?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly href?: string;
  /** The entry of the navigation that shows the count: that of `to` when omitted, none when undefined. */
  readonly page?: string | undefined;
}

/** What a part of the home shows. */
export interface View {
  readonly figures: readonly StatValue[];
  readonly items: readonly Item[];
  /** In place of items where there are none. */
  readonly empty?: Item;
}

/** Returns an item of a count, and none of nothing. */
export function itemOf(
  count: number,
  forms: Parameters<typeof plural>[1],
  rest: Omit<Item, 'count' | 'text'>,
): readonly Item[] {
  return count === 0 ? [] : [{ page: rest.to, ...rest, count, text: plural(count, forms, rest.hasMore) }];
}
