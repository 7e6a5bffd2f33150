import { Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { pathIn } from '../layout.js';
import type { Locale } from '../locale.js';
import { faults } from './faults.js';
import { referenceContent, type Frame } from './frame.js';
import { messagesOf } from './messages.js';
import { tagSlug, type OpenApi, type Operation, type Tag } from './open-api.js';
import { Description, Method, Note } from './parts.js';

/** Returns the path of an operation’s page. */
export function operationPath({ id }: Operation): string {
  return `/docs/rest/${id}`;
}

/** Returns the path of the page of a tag. */
export function tagPath(tag: string): string {
  return `/docs/rest/tags/${tagSlug(tag)}`;
}

/** The first page: what the interfaces have in common, and the ways into the reference. */
export function overviewPage(frame: Frame) {
  const { locale, openApi, publishesSchema } = frame;
  const text = messagesOf(locale);
  const ways = [
    { href: '/docs/rest', title: text.rest, about: text.ways.rest },
    { href: '/docs/guides/first-steps', title: text.guides, about: text.ways.guides },
    { href: '/docs/webhooks', title: text.webhooks, about: text.ways.webhooks },
    { href: '/docs/socket', title: text.socket, about: text.ways.socket },
    ...(publishesSchema ? [{ href: '/docs/graphql', title: text.graphql, about: text.ways.graphql }] : []),
    { href: '/docs/errors', title: text.errors, about: text.ways.errors },
  ];
  return referenceContent(frame, {
    title: text.title,
    english: false,
    body: (
      <>
        <div className="head">
          <h1>{text.title}</h1>
          <p className="lead">{text.description}</p>
        </div>
        <dl className="ways">
          {ways.map(({ href, title, about }) => (
            <div key={href}>
              <dt>
                <a href={pathIn(locale, href)}>{title}</a>
              </dt>
              <dd className="small muted">{about}</dd>
            </div>
          ))}
        </dl>
        <div lang="en" className="section">
          <Description text={openApi.introduction} locale={locale} deeper={0} />
        </div>
      </>
    ),
  });
}

/** Every operation, by tag. */
export function restIndexPage(frame: Frame) {
  const { locale, openApi } = frame;
  const text = messagesOf(locale);
  return referenceContent(frame, {
    title: text.rest,
    body: (
      <>
        <div className="head">
          <h1>{text.rest}</h1>
          <p>
            <a href={pathIn(locale, '/docs/guides/common')}>{text.common}</a>
          </p>
        </div>
        {openApi.tags.map((tag) => (
          <Section key={tag.name} id={tagSlug(tag.name)} title={tag.name}>
            <p>
              <Note text={tag.description} locale={locale} />
            </p>
            <OperationTable tag={tag} locale={locale} />
          </Section>
        ))}
      </>
    ),
  });
}

/** The operations of a tag, for its entry in the contents. */
export function withinTag({ tags }: OpenApi, name: string) {
  const tag = tags.find((one) => one.name === name);
  const operations = tag?.operations ?? [];
  // Two paths of one operation have the same summary.
  const items = operations.map((one, at) => ({
    href: operationPath(one),
    text: operations.slice(0, at).some(({ summary }) => summary === one.summary)
      ? `${one.summary} (${one.path})`
      : one.summary,
  }));
  return { href: tagPath(name), items };
}

/** The operations of one tag. */
export function tagPage(frame: Frame, tag: Tag) {
  const { locale, openApi } = frame;
  return referenceContent(frame, {
    title: tag.name,
    description: tag.description,
    within: withinTag(openApi, tag.name),
    body: (
      <>
        <div className="head">
          <h1>{tag.name}</h1>
        </div>
        <Description text={tag.description} locale={locale} />
        <OperationTable tag={tag} locale={locale} />
      </>
    ),
  });
}

function OperationTable({ tag, locale }: { readonly tag: Tag; readonly locale: Locale }) {
  const { table, empty } = messagesOf(locale);
  return (
    <Table
      caption={tag.name}
      rows={tag.operations}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          label: table.operation,
          kind: 'wide',
          cell: (one) => <a href={pathIn(locale, operationPath(one))}>{one.summary}</a>,
        },
        {
          label: table.path,
          cell: ({ method, path }) => (
            <>
              <Method name={method} /> <code>{path}</code>
            </>
          ),
        },
      ]}
    />
  );
}

/** Every error of the closed registry. */
export function errorsPage(frame: Frame, adviceOf: (status: number) => string) {
  const { locale } = frame;
  const text = messagesOf(locale);
  return referenceContent(frame, {
    title: text.errors,
    body: (
      <>
        <div className="head">
          <h1>{text.errors}</h1>
          <p>
            <a href={pathIn(locale, '/docs/guides/common#s4')}>{text.common}</a>
          </p>
        </div>
        <Table
          caption={text.errors}
          rows={faults}
          keyOf={({ name }) => name}
          empty={text.empty}
          columns={[
            { label: text.table.status, cell: ({ status, name }) => <span id={name}>{status}</span> },
            {
              label: text.table.code,
              kind: 'wide',
              cell: ({ name, catalogue }) => (
                <>
                  {catalogue === undefined ? null : <strong>{catalogue}</strong>}
                  <code className="sub">{name}</code>
                </>
              ),
            },
            { label: text.table.message, kind: 'wide', cell: ({ message }) => <Note text={message} locale={locale} /> },
            {
              label: text.table.advice,
              kind: 'wide',
              cell: ({ status }) => <Note text={adviceOf(status)} locale={locale} />,
            },
          ]}
        />
      </>
    ),
  });
}
