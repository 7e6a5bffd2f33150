import type { ReactNode } from 'react';
import { Links, Pager } from '../design/basics.js';
import { FilterForm, type FilterParts } from '../design/filter-form.js';
import { tableLinks } from './files/table-file.js';
import { addressOf, type Locale } from './page.js';

interface ListProps {
  readonly locale: Locale;
  /** Address of the page, with its parameters but `after`. */
  readonly action: string;
  readonly filter: Readonly<Record<string, string | undefined>>;
  readonly after: string | undefined;
  readonly list: PartOfList & {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

interface PartOfList {
  readonly nodes: readonly unknown[];
  readonly totalCount: number;
}

/** Returns a function that gives a column head its sort link; the sorted column links to the opposite order. */
export function headsOf<Name extends string>(
  action: string,
  filter: Readonly<Record<string, string | undefined>>,
  { sort, order = 'asc' }: { readonly sort: Name | undefined; readonly order?: 'asc' | 'desc' | undefined },
) {
  return (name: Name) => ({
    href: addressOf(action, { ...filter, sort: name, order: name === sort && order === 'asc' ? 'desc' : 'asc' }),
    order: name !== sort ? undefined : order === 'asc' ? ('ascending' as const) : ('descending' as const),
  });
}

export function Shown({ of, locale }: { readonly of: PartOfList; readonly locale: Locale }) {
  const { nodes, totalCount } = of;
  if (nodes.length >= totalCount) return null;
  return (
    <p className="muted small">{locale.text.list.shown(locale.decimal(nodes.length), locale.decimal(totalCount))}</p>
  );
}

export function ListPager({ locale, action, filter, after, list }: ListProps) {
  const { list: text } = locale.text;
  const { hasNextPage, endCursor } = list.pageInfo;
  return (
    <Pager
      label={text.pages}
      shown={text.shown(locale.decimal(list.nodes.length), locale.decimal(list.totalCount))}
      first={after === undefined ? undefined : { href: addressOf(action, filter), text: text.first }}
      next={
        hasNextPage && endCursor !== null
          ? { href: addressOf(action, { ...filter, after: endCursor }), text: text.next }
          : undefined
      }
    />
  );
}

/** Returns the options of a filter: any value, and each with its text. */
export const optionsOf = <V extends string>({ text }: Locale, values: readonly V[], textOf: (value: V) => string) => [
  { value: '', text: text.list.any },
  ...values.map((value) => ({ value, text: textOf(value) })),
];

export function ListBody(
  props: ListProps & { readonly title: string; readonly form: FilterParts; readonly table: ReactNode },
) {
  const { locale, title, action, filter, after, list, form, table } = props;
  const { exports, list: text } = locale.text;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
      </div>
      <FilterForm
        {...form}
        action={action}
        label={text.filters}
        submit={text.apply}
        reset={isFiltered ? { href: action, text: text.clear } : undefined}
      />
      <div className="section">
        <Links label={exports.label} items={tableLinks(action, filter)} />
        {table}
        <ListPager locale={locale} action={action} filter={filter} after={after} list={list} />
      </div>
    </>
  );
}
