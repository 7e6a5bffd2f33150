import { z } from 'zod';
import { Empty, Facts, Section, Stats } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { Crumbs, tokensStep } from '../crumbs.js';
import { AsOfForm } from '../as-of.js';
import type { Operations } from '../graph/operations.js';
import { eventOf } from '../interest-events.js';
import { pathIn } from '../layout.js';
import type { Locale } from '../locale.js';
import { asOfOf, readAsOf, type AtMoment } from '../moment.js';
import { addressOf, dayOf, definePage, fields, required } from '../page.js';
import { priceDecimals } from '../price-chart.js';

type Price = NonNullable<Operations['tranchePrice']['data']['tranche']>['unitPrices']['nodes'][number];
type Provenance = NonNullable<Price['provenance']>;

/** How the unit price of a day was computed, as it is known now or was known at a moment. */
export const priceDayPage = definePage({
  path: '/tokenizacao/series/:ticker/pu/:date',
  query: z.object({ asOf: fields.typedMoment }),
  load: async ({ read, locale, params, query }) => {
    const day = dayOf(params['date']);
    const readAt = (at: AtMoment) =>
      read('tranchePrice', { ticker: required(params['ticker']), date: day, locale: locale.graph, ...at });
    const { asOf, found } = await readAsOf(asOfOf(query.asOf), readAt);
    const { ticker, name } = found?.tranche ?? required((await readAt({})).tranche);
    const price = found?.tranche?.unitPrices.nodes[0];
    // A day without a price has no page; a day whose price was not known at the moment has one.
    if (query.asOf === undefined) required(price);
    return { ticker, name, day, price, asOf };
  },
  view: ({ ticker, name, day, price, asOf }, { locale, site }) => {
    const { text } = locale;
    const path = `/tokenizacao/series/${ticker}/pu/${day}`;
    const date = locale.date(day);
    return {
      title: text.priceDay.title(ticker, date),
      description: text.priceDay.description(ticker, date),
      path,
      area: 'tokens',
      status: asOf.error === undefined ? 200 : 400,
      image: addressOf(pathIn(locale, `/tokenizacao/series/${ticker}/pu.png`), { to: day }),
      body: (
        <>
          <div className="head">
            <Crumbs
              locale={locale}
              way={[tokensStep(locale), { path: `/tokenizacao/series/${ticker}`, text: name }]}
              here={date}
            />
            <h1>{text.priceDay.title(ticker, date)}</h1>
          </div>
          <AsOfForm action={pathIn(locale, path)} asOf={asOf} locale={locale} isKnown={price !== undefined} />
          {price === undefined ? null : <PriceParts price={price} locale={locale} />}
          <p className="small">
            {text.operation.allData}:{' '}
            <a href={pathIn(locale, `/p/${ticker}/${day}`)}>{`${site.url}/p/${ticker}/${day}`}</a>
          </p>
        </>
      ),
    };
  },
});

function PriceParts({ price, locale }: { readonly price: Price; readonly locale: Locale }) {
  const { priceDay: text } = locale.text;
  return (
    <>
      <Factors price={price} locale={locale} />
      <Section id="inputs" title={text.inputs}>
        {price.provenance === null ? (
          <Empty>{text.noProvenance}</Empty>
        ) : (
          <Inputs provenance={price.provenance} locale={locale} />
        )}
      </Section>
    </>
  );
}

function Factors({ price, locale }: { readonly price: Price; readonly locale: Locale }) {
  const { priceDay: text, tranche, table } = locale.text;
  const amount = (value: string) => locale.money(value, priceDecimals);
  return (
    <Section id="factors" title={text.factors}>
      {price.projected ? <p className="notice">{tranche.projected}</p> : null}
      <Stats
        items={[
          { label: table.unitPrice, value: amount(price.unitPrice) },
          { label: tranche.nominal, value: amount(price.nominalValue) },
          { label: tranche.accrued, value: amount(price.interestJ) },
        ]}
      />
      <Facts
        items={[
          [text.base, amount(price.baseValue)],
          [tranche.index, locale.decimal(price.indexFactor)],
          [text.indexStart, locale.date(price.indexStart)],
          [text.diProduct, locale.decimal(price.diProduct)],
          [tranche.di, locale.decimal(price.diFactor)],
          [tranche.spread, locale.decimal(price.spreadFactor)],
          [tranche.interestFactor, locale.decimal(price.interestFactor)],
          [text.accrualStart, locale.date(price.accrualStart)],
          [tranche.businessDays, price.businessDays],
          [text.calendarDays, price.calendarDays],
          [table.principal, amount(price.amortization)],
          [text.payment, amount(price.payment)],
          [text.next, amount(price.nextBaseValue)],
          [text.version, price.version],
          [text.calendarVersion, price.calendarVersion],
          [text.calculated, locale.moment(price.calculatedAt)],
        ]}
      />
    </Section>
  );
}

function Inputs({ provenance, locale }: { readonly provenance: Provenance; readonly locale: Locale }) {
  const { priceDay: text, tranche, table, series } = locale.text;
  const { policy, countedDays, yearDays, rules, instalment, diRates, indexMonths } = provenance;
  return (
    <>
      <Facts
        items={[
          [text.policy, `${table.version} ${policy.version}`],
          [tranche.start, locale.date(policy.remunerationStartDate)],
          [tranche.issueValue, locale.money(policy.issueValue)],
          [tranche.dayCount, policy.dayCountLabel],
          [series.indexer, policy.indexerLabel],
          [table.rate, locale.percent(policy.rate)],
          [text.counted, countedDays],
          [text.year, yearDays],
          [
            text.instalment,
            instalment === null
              ? null
              : `${instalment.event ?? String(instalment.installmentNumber)}. ${eventOf(locale, instalment, [])}`,
          ],
        ]}
      />
      <h3>{text.rules}</h3>
      <ul className="rules">
        {rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      <DiRates rates={diRates} locale={locale} />
      <IndexMonths months={indexMonths} locale={locale} />
    </>
  );
}

function DiRates({ rates, locale }: { readonly rates: Provenance['diRates']; readonly locale: Locale }) {
  const { priceDay: text, table } = locale.text;
  if (rates.length === 0) return null;
  return (
    <>
      <h3>{text.rates}</h3>
      <Table
        caption={text.rates}
        rows={rates}
        keyOf={({ date }) => date}
        empty="—"
        columns={[
          { label: table.date, kind: 'nowrap', cell: ({ date }) => locale.date(date) },
          { label: table.rate, kind: 'number', cell: ({ value }) => locale.percent(value) },
          { label: text.daily, kind: 'number', cell: ({ dailyRate }) => locale.decimal(dailyRate) },
          { label: table.version, kind: 'number', cell: ({ version }) => version },
        ]}
      />
    </>
  );
}

function IndexMonths({ months, locale }: { readonly months: Provenance['indexMonths']; readonly locale: Locale }) {
  const { priceDay: text, table } = locale.text;
  if (months.length === 0) return null;
  return (
    <>
      <h3>{text.months}</h3>
      <Table
        caption={text.months}
        rows={months}
        keyOf={({ from }) => from}
        empty="—"
        columns={[
          { label: text.from, kind: 'nowrap', cell: ({ from }) => locale.date(from) },
          { label: text.to, kind: 'nowrap', cell: ({ to }) => locale.date(to) },
          {
            label: text.number,
            kind: 'number',
            cell: ({ number }) => (
              <>
                {locale.decimal(number?.value ?? null)}
                {number?.projection == null ? null : (
                  <span className="sub">
                    {text.projectedBy(locale.percent(number.projection.percent), number.projection.source)}
                  </span>
                )}
              </>
            ),
          },
          {
            label: text.previous,
            kind: 'number',
            cell: ({ previousNumber }) => locale.decimal(previousNumber?.value ?? null),
          },
          {
            label: text.counted,
            kind: 'number',
            cell: ({ elapsedDays, totalDays }) => `${elapsedDays} / ${totalDays}`,
          },
          { label: table.factor, kind: 'number', cell: ({ factor }) => locale.decimal(factor) },
        ]}
      />
    </>
  );
}
