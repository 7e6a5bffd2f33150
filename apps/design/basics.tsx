import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

export interface StatValue {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}

export function Stats({ items }: { readonly items: readonly StatValue[] }) {
  return (
    <dl className="stats">
      {items.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          {note === undefined ? null : <dd className="small">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Writes a value with a small line below it, as a name with its id; without that line where there is nothing to note. */
export function noted(value: ReactNode, note: ReactNode, lang?: 'en') {
  return (
    <>
      {value}{' '}
      {note == null || note === '' ? null : (
        <span className="sub" lang={lang}>
          {note}
        </span>
      )}
    </>
  );
}

export function Facts({ items }: { readonly items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '—'}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Section(props: {
  readonly id: string;
  readonly title: string;
  readonly links?: ReactNode;
  /** Label of the button that opens the section, which is closed on phones; a link into the section opens it too. */
  readonly opens?: string | undefined;
  readonly children: ReactNode;
}) {
  const { id, title, links, opens, children } = props;
  return (
    <section className="section" id={opens === undefined ? id : undefined} aria-labelledby={`${id}-title`}>
      <div className="row">
        <h2 id={`${id}-title`}>{title}</h2>
        {links}
      </div>
      {opens === undefined ? (
        children
      ) : (
        <details className="fold">
          <summary>{opens}</summary>
          <div id={id}>{children}</div>
        </details>
      )}
    </section>
  );
}

export interface LinkItem {
  readonly href: string;
  readonly text: string;
  readonly current?: boolean;
}

/** Small links in a line: formats of a download, ranges of a chart. */
export function Links({ items, label }: { readonly items: readonly LinkItem[]; readonly label: string }) {
  return (
    <ul className="links" aria-label={label}>
      {items.map(({ href, text, current }) => (
        <li key={href}>
          <a href={href} {...(current === true ? { 'aria-current': 'true' as const } : {})}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function Brand({ href, name, mark }: { readonly href: string; readonly name: string; readonly mark: string }) {
  return (
    <a className="brand" href={href}>
      <img src={mark} alt="" width={26} height={26} />
      {name}
    </a>
  );
}

export type ThemeTexts = Readonly<Record<'label' | 'light' | 'system' | 'dark', string>>;

/** The choice of a light or a dark page, or as the system has it (theme.ts). */
export function ThemeLinks({ texts }: { readonly texts: ThemeTexts }) {
  return (
    <nav className="theme" aria-label={texts.label}>
      {(['light', 'system', 'dark'] as const).map((theme) => (
        <a
          key={theme}
          href={`/theme/${theme}`}
          aria-label={texts[theme]}
          title={texts[theme]}
          rel="nofollow"
          referrerPolicy="same-origin"
        />
      ))}
    </nav>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

export interface Column<Row> {
  readonly label: string;
  /** Numbers are aligned right; `desk` columns are hidden on phones. */
  readonly kind?: 'text' | 'number' | 'nowrap' | 'wide' | 'share' | 'desk';
  readonly cell: (row: Row) => ReactNode;
  /** The list in the order of this column, and in which it is in now. */
  readonly sort?: { readonly href: string; readonly order?: 'ascending' | 'descending' | undefined };
  /** Total of all rows, shown below them. */
  readonly total?: ReactNode;
}

export interface TableProps<Row> {
  /** Content of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Returns the key of a row: by default its `id`, else its index. */
  readonly keyOf?: (row: Row) => string;
  /** In place of a table without rows; nothing where it is absent. */
  readonly empty?: string;
}

/** Columns that fit the width of a phone; one of long texts counts twice. */
const mostOnPhone = 3;

function isCards(columns: readonly { readonly kind?: Column<unknown>['kind'] }[]): boolean {
  return columns.reduce((sum, { kind }) => sum + (kind === 'wide' ? 2 : 1), 0) > mostOnPhone;
}

/** Rows and columns; the first column names the row. On a phone each row of a table that would not fit is a card: each label beside its value. */
export function Table<Row>({ caption, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return empty === undefined ? null : <Empty>{empty}</Empty>;
  const hasCards = isCards(columns);
  return (
    <div className={hasCards ? 'scroll cards' : 'scroll'} role="group" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, kind, sort }) => (
              <th key={label} scope="col" className={kind} aria-sort={sort?.order}>
                {sort === undefined ? label : <a href={sort.href}>{label}</a>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf?.(row) ?? idOf(row) ?? at}>
              {columns.map(({ label, kind, cell }) =>
                hasCards ? (
                  <td key={label} className={kind} data-label={label}>
                    <div>{cell(row) ?? '—'}</div>
                  </td>
                ) : (
                  <td key={label} className={kind}>
                    {cell(row) ?? '—'}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {columns.some(({ total }) => total !== undefined) ? (
          <tfoot>
            <tr>
              {columns.map(({ label, kind, total }) => (
                <td key={label} className={kind} data-label={label}>
                  {total}
                </td>
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </div>
  );
}

const idOf = (row: unknown) =>
  typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' ? row.id : undefined;

export function TablePart<Row>({ title, ...table }: Omit<TableProps<Row>, 'caption'> & { readonly title: string }) {
  return (
    <div>
      <h3>{title}</h3>
      <Table caption={title} {...table} />
    </div>
  );
}

export function TableSection<Row>(
  props: Omit<Parameters<typeof Section>[0], 'children'> &
    Omit<TableProps<Row>, 'caption'> & { readonly children?: ReactNode },
) {
  const { id, title, links, opens, children, ...table } = props;
  return (
    <Section {...{ id, title, links, opens }}>
      {children}
      <Table caption={title} {...table} />
    </Section>
  );
}

export function Pager(props: {
  readonly label: string;
  readonly shown: string;
  readonly first?: { readonly href: string; readonly text: string } | undefined;
  readonly next?: { readonly href: string; readonly text: string } | undefined;
}) {
  const { label, shown, first, next } = props;
  return (
    <nav className="pager" aria-label={label}>
      <span className="muted">{shown}</span>
      <span className="row">
        {first === undefined ? null : <a href={first.href}>{first.text}</a>}
        {next === undefined ? null : (
          <a href={next.href} rel="next">
            {next.text}
          </a>
        )}
      </span>
    </nav>
  );
}
