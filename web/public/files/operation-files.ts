import { z } from 'zod';
import type { Operations } from '../graph/operations.js';
import { pathIn } from '../layout.js';
import { remunerationOf } from '../locale.js';
import { listVariables, operationFilter } from '../operation-list.js';
import { definePage, required, type Page, type PageRequest } from '../page.js';
import { calendarFile } from './calendar-file.js';
import { tableFile, tableFormats, xmlText } from './table-file.js';

type Row = Operations['operationList']['data']['operations']['nodes'][number];

/** Pages of a list that a file is made of; an issuer has some hundreds of operations. */
const mostPages = 50;

async function allOperations(
  { read, locale }: PageRequest<unknown>,
  query: z.output<typeof operationFilter>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const { operations }: Operations['operationList']['data'] = await read('operationList', {
      locale: locale.graph,
      first: 100,
      after,
      ...listVariables(query),
    });
    rows.push(...operations.nodes);
    after = operations.pageInfo.endCursor;
    if (!operations.pageInfo.hasNextPage) break;
  }
  return rows;
}

/** The list of operations, with the filters of the page. */
const listFiles = tableFormats.map((format) =>
  definePage({
    path: `/emissoes.${format}`,
    area: 'operations',
    query: operationFilter,
    load: (request) => allOperations(request, request.query),
    view: (rows, { locale }) =>
      tableFile(format, {
        name: 'operations',
        columns: [
          'ticker',
          'slug',
          'name',
          'type',
          'status',
          'emissionDate',
          'maturityDate',
          'volume',
          'rating',
          'remuneration',
        ],
        rows: rows.map((row) => [
          row.ticker,
          row.slug,
          row.name,
          row.type,
          row.status,
          row.emissionDate,
          row.maturityDate,
          row.volume,
          row.rating,
          [...new Set(row.series.map((one) => remunerationOf(locale, one)))].join(' / '),
        ]),
      }),
  }),
);

type Events = NonNullable<Operations['operationEvents']['data']['operation']>;

/** Reads an operation with all its payments, a thousand at a time, its assemblies and its communications. */
async function eventsOf({ read, locale, params }: PageRequest<unknown>): Promise<Events> {
  const ticker = required(params['slug']);
  const readFrom = async (after: string | null): Promise<Events> =>
    required((await read('operationEvents', { ticker, locale: locale.graph, after })).operation);
  const first = await readFrom(null);
  const nodes = [...first.payments.nodes];
  let { pageInfo } = first.payments;
  for (let page = 1; pageInfo.hasNextPage && page < mostPages; page += 1) {
    const { payments } = await readFrom(pageInfo.endCursor);
    nodes.push(...payments.nodes);
    pageInfo = payments.pageInfo;
  }
  return { ...first, payments: { pageInfo, nodes } };
}

/** All payments of an operation. */
const paymentFiles = tableFormats.map((format) =>
  definePage({
    path: `/emissoes/:slug/pagamentos.${format}`,
    area: 'operations',
    query: z.object({}),
    load: eventsOf,
    view: ({ ticker, payments }) =>
      tableFile(format, {
        name: `${ticker}-payments`,
        columns: [
          'seriesTicker',
          'installmentNumber',
          'event',
          'dueDate',
          'paidDate',
          'status',
          'interestValue',
          'principalValue',
          'totalValue',
        ],
        rows: payments.nodes.map((one) => [
          one.seriesTicker,
          one.installmentNumber,
          one.event,
          one.dueDate,
          one.paidDate,
          one.status,
          one.interestValue,
          one.principalValue,
          one.totalValue,
        ]),
      }),
  }),
);

/** Payments and assemblies of an operation, for calendars. */
const calendar = definePage({
  path: '/emissoes/:slug/agenda.ics',
  area: 'operations',
  query: z.object({}),
  load: eventsOf,
  view: (operation, { locale, site }) => {
    const url = `${site.url}${pathIn(locale, `/emissoes/${operation.slug}`)}`;
    return calendarFile(operation.ticker, operation.updatedAt, [
      ...operation.payments.nodes.map((one) => ({
        id: `${one.id}@lastro`,
        day: one.dueDate,
        title: `${one.seriesTicker ?? operation.ticker}: ${one.event}`,
        description: `${one.statusLabel}. ${locale.money(one.totalValue)}`,
        url: `${url}#payments`,
      })),
      ...operation.assemblies.nodes.map((one) => ({
        id: `${one.id}@lastro`,
        day: one.date,
        title: `${operation.ticker}: ${one.title}`,
        description: one.agenda,
        url: `${url}#assemblies`,
      })),
    ]);
  },
});

/** Communications of an operation, for feed readers (RFC 4287). */
const feed = definePage({
  path: '/emissoes/:slug/comunicacoes.atom',
  area: 'operations',
  query: z.object({}),
  load: eventsOf,
  view: (operation, { locale, site }) => {
    const page = `${site.url}${pathIn(locale, `/emissoes/${operation.slug}`)}`;
    const entries = operation.communications.nodes.map(
      ({ id, title, description, date, kindLabel }) =>
        `<entry><id>urn:uuid:${id}</id><title>${xmlText(title)}</title><updated>${date}T00:00:00Z</updated><category term="${xmlText(kindLabel)}"/>` +
        `<link href="${xmlText(`${page}#c-${id}`)}"/><summary>${xmlText(description)}</summary></entry>\n`,
    );
    return {
      type: 'application/atom+xml; charset=utf-8',
      bytes:
        `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pt-BR"><id>urn:uuid:${operation.id}</id>` +
        `<title>${xmlText(operation.name)}</title><updated>${operation.updatedAt}</updated><author><name>${xmlText(operation.issuer ?? locale.text.siteName)}</name></author>` +
        `<link href="${xmlText(page)}"/><link rel="self" href="${xmlText(`${page}/comunicacoes.atom`)}"/>\n${entries.join('')}</feed>\n`,
    };
  },
});

export const operationFiles: readonly Page[] = [...listFiles, ...paymentFiles, calendar, feed];
