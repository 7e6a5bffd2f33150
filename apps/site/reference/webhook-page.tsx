import { Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { pathIn } from '../layout.js';
import { referenceContent, type Frame } from './frame.js';
import { texts } from './guides.js';
import { messagesOf } from './messages.js';
import { operationsOf, type OpenApi } from './open-api.js';
import { FieldTable, Note, Sample } from './parts.js';
import { operationPath } from './rest-pages.js';
import { sampleOf } from './sample-value.js';
import { fieldRows } from './schema-rows.js';

/** Receivers of the clients' own READMEs, which tests run. */
const receivers = [
  { title: 'TypeScript', file: 'clients/typescript/README.md', after: '## Receive webhooks' },
  { title: 'Python', file: 'clients/python/README.md', after: '**A receiver of webhooks**' },
];

/** Returns the first block of code after a place of a guide. @throws {Error} where there is none */
function codeAfter(file: string, place: string): string {
  const text = texts.find((one) => one.file === file)?.text() ?? '';
  const code = /```\w+\n([^]*?)\n```/.exec(text.slice(text.indexOf(place)))?.[1];
  if (code === undefined || !text.includes(place)) throw new Error(`${file} has no code after "${place}"`);
  return code;
}

/** Events that webhooks receive, from the schemas of their bodies. */
export function webhookEvents({ schemas }: OpenApi) {
  const marker = 'event.';
  return Object.entries(schemas)
    .filter(([name]) => name.startsWith(marker))
    .map(([name, schema]) => ({ name: name.slice(marker.length), meaning: schema.description ?? '', schema }));
}

type WebhookEvent = ReturnType<typeof webhookEvents>[number];

/** Returns the id of an event’s section. */
export function eventId(name: string): string {
  return name.replaceAll('.', '-');
}

/** Returns the body of a delivery of an event, with values that its schema allows. */
export function eventSample(openApi: OpenApi, name: string): unknown {
  return sampleOf(openApi, openApi.schemas[`event.${name}`] ?? {});
}

/** The catalogue of events: meaning, body, an example, and how a receiver checks it. */
export function webhookPage(frame: Frame) {
  const { locale, openApi } = frame;
  const text = messagesOf(locale);
  const events = webhookEvents(openApi);
  const creating = operationsOf(openApi).filter(({ announces }) => announces);
  return referenceContent(frame, {
    title: text.webhooks,
    body: (
      <>
        <div className="head">
          <h1>{text.webhooks}</h1>
          <p>
            <a href={pathIn(locale, '/docs/guides/webhooks')}>Webhooks</a>
            {creating.map((one) => (
              <span key={one.id}>
                {' · '}
                <a href={pathIn(locale, operationPath(one))}>{one.summary}</a>
              </span>
            ))}
          </p>
        </div>
        <Table
          caption={text.webhooks}
          rows={events}
          keyOf={({ name }) => name}
          empty={text.empty}
          columns={[
            {
              label: text.table.event,
              kind: 'wide',
              cell: ({ name }) => (
                <a href={`#${eventId(name)}`}>
                  <code>{name}</code>
                </a>
              ),
            },
            {
              label: text.table.condition,
              kind: 'wide',
              cell: ({ meaning }) => <Note text={meaning} locale={locale} />,
            },
          ]}
        />
        <Section id="signature" title={text.signature}>
          {receivers.map(({ title, file, after }) => (
            <Sample key={title} title={title} text={codeAfter(file, after)} />
          ))}
          <p>
            <a href={pathIn(locale, '/docs/guides/webhooks#s2-3')}>HMAC-SHA256, X-Webhook-Signature</a>
          </p>
        </Section>
        {events.map((event) => (
          <EventSection key={event.name} {...event} frame={frame} />
        ))}
      </>
    ),
  });
}

/** One event: its meaning, the fields of its data and an example. */
function EventSection({ name, meaning, schema, frame }: WebhookEvent & { frame: Frame }) {
  const { locale, openApi } = frame;
  const text = messagesOf(locale);
  return (
    <Section id={eventId(name)} title={name}>
      <p>
        <Note text={meaning} locale={locale} />
      </p>
      <FieldTable
        caption={name}
        rows={fieldRows(openApi, schema.properties?.['data'] ?? {})}
        text={text}
        locale={locale}
        prefix={eventId(name)}
        marks="optional"
      />
      <Sample title={text.example} text={JSON.stringify(eventSample(openApi, name), null, 2)} />
    </Section>
  );
}
