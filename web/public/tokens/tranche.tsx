import { Badge, Facts, Section, Stats } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import type { Operations } from '../graph/operations.js';
import { pathIn } from '../layout.js';
import { trancheRemunerationOf, type Locale } from '../locale.js';
import { addressOf, definePage, required } from '../page.js';
import { PriceChart, priceDecimals } from '../price-chart.js';
import { toneOf } from '../tones.js';
import { Schedule } from './schedule.js';
import { TokenCrumbs } from './crumbs.js';
import { tranchePricesOf, trancheQuery } from './tranche-prices.js';

type Tranche = NonNullable<Operations['tranchePage']['data']['tranche']>;
type Price = NonNullable<Operations['tranchePrices']['data']['tranche']>['unitPrices']['nodes'][number];

/** A tokenized series: its prices with the factors that made them, its schedule and its contract. */
export const tranchePage = definePage({
  path: '/tokenizacao/series/:ticker',
  query: trancheQuery,
  load: async (request) => {
    const { read, params, locale, query } = request;
    const asOf = query.asOf === undefined ? {} : { asOf: query.asOf };
    const [{ tranche }, prices] = await Promise.all([
      read('tranchePage', { ticker: required(params['ticker']), locale: locale.graph, ...asOf }),
      tranchePricesOf(request),
    ]);
    return { tranche: required(tranche), ...prices };
  },
  view: ({ tranche, range, points, prices }, { locale, today, query: { asOf } }) => {
    const { text } = locale;
    const path = `/tokenizacao/series/${tranche.ticker}`;
    const action = pathIn(locale, path);
    return {
      title: tranche.name,
      description: text.tranche.description(tranche.name),
      path,
      area: 'tokens',
      image: `${action}/pu.png`,
      body: (
        <>
          <Heading tranche={tranche} locale={locale} asOf={asOf} />
          <Section id="prices" title={text.operation.prices}>
            <PriceChart
              locale={locale}
              ticker={tranche.ticker}
              range={range}
              points={points}
              start={tranche.remunerationStartDate}
              today={today}
              action={action}
              kept={{ asOf }}
              files={`${action}/pu`}
              embed={pathIn(locale, `/embed${path}`)}
            />
          </Section>
          <Characteristics tranche={tranche} locale={locale} />
          <Schedule tranche={tranche} locale={locale} files={action} />
          <Section id="table" title={text.price.table}>
            <details>
              <summary>
                {text.price.table}: {locale.decimal(prices.length)}
              </summary>
              <PriceTable prices={prices} locale={locale} action={action} asOf={asOf} />
            </details>
          </Section>
        </>
      ),
    };
  },
});

interface PartProps {
  readonly tranche: Tranche;
  readonly locale: Locale;
}

function Heading({ tranche, locale, asOf }: PartProps & { readonly asOf: string | undefined }) {
  const { text } = locale;
  const { patrimony } = tranche;
  return (
    <>
      <div className="head">
        <TokenCrumbs
          locale={locale}
          between={[{ path: `/tokenizacao/patrimonios/${patrimony.ticker}`, text: patrimony.name }]}
          here={tranche.ticker}
        />
        <h1>{tranche.name}</h1>
        <div className="row">
          <Badge tone={toneOf(tranche.status)}>{tranche.statusLabel}</Badge>
          <span>{tranche.classNameLabel}</span>
        </div>
      </div>
      {asOf === undefined ? null : (
        <p className="notice">
          {text.priceDay.asOf} {locale.moment(asOf)}
        </p>
      )}
      {tranche.stale ? (
        <p className="notice">
          {text.tranche.stale} {tranche.missingInput === null ? null : text.tranche.missing(tranche.missingInput)}
        </p>
      ) : null}
      <Stats
        items={[
          {
            label: text.table.unitPrice,
            value: locale.money(tranche.unitPrice, priceDecimals),
            note: locale.date(tranche.pricedOn),
          },
          { label: text.tranche.nominal, value: locale.money(tranche.nominalValue, priceDecimals) },
          { label: text.tranche.accrued, value: locale.money(tranche.interestJ, priceDecimals) },
          { label: text.table.remuneration, value: trancheRemunerationOf(locale, tranche) },
          { label: text.tranche.totalValue, value: locale.money(tranche.totalValue) },
        ]}
      />
    </>
  );
}

function Characteristics({ tranche, locale }: PartProps) {
  const { text } = locale;
  const { collection } = tranche;
  return (
    <Section id="facts" title={text.operation.facts}>
      <Facts
        items={[
          [text.tranche.start, locale.date(tranche.remunerationStartDate)],
          [text.table.maturity, locale.date(tranche.maturityDate)],
          [text.tranche.issueValue, locale.money(tranche.issueValue)],
          [text.tranche.quantity, locale.decimal(tranche.tokenQuantity)],
          [text.tranche.invested, locale.money(tranche.investedAmount)],
          [text.tranche.dayCount, tranche.dayCountLabel],
          [text.series.indexer, tranche.indexerLabel],
        ]}
      />
      {collection === null ? null : (
        <>
          <h3>{text.tranche.contract}</h3>
          <Facts
            items={[
              [text.table.contract, <code key="address">{collection.address}</code>],
              [text.table.network, collection.network],
              [text.tranche.standard, collection.standard],
              [text.tranche.symbol, collection.symbol],
              [text.tranche.supply, locale.decimal(collection.totalSupply)],
              [text.tranche.deployed, locale.moment(collection.deployedAt)],
              [
                text.operation.onchain,
                collection.explorerUrl === null ? null : (
                  <a key="explorer" href={collection.explorerUrl} rel="noopener noreferrer">
                    {text.tranche.explorer}
                  </a>
                ),
              ],
            ]}
          />
        </>
      )}
    </Section>
  );
}

function PriceTable(props: {
  readonly prices: readonly Price[];
  readonly locale: Locale;
  readonly action: string;
  readonly asOf: string | undefined;
}) {
  const { prices, locale, action, asOf } = props;
  const { text } = locale;
  return (
    <Table
      caption={text.price.table}
      rows={[...prices].reverse()}
      keyOf={({ date }) => date}
      empty={text.operation.noPrice}
      columns={[
        {
          label: text.table.date,
          kind: 'nowrap',
          cell: ({ date }) => <a href={addressOf(`${action}/pu/${date}`, { asOf })}>{locale.date(date)}</a>,
        },
        {
          label: text.table.unitPrice,
          kind: 'number',
          cell: ({ unitPrice }) => locale.decimal(unitPrice, priceDecimals),
        },
        {
          label: text.tranche.nominal,
          kind: 'number',
          cell: ({ nominalValue }) => locale.decimal(nominalValue, priceDecimals),
        },
        {
          label: text.tranche.accrued,
          kind: 'number',
          cell: ({ interestJ }) => locale.decimal(interestJ, priceDecimals),
        },
        { label: text.tranche.index, kind: 'number', cell: ({ indexFactor }) => locale.decimal(indexFactor) },
        { label: text.tranche.di, kind: 'number', cell: ({ diFactor }) => locale.decimal(diFactor) },
        { label: text.tranche.spread, kind: 'number', cell: ({ spreadFactor }) => locale.decimal(spreadFactor) },
        {
          label: text.tranche.interestFactor,
          kind: 'number',
          cell: ({ interestFactor }) => locale.decimal(interestFactor),
        },
        { label: text.tranche.businessDays, kind: 'number', cell: ({ businessDays }) => businessDays },
      ]}
    />
  );
}
