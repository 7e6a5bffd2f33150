import { z } from 'zod';
import { Facts, Section, Stats, Table, TableSection } from '../../design/basics.js';
import { selectField, type FilterParts } from '../../design/filter-form.js';
import type { Operations } from '../graph/operations.js';
import { pathIn, Head, tokensStep } from '../layout.js';
import { productData } from '../linked-data.js';
import { ListBody, optionsOf } from '../list-body.js';
import { definePage, fields, required, type Locale } from '../page.js';
import { State } from '../tones.js';

const path = '/tokenizacao/ativos';
const types = ['CCB', 'CRI', 'CRA', 'DEBENTURE', 'PRECATORIO'] as const;
const statuses = ['ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF'] as const;

export const assetFields = {
  q: fields.search,
  type: fields.oneOf(types),
  status: fields.oneOf(statuses),
  estate: z.uuid('value').optional(),
};
type Filter = z.output<z.ZodObject<typeof assetFields>>;

export function assetVariables({ q, type, status, estate }: Filter) {
  const search = q?.trim();
  return {
    filter: {
      ...(search === undefined || search === '' ? {} : { search }),
      ...(type === undefined ? {} : { type }),
      ...(status === undefined ? {} : { status }),
      ...(estate === undefined ? {} : { patrimonyId: estate }),
    },
  };
}

export const assetList = definePage({
  path,
  query: z.object({ ...assetFields, after: fields.cursor }),
  load: async ({ read, locale, query: { after, ...filter } }) => {
    const variables = { locale: locale.graph, first: 50, after: after ?? null, ...assetVariables(filter) };
    return (await read('assetList', variables)).assets;
  },
  view: (assets, { locale, query }) => {
    const { text } = locale;
    const { after, ...filter } = query;
    return {
      title: text.assets.title,
      description: text.assets.description,
      path,
      area: 'assets',
      body: (
        <ListBody
          locale={locale}
          title={text.assets.title}
          action={pathIn(locale, path)}
          filter={filter}
          after={after}
          list={assets}
          form={filterForm(filter, locale)}
          table={<AssetTable rows={assets.nodes} locale={locale} />}
        />
      ),
    };
  },
});

function filterForm(filter: Filter, locale: Locale): FilterParts {
  const { list, assets } = locale.text;
  return {
    kept: { estate: filter.estate },
    fields: [
      { name: 'q', label: assets.search, type: 'search', value: filter.q ?? '' },
      selectField(
        'type',
        list.type,
        filter.type ?? '',
        optionsOf(locale, types, (one) => assets.types[one]),
      ),
      selectField(
        'status',
        list.status,
        filter.status ?? '',
        optionsOf(locale, statuses, (one) => assets.statuses[one]),
      ),
    ],
  };
}

type Row = Operations['assetList']['data']['assets']['nodes'][number];

function AssetTable({ rows, locale }: { readonly rows: readonly Row[]; readonly locale: Locale }) {
  const { table, assets } = locale.text;
  return (
    <Table
      caption={assets.title}
      rows={rows}
      empty={assets.empty}
      columns={[
        {
          label: table.ticker,
          kind: 'nowrap',
          cell: ({ id, externalId }) => <a href={pathIn(locale, `${path}/${id}`)}>{externalId}</a>,
        },
        { label: table.kind, kind: 'nowrap', cell: ({ type }) => assets.types[type] },
        { label: table.debtor, cell: ({ debtorName }) => debtorName },
        { label: table.original, kind: 'number', cell: ({ originalValue }) => locale.money(originalValue) },
        { label: table.balance, kind: 'number', cell: ({ currentBalance }) => locale.money(currentBalance) },
        { label: table.rate, kind: 'number', cell: ({ interestRate }) => locale.percent(interestRate) },
        {
          label: assets.paid,
          kind: 'number',
          cell: ({ installments, paidInstallments }) => `${paidInstallments} / ${installments}`,
        },
        { label: assets.final, kind: 'nowrap', cell: ({ finalDueDate }) => locale.date(finalDueDate) },
        { label: table.estate, kind: 'wide', cell: ({ patrimonyName }) => patrimonyName },
        { label: table.status, cell: State },
      ]}
    />
  );
}

export const assetPage = definePage({
  path: `${path}/:id`,
  query: z.object({}),
  load: async ({ read, locale, params }) => {
    const id = required(z.uuid().safeParse(params['id']).data);
    const { asset } = await read('assetPage', { id, locale: locale.graph });
    return required(asset);
  },
  view: (asset, { locale, site }) => {
    const { assets: text, table } = locale.text;
    const { patrimony } = asset;
    return {
      title: asset.externalId,
      description: text.detail(asset.externalId),
      path: `${path}/${asset.id}`,
      area: 'assets',
      data: productData({
        type: 'LoanOrCredit',
        name: asset.externalId,
        identifier: asset.externalId,
        category: asset.typeLabel,
        url: `${site.url}${pathIn(locale, `${path}/${asset.id}`)}`,
        amount: asset.originalValue,
      }),
      body: (
        <>
          <Head
            locale={locale}
            way={[tokensStep(locale), { path: `/tokenizacao/patrimonios/${patrimony.ticker}`, text: patrimony.name }]}
            here={asset.externalId}
            title={asset.externalId}
          >
            <div className="row">
              <State {...asset} />
              <span>{asset.typeLabel}</span>
            </div>
          </Head>
          <Stats
            items={[
              { label: table.balance, value: locale.money(asset.currentBalance) },
              { label: table.original, value: locale.money(asset.originalValue) },
              { label: text.received, value: locale.money(asset.received) },
              { label: table.rate, value: locale.percent(asset.interestRate) },
            ]}
          />
          <Section id="facts" title={locale.text.operation.facts}>
            <Facts
              items={[
                [table.debtor, asset.debtorName],
                [text.document, asset.debtorDocument],
                [text.paid, `${asset.paidInstallments} / ${asset.installments}`],
                [text.next, locale.date(asset.nextDueDate)],
                [text.final, locale.date(asset.finalDueDate)],
              ]}
            />
          </Section>
          <Instalments asset={asset} locale={locale} />
        </>
      ),
    };
  },
});

type Asset = NonNullable<Operations['assetPage']['data']['asset']>;

function Instalments({ asset, locale }: { readonly asset: Asset; readonly locale: Locale }) {
  const { assets: text, table } = locale.text;
  return (
    <TableSection
      id="history"
      title={text.history}
      rows={asset.paymentHistory.nodes}
      keyOf={({ installmentNumber }) => String(installmentNumber)}
      empty={text.noHistory}
      columns={[
        { label: table.number, kind: 'number', cell: ({ installmentNumber }) => installmentNumber },
        { label: table.due, kind: 'nowrap', cell: ({ dueDate }) => locale.date(dueDate) },
        { label: text.amount, kind: 'number', cell: ({ amount }) => locale.money(amount) },
        { label: text.paidAmount, kind: 'number', cell: ({ paidAmount }) => locale.money(paidAmount) },
        { label: text.abatedAmount, kind: 'number', cell: ({ abatedAmount }) => locale.money(abatedAmount) },
        { label: table.paid, kind: 'nowrap', cell: ({ paidOn }) => locale.date(paidOn) },
        { label: table.status, cell: State },
      ]}
    />
  );
}
