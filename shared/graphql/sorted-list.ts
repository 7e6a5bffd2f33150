import { keyset, type OpenPage } from './list-page.js';
import { describeEnum } from './describe-enum.js';

export type SortDirection = 'ASC' | 'DESC';

export interface SortKey {
  readonly expression: string;
  readonly type: string;
  /** Whether rows may have no value. An index can serve the order only where all rows have one. */
  readonly optional?: boolean;
}

/** A text by its letters, by Unicode collation: letters first, then accents, then case. Texts are equal only if every character is. */
export function byLetters(expression: string, optional = false): SortKey {
  return { expression: `${expression} COLLATE "und-x-icu"`, type: 'text', optional };
}

export function byPlaceIn(names: readonly string[], expression: string): SortKey {
  const list = names.map((name) => `'${name}'`).join(', ');
  return { expression: `array_position(ARRAY[${list}], ${expression})`, type: 'integer' };
}

/** How a list is sorted: by a value that may be missing, and by a key that no two rows share. */
export interface SortedList {
  readonly value: SortKey;
  readonly tie: SortKey;
  readonly direction: SortDirection;
}

/** The position of a row in a sorted list: both keys as text. */
export interface SortedRow {
  readonly sortValue: string | null;
  readonly sortTie: string;
}

/** Returns the position of a row for its cursor; a missing value is left out. */
export function sortedPosition({ sortValue, sortTie }: SortedRow): readonly string[] {
  return sortValue === null ? [sortTie] : [sortTie, sortValue];
}

/** SQL of a page of a sorted list. Rows without a value come last in either direction, and rows of equal values are sorted by the tie. */
export interface SortedSql {
  readonly columns: string;
  readonly condition: string;
  readonly order: string;
}

/** @param place adds a parameter to the statement and returns its placeholder */
export function sortedSql(
  { value: { expression, type, optional = false }, tie, direction }: SortedList,
  { position: [tieAt, valueAt], backward }: Pick<OpenPage, 'position' | 'backward'>,
  place: (value: unknown) => string,
): SortedSql {
  const { beyond, direction: read } = keyset(direction, { backward });
  const key = { expression: `(${expression})`, tie: `(${tie.expression})` };
  const condition = () => {
    if (tieAt === undefined) return 'true';
    const tieValue = `CAST(${place(tieAt)} AS ${tie.type})`;
    if (valueAt === undefined) {
      const sameEnd = `${key.tie} ${beyond} ${tieValue}`;
      return backward ? `(${key.expression} IS NOT NULL OR ${sameEnd})` : `(${key.expression} IS NULL AND ${sameEnd})`;
    }
    const tuple = `(${key.expression}, ${key.tie}) ${beyond} (CAST(${place(valueAt)} AS ${type}), ${tieValue})`;
    return backward || !optional ? tuple : `(${key.expression} IS NULL OR ${tuple})`;
  };
  return {
    columns: `${key.expression}::text AS "sortValue", ${key.tie}::text AS "sortTie"`,
    condition: condition(),
    order: `${key.expression} ${read}${optional ? ` NULLS ${backward ? 'FIRST' : 'LAST'}` : ''}, ${key.tie} ${read}`,
  };
}

export const SortDirectionEnum = describeEnum<SortDirection>('SortDirection', 'Direction of sorting.', {
  ASC: 'Smallest first',
  DESC: 'Largest first',
});
