import { isEnumType } from 'graphql';
import { faults } from './faults.js';
import { domainPath, rootId, type Domains } from './graphql-domains.js';
import { texts } from './guides.js';
import type { ReferenceMessages } from './messages.js';
import { operationsOf, type OpenApi, type Operation } from './open-api.js';
import { fieldId } from './parts.js';
import { operationPath } from './rest-pages.js';
import { fieldRows } from './schema-rows.js';
import { eventId, webhookEvents } from './webhook-page.js';

/** Something that the search finds. */
export interface Entry {
  readonly kind: keyof ReferenceMessages['kinds'];
  readonly title: string;
  /** Where it is: the path, the guide, the type. */
  readonly about: string;
  /** Path below the language’s prefix. */
  readonly href: string;
  /** Title and place in lower case, without accents. */
  readonly words: string;
}

export interface Found {
  readonly entries: readonly Entry[];
  readonly total: number;
}

const mostResults = 60;
const mostWords = 8;

/** Returns a text in lower case without accents. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function entry(kind: Entry['kind'], title: string, about: string, href: string): Entry {
  return { kind, title, about, href, words: folded(`${title} ${about}`) };
}

/** Returns everything that can be found: titles, paths, operations, fields, events, errors and the types of the graph. */
export function searchEntries(openApi: OpenApi, domains: Domains | undefined): readonly Entry[] {
  const operations = operationsOf(openApi);
  return [
    ...operations.map((one) =>
      entry('operation', one.summary, `${one.method} ${one.path} ${one.id}`, operationPath(one)),
    ),
    ...faults.map(({ name, catalogue, message, status }) =>
      entry('error', catalogue ?? name, `${status} ${name} ${message}`, `/docs/errors#${name}`),
    ),
    ...webhookEvents(openApi).map(({ name, meaning }) =>
      entry('event', name, meaning, `/docs/webhooks#${eventId(name)}`),
    ),
    ...texts.flatMap((guide) => [
      entry('guide', guide.title, guide.file, guide.path),
      ...guide
        .headings()
        .filter(({ level }) => level > 1)
        .map(({ id, text }) => entry('guide', text, guide.title, `${guide.path}#${id}`)),
    ]),
    ...operations.flatMap((one) => fieldEntries(openApi, one)),
    ...(domains === undefined ? [] : graphqlEntries(domains)),
  ];
}

function fieldEntries(openApi: OpenApi, operation: Operation): Entry[] {
  const { parameters, body, responses, method, path, summary } = operation;
  const page = operationPath(operation);
  const about = `${summary} · ${method} ${path}`;
  const parts = [
    ...Object.entries(body).map(([type, { schema }]) => ({
      schema,
      prefix: type === 'application/json' ? 'body' : 'text',
    })),
    ...responses
      .filter(({ status }) => status < 400)
      .flatMap(({ status, content }) =>
        Object.values(content).map(({ schema }) => ({ schema, prefix: `field${status}` })),
      ),
  ];
  return [
    ...parameters.map(({ name }) => entry('parameter', name, about, `${page}#${fieldId('parameter', name)}`)),
    ...parts.flatMap(({ schema, prefix }) =>
      fieldRows(openApi, schema).map((row) => entry('field', row.path, about, `${page}#${fieldId(prefix, row.path)}`)),
    ),
  ];
}

function graphqlEntries({ all }: Domains): Entry[] {
  return all.flatMap(({ name, roots, types }) => {
    const page = domainPath(name);
    return [
      ...roots.map((root) => entry('graphql', root.field.name, `${root.kind} ${name}`, `${page}#${rootId(root)}`)),
      ...types.flatMap((type) => {
        const parts: readonly { readonly name: string }[] = isEnumType(type)
          ? type.getValues()
          : 'getFields' in type
            ? Object.values(type.getFields())
            : [];
        return [
          entry('graphql', type.name, name, `${page}#${type.name}`),
          ...parts.map((part) =>
            entry('graphql', `${type.name}.${part.name}`, name, `${page}#${type.name}-${part.name}`),
          ),
        ];
      }),
    ];
  });
}

/** Returns the entries that have every word of a text, the best ones first. */
export function search(entries: readonly Entry[], asked: string): Found {
  const words = folded(asked).split(/\s+/).filter(Boolean).slice(0, mostWords);
  if (words.length === 0) return { entries: [], total: 0 };
  const whole = words.join(' ');
  const found = entries.filter((one) => words.every((word) => one.words.includes(word)));
  const ranked = found.map((one, at) => ({ one, at, rank: rankOf(folded(one.title), whole, words) }));
  ranked.sort((a, b) => a.rank - b.rank || a.at - b.at);
  return { entries: ranked.slice(0, mostResults).map(({ one }) => one), total: found.length };
}

/** The title itself, one that begins with the words, one that has them all, and then those whose place has them. */
function rankOf(title: string, whole: string, words: readonly string[]): number {
  const last = title.slice(Math.max(title.lastIndexOf('.'), title.lastIndexOf(']')) + 1);
  if (title === whole) return 0;
  if (title.startsWith(whole)) return 1;
  if (last === whole) return 2;
  return words.every((word) => title.includes(word)) ? 3 : 4;
}
