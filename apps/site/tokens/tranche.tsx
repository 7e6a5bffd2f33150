import { z } from 'zod';
import { Badge, Facts, Links, noted, Section, Stats, TableSection, type Column } from '../../design/basics.js';
import { AsOfForm, AsOfNotice } from '../as-of.js';
import type { Operations } from '../graph/operations.js';
import { Shown } from '../list-body.js';
import { pathIn, Head, tokensStep } from '../layout.js';
import { productData } from '../linked-data.js';
import { asOfOf, readAsOf, type AsOf, type AtMoment } from '../moment.js';
import { definePage, required, type Content, trancheRemunerationOf, type Locale } from '../page.js';
import { PriceChart, priceDecimals } from '../price-chart.js';
import { State } from '../tones.js';
import { chartFields, trancheChart } from '../prices.js';
import { tableLinks } from '../files/table-file.js';
import { eventOf } from '../interest-events.js';

type Tranche = NonNullable<Operations['tranchePage']['data']['tranche']>;

/** A tokenized series: its prices with the factors that made them, its schedule and its contract. */
export const tranchePage = definePage({
  path: '/tokenizacao/series/:ticker',
  query: z.object(chartFields),
  load: async (request) => {
    const { read, params, locale, query } = request;
    const ticker = required(params['ticker']);
    const trancheAt = (at: AtMoment) => read('tranchePage', { ticker, locale: locale.graph, ...at });
    const { asOf, found } = await readAsOf(asOfOf(query.asOf), (at) =>
      Promise.all([trancheAt(at), trancheChart(request, at)]),
    );
    const [then, prices] = found ?? [];
    if (then?.tranche != null && prices !== undefined) return { asOf, tranche: then.tranche, prices };
    // It exists now, and was not known at the moment that is asked for.
    return { asOf, tranche: required((await trancheAt({})).tranche), prices: undefined };
  },
  view: ({ tranche, prices, asOf }, { locale, today, site, query }) => {
    const { text } = locale;
    const path = `/tokenizacao/series/${tranche.ticker}`;
    const action = pathIn(locale, path);
    if (prices === undefined) return notKnownThen(tranche, asOf, locale, path);
    return {
      title: tranche.name,
      description: text.tranche.description(tranche.name),
      path,
      area: 'tokens',
      status: asOf.error === undefined && prices.range.refused === undefined ? 200 : 400,
      image: `${action}/pu.png`,
      hasChart: true,
      data: productData({
        name: tranche.name,
        identifier: tranche.ticker,
        category: tranche.classNameLabel,
        url: `${site.url}${action}`,
        amount: tranche.totalValue,
        partOf: {
          name: tranche.patrimony.name,
          url: `${site.url}${pathIn(locale, `/tokenizacao/patrimonios/${tranche.patrimony.ticker}`)}`,
        },
      }),
      body: (
        <>
          <Heading tranche={tranche} locale={locale} />
          <AsOfNotice asOf={asOf} locale={locale} isKnown={tranche.unitPrice !== null} />
          <Values tranche={tranche} locale={locale} />
          <Section id="prices" title={text.operation.prices}>
            <PriceChart
              locale={locale}
              ticker={tranche.ticker}
              prices={prices}
              view={query.view}
              events={tranche.events
                .filter(({ withdrawalReason }) => withdrawalReason === null)
                .map(({ day, kindLabel }) => ({ date: day, text: kindLabel }))}
              more={factorColumns(prices.prices, locale)}
              start={tranche.remunerationStartDate}
              today={today}
              action={action}
              asOf={asOf}
              files={`${action}/pu`}
              embed={pathIn(locale, `/embed${path}`)}
              site={site}
            />
          </Section>
          <Characteristics tranche={tranche} locale={locale} />
          <Schedule tranche={tranche} locale={locale} files={action} />
          <Happened tranche={tranche} locale={locale} />
        </>
      ),
    };
  },
});

/** The page of a series at a moment at which it was not known, or that cannot be read: its name, and the form that asks for another moment. */
function notKnownThen(tranche: Tranche, asOf: AsOf, locale: Locale, path: string): Content {
  const { text } = locale;
  return {
    title: tranche.name,
    description: text.tranche.description(tranche.name),
    path,
    area: 'tokens',
    status: asOf.error === undefined ? 200 : 400,
    body: (
      <>
        <Heading tranche={tranche} locale={locale} />
        <AsOfForm action={pathIn(locale, path)} asOf={asOf} locale={locale} isKnown={false} />
      </>
    ),
  };
}

interface PartProps {
  readonly tranche: Tranche;
  readonly locale: Locale;
}

function Heading({ tranche, locale }: PartProps) {
  const { patrimony } = tranche;
  return (
    <Head
      locale={locale}
      way={[tokensStep(locale), { path: `/tokenizacao/patrimonios/${patrimony.ticker}`, text: patrimony.name }]}
      here={tranche.ticker}
      title={tranche.name}
    >
      <div className="row">
        <State {...tranche} />
        <span>{tranche.classNameLabel}</span>
      </div>
    </Head>
  );
}

function Values({ tranche, locale }: PartProps) {
  const { text } = locale;
  return (
    <>
      {tranche.stale ? (
        <p className="notice">
          {text.tranche.stale} {tranche.missingInput === null ? null : text.tranche.missing(tranche.missingInput)}
        </p>
      ) : null}
      {tranche.projected ? <p className="notice">{text.tranche.projected}</p> : null}
      <Stats
        items={[
          {
            label: text.table.unitPrice,
            value: locale.money(tranche.unitPrice, priceDecimals),
            note: locale.date(tranche.pricedOn),
          },
          { label: text.tranche.nominal, value: locale.money(tranche.nominalValue, priceDecimals) },
          { label: text.tranche.accrued, value: locale.money(tranche.interestJ, priceDecimals) },
          ...(/[1-9]/.test(tranche.overdueValue ?? '')
            ? [{ label: text.tranche.overdue, value: locale.money(tranche.overdueValue, priceDecimals) }]
            : []),
          { label: text.table.remuneration, value: trancheRemunerationOf(locale, tranche) },
          { label: text.tranche.totalValue, value: locale.money(tranche.totalValue) },
        ]}
      />
    </>
  );
}

function Characteristics({ tranche, locale }: PartProps) {
  const { text } = locale;
  const { collection, yieldToMaturity: earns } = tranche;
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
          [text.series.yield, earns === null ? null : locale.percent(earns.percent, 4)],
          [text.series.duration, earns === null ? null : text.series.years(locale.decimal(earns.duration))],
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

type Price = NonNullable<Operations['tranchePrices']['data']['tranche']>['unitPrices']['nodes'][number];

function factorColumns(prices: readonly Price[], { text, decimal }: Locale): Column<{ readonly date: string }>[] {
  const { tranche } = text;
  const byDate = new Map(prices.map((price) => [price.date, price]));
  const column = (label: string, write: (price: Price) => string): Column<{ readonly date: string }> => ({
    label,
    kind: 'number',
    cell: ({ date }) => {
      const price = byDate.get(date);
      return price && write(price);
    },
  });
  return [
    column(tranche.nominal, ({ nominalValue }) => decimal(nominalValue, priceDecimals)),
    column(tranche.accrued, ({ interestJ }) => decimal(interestJ, priceDecimals)),
    column(tranche.index, ({ indexFactor }) => decimal(indexFactor)),
    column(tranche.di, ({ diFactor }) => decimal(diFactor)),
    column(tranche.spread, ({ spreadFactor }) => decimal(spreadFactor)),
    column(tranche.interestFactor, ({ interestFactor }) => decimal(interestFactor)),
    column(tranche.businessDays, ({ businessDays }) => decimal(businessDays)),
  ];
}

interface ScheduleProps {
  readonly tranche: Pick<NonNullable<Operations['tranchePage']['data']['tranche']>, 'schedule' | 'events'>;
  readonly locale: Locale;
  readonly files: string;
}

/** The payments of a tokenized series; which amounts are confirmed, and which are projected. */
function Schedule({ tranche, locale, files }: ScheduleProps) {
  const { tranche: text, table, exports } = locale.text;
  const { nodes } = tranche.schedule;
  const premium: Column<(typeof nodes)[number]> = {
    label: table.premium,
    kind: 'number',
    cell: ({ premiumValue }) => locale.money(premiumValue),
  };
  return (
    <TableSection
      id="schedule"
      title={text.schedule}
      opens={locale.text.price.show}
      links={
        <Links
          label={exports.label}
          items={[...tableLinks(`${files}/agenda`), { text: exports.calendar, href: `${files}/agenda.ics` }]}
        />
      }
      rows={nodes}
      keyOf={({ installmentNumber, event }) => event ?? String(installmentNumber)}
      empty={text.noSchedule}
      columns={[
        { label: table.number, kind: 'number', cell: ({ installmentNumber, event }) => event ?? installmentNumber },
        { label: table.due, kind: 'nowrap', cell: ({ dueDate }) => locale.date(dueDate) },
        { label: table.event, kind: 'nowrap', cell: (instalment) => eventOf(locale, instalment, tranche.events) },
        {
          label: text.amortization,
          kind: 'number',
          cell: ({ amortizationPercentage }) => locale.percent(amortizationPercentage, 4),
        },
        { label: table.interest, kind: 'number', cell: ({ interestValue }) => locale.money(interestValue) },
        { label: table.principal, kind: 'number', cell: ({ principalValue }) => locale.money(principalValue) },
        ...(nodes.some(({ premiumValue }) => premiumValue !== null) ? [premium] : []),
        { label: table.total, kind: 'number', cell: ({ totalValue }) => locale.money(totalValue) },
        { label: text.open, kind: 'number', cell: ({ openValue }) => locale.money(openValue) },
        {
          label: text.certainty,
          cell: ({ projected, totalValue }) =>
            totalValue === null ? null : <Badge>{projected ? text.estimated : text.confirmed}</Badge>,
        },
        { label: table.paid, kind: 'nowrap', cell: ({ paidOn }) => locale.date(paidOn) },
        { label: table.status, cell: State },
      ]}
    >
      <Shown of={tranche.schedule} locale={locale} />
    </TableSection>
  );
}

function Happened({ tranche, locale }: Omit<ScheduleProps, 'files'>) {
  const { tranche: text, table } = locale.text;
  if (tranche.events.length === 0) return null;
  return (
    <TableSection
      id="events"
      title={text.happened}
      rows={tranche.events}
      keyOf={({ number }) => number}
      columns={[
        { label: table.number, kind: 'nowrap', cell: ({ number }) => number },
        { label: table.date, kind: 'nowrap', cell: ({ day }) => locale.date(day) },
        { label: text.what, cell: ({ kindLabel }) => kindLabel },
        {
          label: text.reason,
          kind: 'wide',
          cell: ({ reason, withdrawalReason }) =>
            noted(reason, withdrawalReason === null ? null : text.withdrawn(withdrawalReason)),
        },
        { label: text.document, cell: ({ document }) => document },
      ]}
    />
  );
}
