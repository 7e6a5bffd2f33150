import type { ReactNode } from 'react';
import { Table } from '../../design/table.js';
import { guideLink, guides } from './guides.js';
import { InlineMarkdown, Markdown } from './markdown.js';
import type { ReferenceMessages } from './messages.js';
import type { FieldRow } from './schema-rows.js';
import { pathIn } from '../layout.js';
import type { Locale } from '../locale.js';

const [common] = guides;

/** Returns the address of what a text of the program names: a rule of a guide, or another site. */
export function linkFrom(locale: Locale): (href: string) => string | undefined {
  return (href) => {
    const found = common === undefined ? undefined : guideLink(common, href);
    return found?.startsWith('/') === true ? pathIn(locale, found) : found;
  };
}

/** A description of the program, one paragraph or several. */
export function Description({
  text,
  locale,
  deeper = 1,
}: {
  readonly text: string;
  readonly locale: Locale;
  readonly deeper?: number;
}) {
  return (
    <div className="prose">
      <Markdown text={text} linkOf={linkFrom(locale)} deeper={deeper} />
    </div>
  );
}

/** A description in a line. */
export function Note({ text, locale }: { readonly text: string; readonly locale: Locale }) {
  return <InlineMarkdown text={text} linkOf={linkFrom(locale)} />;
}

/** The method of a request. */
export function Method({ name }: { readonly name: string }) {
  return <span className={`method ${name.toLowerCase()}`}>{name}</span>;
}

/** An example with its title. */
export function Sample({
  title,
  text,
  open = false,
}: {
  readonly title: string;
  readonly text: string;
  readonly open?: boolean;
}) {
  return (
    <details className="sample" open={open}>
      <summary>{title}</summary>
      <pre className="code">{text}</pre>
    </details>
  );
}

export interface FieldTableProps {
  readonly caption: string;
  readonly rows: readonly (FieldRow & { readonly place?: string })[];
  readonly text: ReferenceMessages;
  readonly locale: Locale;
  /** Put before the path of a field to make its id, which the search leads to. */
  readonly prefix: string;
  /** Whether a field that is always there is marked, or one that can be absent. */
  readonly marks: 'required' | 'optional';
}

/** Fields with their type, bounds and meaning. */
export function FieldTable({ caption, rows, text, locale, prefix, marks }: FieldTableProps) {
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={({ path, place = '' }) => `${place} ${path}`}
      empty={text.empty}
      columns={[
        {
          label: text.table.name,
          kind: 'wide',
          cell: ({ path, required, place }) => (
            <span id={fieldId(prefix, path)}>
              <FieldName path={path} />
              {place === undefined ? null : <span className="sub">{place}</span>}
              {(marks === 'required') === required ? <span className="sub">{text[marks]}</span> : null}
            </span>
          ),
        },
        {
          label: text.table.meaning,
          cell: ({ type, rules, description }) => (
            <>
              <span className="sub">
                {type}
                {rules.map((rule) => (
                  <RuleText key={rule} rule={rule} />
                ))}
              </span>
              {description === '' ? null : <Note text={description} locale={locale} />}
            </>
          ),
        },
      ]}
    />
  );
}

/** Returns the id of a field's row. */
export function fieldId(prefix: string, path: string): string {
  return `${prefix}-${path.replaceAll('[]', '').replaceAll(/[^\w-]+/g, '-')}`;
}

function RuleText({ rule }: { readonly rule: string }): ReactNode {
  const [, kind, rest] = /^(form|one of|default) (.*)$/.exec(rule) ?? [];
  if (rest === undefined) return <> · {rule}</>;
  return (
    <>
      {' '}
      · {kind} <code>{rest}</code>
    </>
  );
}

/** A field with the objects that it is in set back. */
function FieldName({ path }: { readonly path: string }) {
  const at = path.lastIndexOf('.') + 1;
  return (
    <code>
      <span className="muted">{path.slice(0, at)}</span>
      <strong>{path.slice(at)}</strong>
    </code>
  );
}
