import type { ReactNode } from 'react';

/** Colour of a badge: what the state means for the reader. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** A short label of a state. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

export interface StatValue {
  readonly label: string;
  readonly value: ReactNode;
  /** A second line, as the day of the value. */
  readonly note?: ReactNode;
}

/** The few values that a reader looks for first. */
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

/** Characteristics, a name and a value each. */
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

/** A part of a page with a heading, and links to its data beside it. */
export function Section(props: {
  readonly id: string;
  readonly title: string;
  readonly links?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="section" id={props.id} aria-labelledby={`${props.id}-title`}>
      <div className="row">
        <h2 id={`${props.id}-title`}>{props.title}</h2>
        {props.links}
      </div>
      {props.children}
    </section>
  );
}

/** The address of something, its text, and whether the reader is there. */
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

/** The mark and the name of the house. */
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

/** A text in place of data that does not exist. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="empty">{children}</p>;
}
