import { z } from 'zod';
import { everyPage } from '../every-page.js';
import type { Page } from '../page.js';
import { assetFields, assetVariables } from '../tokens/assets.js';
import { tableOf, tablePages } from './table-file.js';

/** Pages of a hundred rows that a file is made of. Somebody who needs more assets reads `/public/assets`. */
const mostPages = 100;

const estateFiles = tablePages({
  path: '/tokenizacao/patrimonios',
  query: z.object({}),
  load: ({ read, locale }) =>
    everyPage(mostPages, async (after) => {
      const { patrimonies } = await read('patrimonyList', { locale: locale.graph, first: 100, after });
      return patrimonies;
    }),
  table: (rows) =>
    tableOf(
      'estates',
      ['ticker', 'name', 'slug', 'status', 'trancheCount', 'assetCount', 'totalIssued', 'createdAt'],
      rows,
    ),
});

/** The assets that the filters of their page find. */
const assetFiles = tablePages({
  path: '/tokenizacao/ativos',
  query: z.object(assetFields),
  load: ({ read, locale, query }) =>
    everyPage(mostPages, async (after) => {
      const { assets } = await read('assetList', { locale: locale.graph, first: 100, after, ...assetVariables(query) });
      return assets;
    }),
  table: (rows) =>
    tableOf(
      'assets',
      [
        'id',
        'externalId',
        'type',
        'status',
        'debtorName',
        'originalValue',
        'currentBalance',
        'interestRate',
        'installments',
        'paidInstallments',
        'finalDueDate',
        'patrimonyName',
      ],
      rows,
    ),
});

export const tokenFiles: readonly Page[] = [...estateFiles, ...assetFiles];
