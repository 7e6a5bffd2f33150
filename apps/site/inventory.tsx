import { z } from 'zod';
import { Facts, Links, Pager, Table } from '../design/basics.js';
import { tableLinks } from './files/table-file.js';
import type { Operations } from './graph/operations.js';
import { IssuerText } from './issuer-text.js';
import { pathIn, Head, operationsStep, operationStep } from './layout.js';
import { addressOf, definePage, fields, required, type Locale } from './page.js';

export const inventoryPage = definePage({
  path: '/emissoes/:slug/estoque',
  query: z.object({ page: fields.pageNumber }),
  load: async ({ read, locale, params, query }) => {
    const ticker = required(params['slug']);
    const [{ operation }, { inventory }] = await Promise.all([
      read('operationEvents', { ticker, locale: locale.graph }),
      read('inventoryPage', { ticker, page: query.page ?? 1 }),
    ]);
    const isBeyond =
      inventory.__typename !== 'InventoryUnavailable' && inventory.page > 1 && inventory.items.length === 0;
    return { operation: required(isBeyond ? null : operation), inventory };
  },
  view: ({ operation, inventory }, { locale }) => {
    const { text } = locale;
    const path = `/emissoes/${operation.slug}/estoque`;
    return {
      title: text.inventory.title(operation.name),
      description: text.operation.inventoryText,
      path,
      area: 'operations',
      body: (
        <>
          <Head
            locale={locale}
            way={[operationsStep(locale), operationStep(operation)]}
            here={text.operation.inventory}
            title={text.inventory.title(operation.name)}
          >
            <p className="lead">{text.operation.inventoryText}</p>
          </Head>
          <InventoryBody inventory={inventory} locale={locale} action={pathIn(locale, path)} />
        </>
      ),
    };
  },
});

function InventoryBody({
  inventory,
  locale,
  action,
}: {
  readonly inventory: Operations['inventoryPage']['data']['inventory'];
  readonly locale: Locale;
  readonly action: string;
}) {
  const { table, inventory: text, operation, list, exports, assets } = locale.text;
  const shown = (value: string | null) => value && <IssuerText locale={locale}>{value}</IssuerText>;
  if (inventory.__typename === 'InventoryUnavailable') {
    const { resumo } = inventory;
    return (
      <>
        <p className="notice">{text.unavailable}</p>
        {resumo === null ? null : (
          <Facts
            items={[
              [table.contracts, locale.decimal(resumo.contratos)],
              [table.debtors, locale.decimal(resumo.devedores)],
              [table.balance, shown(resumo.saldoDevedor)],
              [table.original, shown(resumo.valorOriginal)],
              [operation.averageTicket, shown(resumo.ticketMedio)],
            ]}
          />
        )}
      </>
    );
  }
  const { page, limit, total, items } = inventory;
  const pages = Math.max(1, Math.ceil(total / limit));
  return (
    <>
      <Links label={exports.label} items={tableLinks(action)} />
      <Table
        caption={operation.inventory}
        rows={items}
        empty={text.empty}
        columns={[
          { label: table.kind, cell: ({ tipo }) => shown(tipo) },
          { label: table.original, cell: ({ valorOriginal }) => shown(valorOriginal) },
          { label: table.balance, cell: ({ saldoDevedor }) => shown(saldoDevedor) },
          { label: table.rate, cell: ({ taxa }) => shown(taxa) },
          { label: table.issue, kind: 'nowrap', cell: ({ dataEmissao }) => shown(dataEmissao) },
          { label: table.maturity, kind: 'nowrap', cell: ({ dataVencimento }) => shown(dataVencimento) },
          { label: table.instalments, kind: 'nowrap', cell: ({ parcelas }) => shown(parcelas) },
          { label: assets.paid, kind: 'nowrap', cell: ({ parcelasPagas }) => shown(parcelasPagas) },
          { label: table.arrears, kind: 'nowrap', cell: ({ faixaAtraso }) => shown(faixaAtraso) },
          { label: table.state, cell: ({ uf }) => uf },
          { label: table.status, cell: ({ status }) => shown(status) },
        ]}
      />
      <Pager
        label={list.pages}
        shown={text.page(locale.decimal(page), locale.decimal(pages))}
        first={page > 1 ? { href: addressOf(action, { page: String(page - 1) }), text: text.previous } : undefined}
        next={page < pages ? { href: addressOf(action, { page: String(page + 1) }), text: list.next } : undefined}
      />
    </>
  );
}
