import type { DocumentNode } from 'graphql';
import { Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { pathIn } from '../layout.js';
import type { Locale } from '../locale.js';
import { canBeTried } from './can-be-tried.js';
import { faultsOf } from './faults.js';
import { referenceContent, type Frame } from './frame.js';
import { messagesOf } from './messages.js';
import type { Body, OpenApi, Operation, Response } from './open-api.js';
import { Description, FieldTable, Method, Note, Sample } from './parts.js';
import { withinTag } from './rest-pages.js';
import { sampleOf } from './sample-value.js';
import { samplesOf, type SampleSource } from './samples/samples.js';
import { fieldRows, rulesOf, typeText } from './schema-rows.js';

interface Parts {
  readonly operation: Operation;
  readonly openApi: OpenApi;
  readonly locale: Locale;
}

/** The page of one operation: what it takes, what it returns, how it fails, and samples of a call. */
export function operationPage(
  frame: Frame,
  operation: Operation,
  source: SampleSource & { readonly documentOf: (id: string) => DocumentNode | undefined },
) {
  const { locale, openApi } = frame;
  const text = messagesOf(locale);
  const { summary, method, path, description } = operation;
  const parts = { operation, openApi, locale };
  return referenceContent(frame, {
    title: summary,
    description: `${method} ${path}`,
    within: withinTag(openApi, operation.tag),
    body: (
      <>
        <div className="head">
          <h1>{summary}</h1>
          <p className="request">
            <Method name={method} /> <code>{path}</code>
          </p>
          {canBeTried(operation.security.flat()) ? (
            <p>
              <a href={`${pathIn(locale, '/painel/desenvolvedor/testar')}?operation=${operation.id}`}>{text.tryIt}</a>
            </p>
          ) : null}
        </div>
        <div className="operation">
          <div>
            <Description text={description} locale={locale} />
            <Credentials {...parts} />
            <Parameters {...parts} />
            {Object.entries(operation.body).map(([type, body]) => (
              <BodyPart key={type} type={type} body={body} {...parts} />
            ))}
            {operation.responses
              .filter(({ status }) => status < 400)
              .map((response) => (
                <ResponsePart key={response.status} response={response} {...parts} />
              ))}
            <Faults {...parts} />
            <Section id="limits" title={text.limits}>
              <p>
                {text.limitsText} <a href={pathIn(locale, '/docs/guides/common')}>{text.common}</a>
              </p>
            </Section>
          </div>
          <section className="samples" aria-label={text.samples}>
            {samplesOf(source, openApi, operation).map(({ title, text: code }, at) => (
              <Sample key={title} title={title} text={code} open={at === 0} />
            ))}
          </section>
        </div>
      </>
    ),
  });
}

function Credentials({ operation, openApi, locale }: Parts) {
  const text = messagesOf(locale);
  const { security } = operation;
  return (
    <Section id="credential" title={text.credential}>
      {security.length === 0 ? <p>{text.noCredential}</p> : null}
      {security.length === 0 ? null : (
        <ul>
          {security.map((schemes) => (
            <li key={schemes.join()}>
              {schemes.map((scheme) => (
                <div key={scheme}>
                  <strong>{scheme}</strong>
                  <Description text={openApi.schemes[scheme] ?? ''} locale={locale} />
                </div>
              ))}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Parameters({ operation, openApi, locale }: Parts) {
  const text = messagesOf(locale);
  if (operation.parameters.length === 0) return null;
  const rows = operation.parameters.map(({ name, in: place, required, description, schema }) => ({
    path: name,
    place,
    required,
    description,
    type: typeText(openApi, schema),
    rules: rulesOf(openApi, schema),
  }));
  return (
    <Section id="parameters" title={text.parameters}>
      <FieldTable
        caption={text.parameters}
        rows={rows}
        text={text}
        locale={locale}
        prefix="parameter"
        marks="required"
      />
    </Section>
  );
}

function BodyPart({ type, body, openApi, locale }: Parts & { readonly type: string; readonly body: Body }) {
  const text = messagesOf(locale);
  const isJson = type === 'application/json';
  const rows = fieldRows(openApi, body.schema);
  return (
    <Section id={isJson ? 'body' : 'text-body'} title={`${text.body} · ${type}`}>
      {body.schema.description === undefined ? null : <Description text={body.schema.description} locale={locale} />}
      {rows.length === 0 ? null : (
        <FieldTable
          caption={text.fields}
          rows={rows}
          text={text}
          locale={locale}
          prefix={isJson ? 'body' : 'text'}
          marks="required"
        />
      )}
      {body.example === undefined ? null : <Sample title={text.example} text={written(body.example)} open={!isJson} />}
    </Section>
  );
}

function ResponsePart({ response, openApi, locale }: Parts & { readonly response: Response }) {
  const text = messagesOf(locale);
  const { status, description, content, headers } = response;
  return (
    <Section id={`response-${status}`} title={`${text.response} ${status}`}>
      <p>
        <Note text={description} locale={locale} />
      </p>
      {Object.keys(content).length === 0 ? <p>{text.noBody}</p> : null}
      {Object.entries(content).map(([type, { schema, example }]) => {
        const rows = fieldRows(openApi, schema);
        const isJson = type === 'application/json';
        return (
          <div key={type} className="part">
            <h3>{type}</h3>
            {rows.length === 0 ? (
              <p>{<Note text={schema.description ?? typeText(openApi, schema)} locale={locale} />}</p>
            ) : (
              <FieldTable
                caption={`${text.fields} ${status}`}
                rows={rows}
                text={text}
                locale={locale}
                prefix={`field${status}`}
                marks="optional"
              />
            )}
            <Sample title={text.example} text={written(example ?? (isJson ? sampleOf(openApi, schema) : ''))} />
          </div>
        );
      })}
      <details>
        <summary>{text.headers}</summary>
        <Table
          caption={`${text.headers} ${status}`}
          rows={headers}
          keyOf={({ name }) => name}
          empty={text.empty}
          columns={[
            { label: text.table.name, kind: 'wide', cell: ({ name }) => <code>{name}</code> },
            { label: text.table.meaning, cell: (one) => <Note text={one.description} locale={locale} /> },
          ]}
        />
      </details>
    </Section>
  );
}

function Faults({ operation, locale }: Parts) {
  const text = messagesOf(locale);
  return (
    <Section id="errors" title={text.errors}>
      <Table
        caption={text.errors}
        rows={faultsOf(operation)}
        keyOf={({ status }) => String(status)}
        empty={text.empty}
        columns={[
          { label: text.table.status, cell: ({ status }) => <strong id={`status-${status}`}>{status}</strong> },
          {
            label: text.table.condition,
            kind: 'wide',
            cell: ({ condition, codes }) => (
              <>
                <Note text={condition} locale={locale} />
                {codes.map(({ name, catalogue, message }) => (
                  <span key={name} className="sub">
                    <a href={pathIn(locale, `/docs/errors#${name}`)}>
                      <code>{catalogue}</code>
                    </a>{' '}
                    {message}
                  </span>
                ))}
              </>
            ),
          },
          { label: text.table.advice, kind: 'wide', cell: ({ advice }) => <Note text={advice} locale={locale} /> },
        ]}
      />
    </Section>
  );
}

const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
