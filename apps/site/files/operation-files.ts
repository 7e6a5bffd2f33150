import { z } from 'zod';
import { startOfDay } from '../../../shared/kernel/clock.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { everyPage } from '../every-page.js';
import type { Operations } from '../graph/operations.js';
import { issuerText } from '../issuer-text.js';
import { pathIn } from '../layout.js';
import { listVariables, operationFilter } from '../operation-list.js';
import { definePage, fields, required, type Page, type PageRequest, remunerationsOf } from '../page.js';
import { priceQuery, seriesFile } from '../prices.js';
import { calendarFile } from './calendar-file.js';
import { chartPages } from './chart-pages.js';
import { tableOf, tablePages } from './table-file.js';
import { xmlText } from './xml-text.js';

/** Pages of a hundred operations that a file is made of; an issuer has some hundreds. */
const mostPages = 50;

const listFiles = tablePages({
  path: '/emissoes',
  query: operationFilter,
  load: ({ read, locale, query }) =>
    everyPage(mostPages, async (after) => {
      const variables = { locale: locale.graph, first: 100, after, ...listVariables(query) };
      return (await read('operationList', variables)).operations;
    }),
  table: (rows, { locale }) =>
    tableOf(
      'operations',
      ['ticker', 'slug', 'name', 'type', 'status', 'emissionDate', 'maturityDate', 'volume', 'rating', 'remuneration'],
      rows.map((row) => ({
        ...row,
        remuneration: remunerationsOf(locale, row.series),
      })),
    ),
});

type Events = NonNullable<Operations['operationEvents']['data']['operation']>;

async function eventsOf({ read, locale, params }: PageRequest<unknown>) {
  const ticker = required(params['slug']);
  const readFrom = async (after: string | null): Promise<Events> =>
    required((await read('operationEvents', { ticker, locale: locale.graph, after })).operation);
  const first = await readFrom(null);
  const payments = await everyPage(mostPages, async (after) =>
    after === null ? first.payments : (await readFrom(after)).payments,
  );
  return { ...first, payments };
}

const paymentFiles = tablePages({
  path: '/emissoes/:slug/pagamentos',
  query: z.object({}),
  load: eventsOf,
  table: ({ ticker, payments }) =>
    tableOf(
      `${ticker}-payments`,
      [
        'seriesTicker',
        'installmentNumber',
        'event',
        'dueDate',
        'paidDate',
        'status',
        'interestValue',
        'principalValue',
        'totalValue',
        'openValue',
        'projected',
      ],
      payments,
    ),
});

const obligationFiles = tablePages({
  path: '/emissoes/:slug/obrigacoes',
  query: z.object({}),
  load: async ({ read, params }) => {
    const ticker = required(params['slug']);
    const obligations = await everyPage(mostPages, async (after) => {
      const { operation } = await read('operationObligations', { ticker, after });
      return required(operation).obligations;
    });
    return { ticker, obligations };
  },
  table: ({ ticker, obligations }) =>
    tableOf(
      `${ticker}-obligations`,
      ['title', 'responsible', 'periodicity', 'dueDate', 'deliveredDate', 'status'],
      obligations,
    ),
});

/** The covenants of an operation on the position of a month, or of today; no rows without a report. */
const covenantFiles = tablePages({
  path: '/emissoes/:slug/covenants',
  query: z.object({ month: fields.month }),
  load: async ({ read, params, query }) => {
    const ticker = required(params['slug']);
    const { operation } = await read('operationCovenants', { ticker, month: query.month ?? null });
    return required(operation);
  },
  table: ({ ticker, report }, { query }) =>
    tableOf(
      [ticker, 'covenants', ...(query.month === undefined ? [] : [query.month])].join('-'),
      ['position', 'name', 'comparison', 'threshold', 'value', 'fulfilled'],
      (report?.covenants ?? []).map((one) => ({ ...one, position: report?.position ?? null })),
    ),
});

const [inventoryPageSize, mostInventoryPages] = [50, 200];

const inventoryFiles = tablePages({
  path: '/emissoes/:slug/estoque',
  query: z.object({}),
  load: async ({ read, params }) => {
    const ticker = required(params['slug']);
    const items = await everyPage(mostInventoryPages, async (after) => {
      const page = Number(after ?? 1);
      const { inventory } = await read('inventoryPage', { ticker, page });
      if (inventory.__typename !== 'InventoryPage') throw new ApiError('NOT_FOUND');
      const hasNextPage = page * inventoryPageSize < inventory.total;
      return { nodes: inventory.items, pageInfo: { hasNextPage, endCursor: String(page + 1) } };
    });
    return { ticker, items };
  },
  table: ({ ticker, items }) =>
    tableOf(
      `${ticker}-inventory`,
      [
        'id',
        'tipo',
        'valorOriginal',
        'saldoDevedor',
        'taxa',
        'dataEmissao',
        'dataVencimento',
        'parcelas',
        'parcelasPagas',
        'diasAtraso',
        'faixaAtraso',
        'uf',
        'status',
      ],
      items,
    ),
});

const calendar = definePage({
  path: '/emissoes/:slug/agenda.ics',
  query: z.object({}),
  load: eventsOf,
  view: (operation, { locale, site, today }) => {
    const url = `${site.url}${pathIn(locale, `/emissoes/${operation.slug}`)}`;
    // Projected amounts may be others each day.
    return calendarFile(operation.ticker, `${today}T00:00:00`, [
      ...operation.payments.map((one) => ({
        id: `${one.id}@lastro`,
        day: one.dueDate,
        title: `${one.seriesTicker ?? operation.ticker}: ${issuerText(locale, one.event)}`,
        description: `${one.statusLabel}. ${locale.money(one.totalValue)}${one.projected ? ` (${locale.text.tranche.estimated})` : ''}`,
        url: `${url}#payments`,
        status: one.status === 'PAID' ? ('CONFIRMED' as const) : ('TENTATIVE' as const),
      })),
      ...operation.assemblies.nodes.map((one) => ({
        id: `${one.id}@lastro`,
        day: one.date,
        title: `${operation.ticker}: ${one.title}`,
        description: [issuerText(locale, one.status), one.agenda].filter((text) => text !== '').join('. '),
        url: `${url}#assemblies`,
        // The issuer writes the status as a text of its own.
        status: /^cancelad/i.test(one.status) ? ('CANCELLED' as const) : ('CONFIRMED' as const),
      })),
    ]);
  },
});

/** Communications of an operation, for feed readers (RFC 4287). */
const feed = definePage({
  path: '/emissoes/:slug/comunicacoes.atom',
  query: z.object({}),
  load: eventsOf,
  view: (operation, { locale, site }) => {
    const page = `${site.url}${pathIn(locale, `/emissoes/${operation.slug}`)}`;
    const entries = operation.communications.nodes.map(({ id, title, description, date, kindLabel, correctedAt }) => {
      // Not midnight in UTC, which readers in São Paulo would be shown as the day before.
      const published = startOfDay(date).toISOString();
      const summary = description === '' ? `${kindLabel}: ${title}` : description;
      return (
        `<entry><id>urn:uuid:${id}</id><title>${xmlText(title)}</title><published>${published}</published><updated>${correctedAt ?? published}</updated>` +
        `<category term="${xmlText(kindLabel)}"/><link href="${xmlText(`${page}#c-${id}`)}"/><summary>${xmlText(summary)}</summary></entry>\n`
      );
    });
    return {
      type: 'application/atom+xml; charset=utf-8',
      bytes:
        `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pt-BR"><id>urn:uuid:${operation.id}</id>` +
        `<title>${xmlText(operation.name)}</title><updated>${operation.updatedAt}</updated><author><name>${xmlText(operation.issuer ?? site.house.name)}</name></author>` +
        `<link href="${xmlText(page)}"/><link rel="self" type="application/atom+xml" href="${xmlText(`${page}/comunicacoes.atom`)}"/>\n${entries.join('')}</feed>\n`,
    };
  },
});

const priceFiles = tablePages({
  path: '/series/:ticker/pu',
  query: priceQuery,
  load: seriesFile.prices,
  table: ({ ticker, range, points }) =>
    tableOf(
      `${ticker}-${range.from}-${range.to}`,
      ['ticker', 'date', 'unitPrice', 'projected'],
      points.map(({ date, value, projected }) => ({ ticker, date, unitPrice: value, projected })),
    ),
});

export const operationFiles: readonly Page[] = [
  ...listFiles,
  ...paymentFiles,
  ...obligationFiles,
  ...covenantFiles,
  ...inventoryFiles,
  ...priceFiles,
  ...chartPages({ path: '/series/:ticker', load: seriesFile.chart }),
  calendar,
  feed,
];
