import { z } from 'zod';
import { Facts, Section, Stats, TableSection } from '../../design/basics.js';
import { AsOfForm } from '../as-of.js';
import type { Operations } from '../graph/operations.js';
import { IssuerText } from '../issuer-text.js';
import { pathIn, Head, operationsStep, operationStep } from '../layout.js';
import { asOfOf, readAsOf, type AtMoment } from '../moment.js';
import { addressOf, dayOf, definePage, fields, required, type Locale } from '../page.js';
import { priceDecimals } from '../price-chart.js';

type Price = Operations['seriesPrice']['data']['series']['nodes'][number]['unitPrices']['nodes'][number];
type Tranches = Operations['seriesTranches']['data']['tranches']['nodes'];

/** The unit price of a series on a day: when it was received, and what it was before. */
export const seriesPriceDay = definePage({
  path: '/series/:ticker/pu/:date',
  query: z.object({ asOf: fields.typedMoment }),
  load: async ({ read, params, query }) => {
    const date = dayOf(params['date']);
    const readAt = async (at: AtMoment) => {
      const { series } = await read('seriesPrice', { ticker: required(params['ticker']), date, ...at });
      return required(series.nodes[0]);
    };
    const { asOf, found } = await readAsOf(asOfOf(query.asOf), readAt);
    const { ticker, pricing, operation, unitPrices } = found ?? (await readAt({}));
    const price = found === undefined ? undefined : unitPrices.nodes[0];
    // A day without a price has no page; a day whose price was not known at the moment has one.
    if (query.asOf === undefined) required(price);
    const { tranches } = await read('seriesTranches', { ticker, date });
    return {
      ticker,
      pricing,
      operation,
      date,
      price,
      asOf,
      tranches: tranches.nodes.filter(({ unitPrices }) => unitPrices.nodes.length > 0),
    };
  },
  view: ({ ticker, pricing, operation, date: day, price, asOf, tranches }, { locale, site }) => {
    const { text } = locale;
    const path = `/series/${ticker}/pu/${day}`;
    const date = locale.date(day);
    return {
      title: text.priceDay.title(ticker, date),
      description: text.seriesDay.description(ticker, date),
      path,
      area: 'operations',
      status: asOf.error === undefined ? 200 : 400,
      image: addressOf(pathIn(locale, `/series/${ticker}/pu.png`), { to: day }),
      body: (
        <>
          <Head
            locale={locale}
            way={[operationsStep(locale), operationStep(operation), { path: `/series/${ticker}`, text: ticker }]}
            here={date}
            title={text.priceDay.title(ticker, date)}
          />
          <AsOfForm action={pathIn(locale, path)} asOf={asOf} locale={locale} isKnown={price !== undefined} />
          {price === undefined ? null : <Origin price={price} isEngine={pricing === 'ENGINE'} locale={locale} />}
          <Computed tranches={tranches} day={day} locale={locale} />
          <p className="small">
            {text.operation.allData}:{' '}
            <a href={pathIn(locale, `/p/${ticker}/${day}`)}>{`${site.url}/p/${ticker}/${day}`}</a>
          </p>
        </>
      ),
    };
  },
});

function Origin(props: { readonly price: Price; readonly isEngine: boolean; readonly locale: Locale }) {
  const { price, isEngine, locale } = props;
  const { seriesDay: text, priceDay, table, tranche } = locale.text;
  const { version, recordedAt, earlierValues } = price.provenance;
  return (
    <>
      <Section id="price" title={text.price}>
        <Stats
          items={[
            { label: table.unitPrice, value: locale.money(price.value, priceDecimals), note: locale.date(price.date) },
          ]}
        />
        <p>{isEngine ? text.engine : text.imported}</p>
        {price.projected ? <p className="notice">{tranche.projected}</p> : null}
        <Facts
          items={[
            [priceDay.version, version],
            ...(recordedAt === null ? [] : [[text.received, locale.moment(recordedAt)] as const]),
          ]}
        />
      </Section>
      <TableSection
        id="corrections"
        title={text.corrections}
        rows={earlierValues}
        keyOf={({ correctedAt }) => correctedAt}
        empty={text.noCorrections}
        columns={[
          { label: text.corrected, kind: 'nowrap', cell: ({ correctedAt }) => locale.moment(correctedAt) },
          { label: text.from, kind: 'number', cell: ({ value }) => locale.money(value, priceDecimals) },
          {
            label: text.received,
            kind: 'nowrap',
            cell: (value) => (value.recordedAt === null ? null : locale.moment(value.recordedAt)),
          },
          {
            label: text.reason,
            kind: 'wide',
            cell: ({ reason }) => (reason === null ? null : <IssuerText locale={locale}>{reason}</IssuerText>),
          },
        ]}
      />
    </>
  );
}

/** The way to the same day of the tokenized series, whose prices the program computes. */
function Computed({
  tranches,
  day,
  locale,
}: {
  readonly tranches: Tranches;
  readonly day: string;
  readonly locale: Locale;
}) {
  const { seriesDay: text } = locale.text;
  if (tranches.length === 0) return null;
  return (
    <Section id="factors" title={text.computed}>
      <p>{text.computedText}</p>
      <ul className="links">
        {tranches.map(({ ticker, name }) => (
          <li key={ticker}>
            <a href={pathIn(locale, `/tokenizacao/series/${ticker}/pu/${day}`)}>{name}</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
