import { z } from 'zod';
import { Badge, Section, Stats, Links, Table, TableSection } from '../../design/basics.js';
import { AsOfNotice } from '../as-of.js';
import { IssuerText } from '../issuer-text.js';
import { pathIn, Head, operationsStep } from '../layout.js';
import { productData } from '../linked-data.js';
import { asOfOf, readAsOf } from '../moment.js';
import { addressOf, definePage, fields, required, remunerationOf, type Locale } from '../page.js';
import { PriceChart, priceDecimals } from '../price-chart.js';
import { cdiIn, chartFields, noPrices, percentOfCdi, seriesChart, rangeOf } from '../prices.js';
import { State } from '../tones.js';
import { Characteristics, Onchain, SeriesTable } from './characteristics.js';
import { Assemblies, Communications, Documents, Obligations } from './publications.js';
import { Report } from './report.js';
import type { Operation, PartProps } from './types.js';
import { tableLinks } from '../files/table-file.js';

export const operationPage = definePage({
  path: '/emissoes/:slug',
  query: z.object({ ...chartFields, series: fields.ticker, month: fields.month }),
  load: async (request) => {
    const { read, locale, params, query, today } = request;
    const found = await read('operationPage', {
      ticker: required(params['slug']),
      locale: locale.graph,
      month: query.month ?? null,
      yearAgo: rangeOf({}, today, locale).from,
    });
    const operation = required(found.operation);
    const chosen =
      query.series === undefined
        ? operation.series[0]
        : required(operation.series.find(({ ticker }) => ticker === query.series));
    // The moment applies to the prices; everything else on the page is of the present.
    const { asOf, found: prices } = await readAsOf(asOfOf(query.asOf), async (at) =>
      chosen === undefined ? undefined : await seriesChart({ ...request, params: { ticker: chosen.ticker } }, at),
    );
    const year = operation.series[0]?.priceReturn;
    const ofCdi = year == null ? null : percentOfCdi(year, (await cdiIn(request, year)).at(-1)?.percent);
    return { operation, ofCdi, chosen, asOf, prices: prices ?? noPrices(rangeOf(query, today, locale)) };
  },
  view: ({ operation, ofCdi, chosen, asOf, prices }, { locale, site, today, query }) => {
    const { text } = locale;
    const path = `/emissoes/${operation.slug}`;
    const action = pathIn(locale, path);
    return {
      title: operation.name,
      description: text.operation.description(operation.name),
      path,
      area: 'operations',
      status: asOf.error === undefined && prices.range.refused === undefined ? 200 : 400,
      ...(chosen === undefined ? {} : { image: `${locale.prefix}/series/${chosen.ticker}/pu.png` }),
      hasChart: true,
      feeds: [{ href: `${action}/comunicacoes.atom`, title: text.operation.communications }],
      data: productData({
        name: operation.name,
        identifier: operation.ticker,
        category: operation.typeLabel,
        url: `${site.url}${action}`,
        amount: operation.volume,
        provider: operation.issuer,
      }),
      body: (
        <>
          <Heading {...{ operation, ofCdi, locale }} isLive={query.month === undefined} />
          <Jump locale={locale} />
          <Section
            id="prices"
            title={text.operation.prices}
            links={
              <Links
                label={text.operation.series}
                items={operation.series.map(({ ticker }) => ({
                  href: addressOf(action, { ...query, series: ticker }),
                  text: ticker,
                  current: ticker === chosen?.ticker,
                }))}
              />
            }
          >
            {chosen === undefined ? (
              <p className="empty">{text.operation.noSeries}</p>
            ) : (
              <>
                <AsOfNotice asOf={asOf} locale={locale} isKnown={prices.points.length > 0} />
                <PriceChart
                  locale={locale}
                  ticker={chosen.ticker}
                  prices={prices}
                  view={query.view}
                  start={operation.emissionDate ?? prices.range.from}
                  today={today}
                  action={action}
                  kept={{ series: query.series, month: query.month }}
                  files={pathIn(locale, `/series/${chosen.ticker}/pu`)}
                  embed={pathIn(locale, `/embed/series/${chosen.ticker}`)}
                  asOf={asOf}
                  site={site}
                />
              </>
            )}
          </Section>
          <SeriesTable operation={operation} locale={locale} />
          <Characteristics operation={operation} locale={locale} />
          <Payments operation={operation} locale={locale} files={action} />
          <Report operation={operation} locale={locale} action={action} query={query} />
          <Covenants operation={operation} locale={locale} action={action} month={query.month} />
          <Obligations operation={operation} locale={locale} files={action} />
          <Documents operation={operation} locale={locale} />
          <Assemblies operation={operation} locale={locale} />
          <Communications operation={operation} locale={locale} files={action} />
          <Onchain operation={operation} locale={locale} />
          <Section id="inventory" title={text.operation.inventory}>
            <p>
              {text.operation.inventoryText} <a href={`${action}/estoque`}>{text.operation.openInventory}</a>
            </p>
          </Section>
        </>
      ),
    };
  },
});

function alertsOf(operation: Operation, { text, percent, date }: Locale, isLive: boolean) {
  const { alerts } = text.operation;
  const { covenants = [], subordination } = (isLive ? operation.report : null) ?? {};
  return [
    ...covenants
      .filter(({ fulfilled }) => fulfilled === false)
      .map(({ name, value, comparisonLabel, threshold }) => ({
        href: '#covenants',
        kind: alerts.COVENANT_BREACHED,
        what: `${name}: ${percent(value)} (${comparisonLabel.toLowerCase()} ${percent(threshold)})`,
      })),
    ...operation.overdue.nodes.map(({ seriesTicker, event, dueDate }) => ({
      href: '#payments',
      kind: alerts.PAYMENT_OVERDUE,
      what: `${seriesTicker ?? ''} ${event}, ${date(dueDate)}`,
    })),
    ...operation.obligations.nodes
      .filter(({ status }) => status === 'OVERDUE')
      .map(({ title, dueDate }) => ({
        href: '#obligations',
        kind: alerts.OBLIGATION_OVERDUE,
        what: `${title}, ${date(dueDate)}`,
      })),
    ...(subordination?.series ?? [])
      .filter(({ stale }) => stale)
      .map(({ ticker, priceDate }) => ({
        href: '#series',
        kind: alerts.PRICE_STALE,
        what: `${ticker}, ${date(priceDate)}`,
      })),
  ];
}

function Heading(props: PartProps & { readonly ofCdi: string | null; readonly isLive: boolean }) {
  const { operation, ofCdi, locale, isLive } = props;
  const { text } = locale;
  const [first] = operation.series;
  const price = first?.currentUnitPrice ?? null;
  const earned = first?.priceReturn ?? null;
  const alerts = alertsOf(operation, locale, isLive);
  const [next] = operation.next.nodes;
  const subordination = operation.report?.subordination;
  return (
    <>
      <Head locale={locale} way={[operationsStep(locale)]} here={operation.ticker} title={operation.name}>
        <div className="row">
          <State {...operation} />
          <span>
            <IssuerText locale={locale}>{operation.subtitle}</IssuerText>
          </span>
          {operation.chips.map((chip) => (
            <Badge key={chip}>
              <IssuerText locale={locale}>{chip}</IssuerText>
            </Badge>
          ))}
        </div>
      </Head>
      {alerts.length === 0 ? null : (
        <div className="notice bad">
          <ul>
            {alerts.map(({ href, kind, what }) => (
              <li key={`${kind} ${what}`}>
                <a href={href}>{kind}</a> <IssuerText locale={locale}>{what}</IssuerText>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Stats
        items={[
          {
            label: text.table.unitPrice,
            value: locale.money(price?.value ?? null, priceDecimals),
            note: first === undefined ? undefined : `${first.ticker}, ${locale.date(price?.date ?? null)}`,
          },
          {
            label: text.operation.earned,
            value: locale.percent(earned?.percent ?? null),
            note:
              earned === null
                ? undefined
                : [
                    `${first?.ticker ?? ''}, ${text.operation.since(locale.date(earned.from))}`,
                    ...(ofCdi === null ? [] : [text.operation.ofCdi(locale.percent(ofCdi))]),
                  ].join('; '),
          },
          {
            label: text.table.remuneration,
            value: first === undefined ? '—' : remunerationOf(locale, first),
            note:
              first?.yieldToMaturity == null
                ? undefined
                : text.operation.yield(
                    locale.percent(first.yieldToMaturity.percent),
                    locale.decimal(first.yieldToMaturity.duration, 2),
                  ),
          },
          {
            label: text.operation.next,
            value: locale.date(next?.dueDate ?? null),
            note: `${text.table.maturity}: ${locale.date(operation.maturityDate)}`,
          },
          {
            label: text.operation.subordination,
            value: locale.percent(subordination?.index ?? null),
            note: `${text.operation.coverage}: ${locale.percent(subordination?.coverage ?? null)}`,
          },
        ]}
      />
    </>
  );
}

function Jump({ locale }: { readonly locale: Locale }) {
  const { operation } = locale.text;
  const places = [
    ['prices', operation.prices],
    ['series', operation.series],
    ['facts', operation.facts],
    ['payments', operation.payments],
    ['report', operation.report],
    ['covenants', operation.covenants],
    ['obligations', operation.obligations],
    ['documents', operation.documents],
    ['assemblies', operation.assemblies],
    ['communications', operation.communications],
    ['onchain', operation.onchain],
    ['inventory', operation.inventory],
  ] as const;
  return (
    <nav aria-label={operation.jump} className="section">
      <ul className="jump">
        {places.map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Covenants(props: PartProps & { readonly action: string; readonly month: string | undefined }) {
  const { operation, locale, action, month } = props;
  const { operation: text, table, exports } = locale.text;
  return (
    <TableSection
      id="covenants"
      title={text.covenants}
      links={<Links label={exports.label} items={tableLinks(`${action}/covenants`, { month })} />}
      rows={operation.report?.covenants ?? []}
      keyOf={({ name }) => name}
      empty={text.noCovenants}
      columns={[
        { label: table.name, kind: 'wide', cell: ({ name }) => <IssuerText locale={locale}>{name}</IssuerText> },
        {
          label: table.threshold,
          cell: ({ comparisonLabel, threshold }) => `${comparisonLabel} ${locale.percent(threshold)}`,
        },
        { label: table.value, kind: 'number', cell: ({ value }) => locale.percent(value) },
        {
          label: table.status,
          cell: ({ fulfilled, caveatLabel }) => (
            <>
              <Badge tone={fulfilled === null ? 'plain' : fulfilled ? 'good' : 'bad'}>
                {fulfilled === null ? text.notTested : fulfilled ? text.fulfilled : text.breached}
              </Badge>{' '}
              {caveatLabel}
            </>
          ),
        },
      ]}
    />
  );
}

function Payments({ operation, locale, files }: PartProps & { readonly files: string }) {
  const { operation: text, exports } = locale.text;
  const { nodes, totalCount } = operation.payments;
  const paid = nodes.filter(({ status }) => status === 'PAID');
  const open = nodes.filter(({ status }) => status !== 'PAID');
  const table = { operation, locale };
  return (
    <Section
      id="payments"
      title={text.payments}
      opens={locale.text.price.show}
      links={
        <Links
          label={exports.label}
          items={[...tableLinks(`${files}/pagamentos`), { text: exports.calendar, href: `${files}/agenda.ics` }]}
        />
      }
    >
      {nodes.length < totalCount ? (
        <p className="muted small">{text.lastPayments(locale.decimal(nodes.length), locale.decimal(totalCount))}</p>
      ) : null}
      <h3>{text.projected}</h3>
      <PaymentTable {...table} title={text.projected} rows={open} />
      <h3>{text.confirmed}</h3>
      <PaymentTable {...table} title={text.confirmed} rows={[...paid].reverse()} />
    </Section>
  );
}

/** The number of the event of the paper that a payment without an instalment is of, at the end of its name. */
const eventNumber = /E\d+(?=\)$)/;

function PaymentTable({
  locale,
  title,
  rows,
}: PartProps & { readonly title: string; readonly rows: readonly Operation['payments']['nodes'][number][] }) {
  const { operation: text, table } = locale.text;
  return (
    <Table
      caption={`${text.payments}: ${title}`}
      rows={rows}
      empty={text.noEvents}
      columns={[
        { label: table.due, kind: 'nowrap', cell: ({ dueDate }) => locale.date(dueDate) },
        { label: table.series, kind: 'nowrap', cell: ({ seriesTicker }) => seriesTicker },
        {
          label: table.number,
          kind: 'number',
          cell: ({ installmentNumber, event }) =>
            installmentNumber === 0 ? (eventNumber.exec(event)?.[0] ?? null) : installmentNumber,
        },
        { label: table.event, cell: ({ event }) => <IssuerText locale={locale}>{event}</IssuerText> },
        { label: table.interest, kind: 'number', cell: ({ interestValue }) => locale.money(interestValue) },
        { label: table.principal, kind: 'number', cell: ({ principalValue }) => locale.money(principalValue) },
        { label: table.total, kind: 'number', cell: ({ totalValue }) => locale.money(totalValue) },
        { label: locale.text.tranche.open, kind: 'number', cell: ({ openValue }) => locale.money(openValue) },
        { label: table.paid, kind: 'nowrap', cell: ({ paidDate }) => locale.date(paidDate) },
        {
          label: table.status,
          cell: (row) => (
            <>
              {State(row)}
              {row.projected ? <span className="muted small"> {locale.text.tranche.estimated}</span> : null}
            </>
          ),
        },
      ]}
    />
  );
}
