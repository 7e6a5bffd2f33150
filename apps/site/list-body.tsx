import type { ReactNode } from 'react';
import { Links } from '../design/basics.js';
import { Pager } from '../design/table.js';
import { tableLinks } from './files/table-file.js';
import type { Locale } from './locale.js';
import { addressOf } from './page.js';

/** The body of a page with a list: its filter, its files, a table and the way to the next page. */
export function ListBody(props: {
  readonly locale: Locale;
  readonly title: string;
  /** Address of the page, with its parameters but `after`. */
  readonly action: string;
  readonly filter: Readonly<Record<string, string | undefined>>;
  readonly after: string | undefined;
  readonly list: {
    readonly nodes: readonly unknown[];
    readonly totalCount: number;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
  readonly form: ReactNode;
  readonly table: ReactNode;
}) {
  const { locale, title, action, filter, after, list, form, table } = props;
  const { exports, list: text } = locale.text;
  const { hasNextPage, endCursor } = list.pageInfo;
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
      </div>
      {form}
      <div className="section">
        <Links label={exports.label} items={tableLinks(action, filter)} />
        {table}
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
      </div>
    </>
  );
}
