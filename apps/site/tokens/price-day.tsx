import { z } from 'zod';
import { Decimal, round, truncate } from '../../../shared/kernel/decimal.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { Empty, Facts, noted, Section, Stats, Table } from '../../design/basics.js';
import { readNumber } from '../../design/typed-number.js';
import { AsOfForm } from '../as-of.js';
import type { Operations } from '../graph/operations.js';
import { eventOf } from '../interest-events.js';
import { pathIn, Head, tokensStep } from '../layout.js';
import { asOfOf, readAsOf, type AtMoment } from '../moment.js';
import { addressOf, dayOf, definePage, fields, required, type Locale } from '../page.js';
import { priceDecimals } from '../price-chart.js';

type Price = NonNullable<Operations['tranchePrice']['data']['tranche']>['unitPrices']['nodes'][number];
type Provenance = NonNullable<Price['provenance']>;

const inputs = { vne: 'baseValue', c: 'indexFactor', di: 'diFactor', spread: 'spreadFactor' } as const;
type Input = keyof typeof inputs;
type Typed = Readonly<Partial<Record<Input, string>>>;

/** How the unit price of a day was computed, as it is known now or was known at a moment. */
export const priceDayPage = definePage({
  path: '/tokenizacao/series/:ticker/pu/:date',
  query: z.object({
    asOf: fields.typedMoment,
    vne: fields.number,
    c: fields.number,
    di: fields.number,
    spread: fields.number,
  }),
  load: async ({ read, locale, params, query }) => {
    const typed = typedInputs(query, locale);
    const day = dayOf(params['date']);
    const readAt = (at: AtMoment) =>
      read('tranchePrice', { ticker: required(params['ticker']), date: day, locale: locale.graph, ...at });
    const { asOf, found } = await readAsOf(asOfOf(query.asOf), readAt);
    const { ticker, name } = found?.tranche ?? required((await readAt({})).tranche);
    const price = found?.tranche?.unitPrices.nodes[0];
    // A day without a price has no page; a day whose price was not known at the moment has one.
    if (query.asOf === undefined) required(price);
    return { ticker, name, day, price, asOf, typed };
  },
  view: ({ ticker, name, day, price, asOf, typed }, { locale, site }) => {
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
          <Head
            locale={locale}
            way={[tokensStep(locale), { path: `/tokenizacao/series/${ticker}`, text: name }]}
            here={date}
            title={text.priceDay.title(ticker, date)}
          />
          <AsOfForm action={pathIn(locale, path)} asOf={asOf} locale={locale} isKnown={price !== undefined} />
          {price === undefined ? null : (
            <PriceParts
              {...{ price, locale, typed }}
              action={pathIn(locale, path)}
              kept={{ asOf: asOf.error === undefined ? asOf.typed : undefined }}
            />
          )}
          <p className="small">
            {text.operation.allData}:{' '}
            <a href={pathIn(locale, `/p/${ticker}/${day}`)}>{`${site.url}/p/${ticker}/${day}`}</a>
          </p>
        </>
      ),
    };
  },
});

/** Reads numbers as the page writes them. @throws {ApiError} BAD_REQUEST with each that is none */
function typedInputs(query: Partial<Record<Input, string | undefined>>, { code, text }: Locale): Typed {
  const read = (Object.keys(inputs) as Input[]).flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [[name, readNumber(value, code, 'BRL') ?? ''] as const];
  });
  // More digits than a factor or an amount of the rules has.
  const wrong = read.filter(([, value]) => !/^\d{1,15}(\.\d{1,16})?$/.test(value));
  if (wrong.length > 0)
    throw new ApiError('BAD_REQUEST', { details: wrong.map(([path]) => ({ path, message: text.errors.number })) });
  return Object.fromEntries(read);
}

function computed(values: Readonly<Record<Input, string>>) {
  const interestFactor = round(new Decimal(values.di).times(values.spread), 9);
  const nominalValue = truncate(new Decimal(values.vne).times(values.c), 8);
  const interestJ = truncate(nominalValue.times(interestFactor.minus(1)), 8);
  return {
    interestFactor: interestFactor.toFixed(9),
    nominalValue: nominalValue.toFixed(8),
    interestJ: interestJ.toFixed(8),
    unitPrice: nominalValue.plus(interestJ).toFixed(8),
  };
}

const symbols: Readonly<Record<string, string>> = {
  baseValue: 'VNe',
  indexFactor: 'C',
  nominalValue: 'VNa',
  diProduct: 'ΠDI',
  diFactor: 'FatorDI',
  spreadFactor: 'FatorSpread',
  interestFactor: 'FatorJuros',
  interestJ: 'J',
  unitPrice: 'PU',
  'number/previousNumber': 'NIₖ/NIₖ₋₁',
  elapsedDays: 'dcp',
  totalDays: 'dct',
};
const named = new RegExp(
  `\\b(${[...Object.keys(symbols), 'accrualStart', 'indexStart', 'rate/100'].join('|')})\\b`,
  'g',
);

interface PartsProps {
  readonly price: Price;
  readonly locale: Locale;
  readonly typed: Typed;
  readonly action: string;
  readonly kept: Readonly<Record<string, string | undefined>>;
}

function PriceParts(props: PartsProps) {
  const { price, locale } = props;
  const { priceDay: text } = locale.text;
  return (
    <>
      <Calculation {...props} />
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

function Calculation(props: PartsProps) {
  const { price, locale, typed } = props;
  const { priceDay: text, tranche, table } = locale.text;
  const amount = (value: string) => locale.money(value, priceDecimals);
  const own = { vne: price.baseValue, c: price.indexFactor, di: price.diFactor, spread: price.spreadFactor };
  const again = computed({ ...own, ...typed });
  const difference = amount(new Decimal(again.unitPrice).minus(price.unitPrice).toFixed(8));
  return (
    <Section id="factors" title={text.factors}>
      {price.projected ? <p className="notice">{tranche.projected}</p> : null}
      <Stats
        items={[
          { label: table.unitPrice, value: amount(price.unitPrice) },
          {
            label: text.again,
            value: amount(again.unitPrice),
            note: `${locale.text.price.difference}: ${difference}`,
          },
        ]}
      />
      <Formula {...props} inputsOf={{ ...own, ...typed }} again={again} />
      <Facts
        items={[
          [text.indexStart, locale.date(price.indexStart)],
          [`${text.diProduct} (ΠDI)`, locale.decimal(price.diProduct)],
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

/** The formula step by step, each symbol with its value. A reader may change what goes in, without a script. */
function Formula(
  props: PartsProps & {
    readonly inputsOf: Readonly<Record<Input, string>>;
    readonly again: ReturnType<typeof computed>;
  },
) {
  const { price, locale, typed, action, kept, inputsOf, again } = props;
  const { priceDay: text, tranche, table } = locale.text;
  const { policy, countedDays, yearDays } = price.provenance ?? {};
  const spread =
    policy === undefined ? '' : `(1 + ${locale.decimal(policy.rate)}/100)^(${String(countedDays)}/${String(yearDays)})`;
  const rows = [
    { field: 'baseValue', input: 'vne', name: text.base, formula: '' },
    { field: 'indexFactor', input: 'c', name: tranche.index, formula: 'Π (NIₖ/NIₖ₋₁)^(dcp/dct)' },
    { field: 'nominalValue', name: tranche.nominal, formula: 'VNe × C' },
    { field: 'diFactor', input: 'di', name: tranche.di, formula: 'Π (1 + TDIₖ × p/100)' },
    { field: 'spreadFactor', input: 'spread', name: tranche.spread, formula: spread },
    { field: 'interestFactor', name: tranche.interestFactor, formula: 'FatorDI × FatorSpread' },
    { field: 'interestJ', name: tranche.accrued, formula: 'VNa × (FatorJuros − 1)' },
    { field: 'unitPrice', name: table.unitPrice, formula: 'VNa + J' },
  ] as const;
  return (
    <form action={action} className="section">
      {kept['asOf'] === undefined ? null : <input type="hidden" name="asOf" value={kept['asOf']} />}
      <Table
        caption={text.factors}
        rows={rows}
        keyOf={({ field }) => field}
        columns={[
          { label: text.symbol, cell: ({ field }) => <b>{symbols[field]}</b> },
          { label: table.description, cell: ({ name }) => name },
          { label: text.formula, kind: 'nowrap', cell: ({ formula }) => formula || null },
          { label: table.value, kind: 'number', cell: ({ field }) => locale.decimal(price[field]) },
          {
            label: text.again,
            kind: 'number',
            cell: (row) =>
              'input' in row ? (
                <input
                  type="text"
                  name={row.input}
                  defaultValue={locale.decimal(inputsOf[row.input])}
                  inputMode="decimal"
                  maxLength={40}
                  aria-label={`${text.again}: ${row.name}`}
                />
              ) : (
                locale.decimal(again[row.field])
              ),
          },
        ]}
      />
      <div className="row">
        <button type="submit">{text.compute}</button>
        {Object.keys(typed).length === 0 ? null : <a href={addressOf(action, kept)}>{text.reset}</a>}
      </div>
    </form>
  );
}

function Inputs({ provenance, locale }: { readonly provenance: Provenance; readonly locale: Locale }) {
  const { priceDay: text, tranche, table, series } = locale.text;
  const { policy, countedDays, yearDays, rules, instalment, diRates, indexMonths } = provenance;
  const words: Readonly<Record<string, string>> = {
    accrualStart: text.accrualStart.toLowerCase(),
    indexStart: text.indexStart.toLowerCase(),
    'rate/100': `${table.rate.toLowerCase()}/100`,
  };
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
          <li key={rule}>{rule.replaceAll(named, (field) => symbols[field] ?? words[field] ?? field)}</li>
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
  const { priceDay: text, price, table } = locale.text;
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
          { label: price.from, kind: 'nowrap', cell: ({ from }) => locale.date(from) },
          { label: price.to, kind: 'nowrap', cell: ({ to }) => locale.date(to) },
          {
            label: `${text.number} (NIₖ)`,
            kind: 'number',
            cell: ({ number }) =>
              noted(
                locale.decimal(number?.value ?? null),
                number?.projection == null
                  ? null
                  : text.projectedBy(locale.percent(number.projection.percent), number.projection.source),
              ),
          },
          {
            label: `${text.previous} (NIₖ₋₁)`,
            kind: 'number',
            cell: ({ previousNumber }) => locale.decimal(previousNumber?.value ?? null),
          },
          {
            label: `${text.counted} (dcp / dct)`,
            kind: 'number',
            cell: ({ elapsedDays, totalDays }) => `${elapsedDays} / ${totalDays}`,
          },
          { label: table.factor, kind: 'number', cell: ({ factor }) => locale.decimal(factor) },
        ]}
      />
    </>
  );
}
