import { Decimal, round } from '../../shared/kernel/decimal.js';
import { asOfField } from './as-of.js';
import { Empty, Links, noted, Stats, Table, type Column } from '../design/basics.js';
import { FilterForm } from '../design/filter-form.js';
import { LineChart } from '../design/line-chart.js';
import { tableLinks } from './files/table-file.js';
import type { AsOf } from './moment.js';
import { addressOf, type Site, type Locale } from './page.js';
import { percentOfCdi, type Prices, usualRanges } from './prices.js';

/** Decimals of a unit price, as the market quotes it. */
export const priceDecimals = 8;

export interface PriceChartProps {
  readonly locale: Locale;
  readonly ticker: string;
  readonly prices: Prices;
  readonly view: View | undefined;
  readonly events?: readonly ChartEvent[];
  readonly more?: readonly Column<Row>[];
  readonly start: string;
  readonly today: string;
  readonly action: string;
  readonly kept?: Readonly<Record<string, string | undefined>>;
  readonly asOf: AsOf;
  /** Address of the files of the prices, without their extension; the pages of their days are below it. */
  readonly files: string;
  readonly embed: string;
  readonly site: Site;
}

type View = 'price' | 'return';

interface ChartEvent {
  readonly date: string;
  readonly text: string;
}

interface Row {
  readonly date: string;
  readonly value: string;
  readonly projected: boolean;
  readonly earned: string | null;
  readonly cdi: string | null;
  readonly event: string | null;
}

export function PriceChart(props: PriceChartProps) {
  const { locale, ticker, prices, start, today, action, asOf, files, embed, site, more = [] } = props;
  const { text } = locale;
  const { from, to, interval, refused } = prices.range;
  const moment = asOf.error === undefined ? asOf.typed : undefined;
  const kept = { ...props.kept, view: props.view };
  const query = { from, to, asOf: moment };
  const pictured = { ...query, view: props.view };
  const view = viewOf(prices, props.view);
  const ranges = usualRanges(today, start, locale);
  const isUsual = to === today && ranges.some((one) => one.from === from);
  const rows = rowsOf(locale, prices, props.events);
  return (
    <>
      <div className="row spread">
        <Links
          label={text.price.range}
          items={ranges.map((one) => ({
            text: one.text,
            href: addressOf(action, { ...kept, from: one.from, to: today, asOf: moment }),
            current: one.from === from && to === today,
          }))}
        />
        {isEarned(prices) ? (
          <Links
            label={text.price.view}
            items={(['return', 'price'] as const).map((one) => ({
              text: text.price.views[one],
              href: addressOf(action, { ...props.kept, ...query, view: one }),
              current: one === view,
            }))}
          />
        ) : null}
      </div>
      <details open={!isUsual || refused !== undefined || asOf.typed !== undefined}>
        <summary>{text.price.range}</summary>
        <FilterForm
          action={action}
          label={text.price.range}
          submit={text.price.show}
          kept={kept}
          fields={[
            {
              ...{ name: 'from', label: text.price.from, type: 'date', value: refused?.from ?? from },
              ...(refused === undefined ? {} : { error: refused.error }),
            },
            { name: 'to', label: text.price.to, type: 'date', value: refused?.to ?? to },
            asOfField(asOf, locale),
          ]}
        />
      </details>
      {prices.points.length === 0 ? (
        <Empty>{text.operation.noPrice}</Empty>
      ) : (
        <>
          <Summary locale={locale} earned={prices.earned} rows={rows} />
          <Figure
            {...{ locale, ticker, rows, view, more }}
            linkOf={(date) => addressOf(`${files}/${date}`, { asOf: moment })}
          />
          {interval === 'DAILY' ? null : (
            <p className="muted small">{interval === 'WEEKLY' ? text.price.weekly : text.price.monthly}</p>
          )}
          <Links
            label={text.price.download}
            items={[
              ...tableLinks(files, query),
              { text: `${text.price.image} SVG`, href: addressOf(`${files}.svg`, pictured) },
              { text: `${text.price.image} PNG`, href: addressOf(`${files}.png`, pictured) },
            ]}
          />
          <EmbedCode locale={locale} title={ticker} src={`${site.url}${addressOf(embed, pictured)}`} />
        </>
      )}
    </>
  );
}

const isEarned = ({ earned }: Prices) => earned?.factor != null;

/** By default the chart shows the return: the price falls by each payment. */
export const viewOf = (prices: Prices, asked: View | undefined): View =>
  isEarned(prices) ? (asked ?? 'return') : 'price';

function Summary(props: Pick<Prices, 'earned'> & { readonly locale: Locale; readonly rows: readonly Row[] }) {
  const { locale, earned, rows } = props;
  const { price: text } = locale.text;
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return null;
  // From the price at which the return begins, which a sparse chart may not show.
  const before = new Decimal(earned?.first ?? first.value);
  const change = before.isZero() ? null : new Decimal(last.value).div(before).minus(1).times(100).toFixed(4);
  const days = `${locale.date(earned?.from ?? first.date)} – ${locale.date(last.date)}`;
  return (
    <Stats
      items={[
        ...(earned === null
          ? []
          : [
              {
                label: text.earned,
                value: locale.percent(last.earned, 4),
                note: `${text.paid}: ${locale.money(earned.paid, priceDecimals)}`,
              },
              {
                label: text.ofCdi,
                value: locale.percent(percentOfCdi(earned, last.cdi)),
                note: `${text.cdi}: ${locale.percent(last.cdi, 4)}`,
              },
            ]),
        { label: text.last, value: locale.money(last.value, priceDecimals), note: locale.date(last.date) },
        { label: text.change, value: locale.percent(change, 4), note: days },
      ]}
    />
  );
}

/** Returns each price with the return up to its day, the CDI up to it, and what happened since the price before. */
export function rowsOf({ text, money }: Locale, prices: Prices, events: readonly ChartEvent[] = []): readonly Row[] {
  const { points, earned, payments, cdi } = prices;
  const happened = [
    ...(payments ?? []).map(({ date, value }) => ({ date, text: text.price.payment(money(value, priceDecimals)) })),
    ...events,
  ];
  return points.map((point, at) => {
    const { date, value } = point;
    const before = points[at - 1]?.date ?? '';
    const paid = payments?.findLast((one) => one.date <= date);
    const { factor, unitPrice } = paid ?? { factor: '1', unitPrice: earned?.first ?? '0' };
    const grown = factor && (Number(unitPrice) === 0 ? factor : new Decimal(factor).times(value).div(unitPrice));
    const since = happened.filter((one) => one.date > before && one.date <= date).map((one) => one.text);
    return {
      ...point,
      earned: isEarned(prices) && grown ? round(new Decimal(grown).minus(1).times(100), 4).toFixed(4) : null,
      cdi: cdi?.get(date) ?? null,
      event: since.join(', ') || null,
    };
  });
}

interface ChartProps {
  readonly locale: Locale;
  readonly ticker: string;
  readonly rows: readonly Row[];
  readonly view: View;
}

/** A chart below its last values and above the table of its numbers, from which `design/chart.js` draws it. */
export function Figure(
  props: ChartProps & { readonly more?: readonly Column<Row>[]; readonly linkOf?: (date: string) => string },
) {
  const { locale, rows, view, more = [], linkOf } = props;
  const { price: text, table, tranche } = locale.text;
  const last = rows.at(-1);
  const day = (date: string) => <time dateTime={date}>{locale.date(date)}</time>;
  const columns: readonly Column<Row>[] = [
    {
      label: table.date,
      kind: 'nowrap',
      cell: ({ date, projected }) =>
        noted(
          linkOf === undefined ? day(date) : <a href={linkOf(date)}>{day(date)}</a>,
          projected ? tranche.estimated : null,
        ),
    },
    { label: table.unitPrice, kind: 'number', cell: ({ value }) => locale.money(value, priceDecimals) },
    { label: text.views.return, kind: 'number', cell: ({ earned }) => locale.percent(earned, 4) },
    { label: 'CDI', kind: 'number', cell: ({ cdi }) => locale.percent(cdi, 4) },
    { label: table.event, cell: ({ event }) => event },
    ...more,
  ];
  const lines = view === 'price' ? [1] : rows.some(({ cdi }) => cdi !== null) ? [2, 3] : [2];
  return (
    <figure className="chart" data-lines={lines.join(' ')} data-marks="4">
      <figcaption className="row small muted">
        <span data-column="0">{locale.date(last?.date ?? null)}</span>
        {lines.map((column, at) => (
          <span key={column} className={`line-${at + 1}`}>
            {columns[column]?.label} <b data-column={column}>{last && columns[column]?.cell(last)}</b>
          </span>
        ))}
        <span className="mark" data-column="4">
          {last?.event}
        </span>
      </figcaption>
      <LineChart {...chartOf(props)} />
      <details>
        <summary>
          {text.table}: {locale.decimal(rows.length)}
        </summary>
        <Table
          caption={text.table}
          rows={rows.toReversed()}
          keyOf={({ date }) => date}
          empty={locale.text.operation.noPrice}
          columns={columns}
        />
      </details>
    </figure>
  );
}

export function chartOf({ locale, ticker, rows, view }: ChartProps) {
  const { price: text } = locale.text;
  const [first, last] = [rows[0], rows.at(-1)];
  const days = [ticker, locale.date(first?.date ?? null), locale.date(last?.date ?? null)] as const;
  const price = (row: Row | undefined) => locale.money(row?.value ?? null, priceDecimals);
  const isPrice = view === 'price';
  return {
    points: rows.map(({ date, value, earned, cdi, event }) => ({
      date,
      ...(isPrice ? { value } : { value: earned ?? '', beside: cdi }),
      isMarked: event !== null,
    })),
    label: isPrice
      ? text.chart(...days, price(first), price(last))
      : text.returnChart(...days, locale.percent(last?.earned ?? null, 4), locale.percent(last?.cdi ?? null, 4)),
    formatValue: (value: string) => `${locale.decimal(value)}${isPrice ? '' : '%'}`,
    formatDate: locale.date,
  };
}

/** Size of the frame in which a chart is shown whole, in pixels of CSS. */
const [width, height] = [600, 420];

function EmbedCode({ locale, title, src }: { readonly locale: Locale; readonly title: string; readonly src: string }) {
  const { price: text } = locale.text;
  const code = `<iframe src="${attribute(src)}" width="${width}" height="${height}" title="${attribute(title)}" loading="lazy"></iframe>`;
  return (
    <details>
      <summary>{text.embed}</summary>
      <p className="small">
        {text.embedHint} <a href={src}>{text.embedAlone}</a>
      </p>
      <pre className="code">{code}</pre>
    </details>
  );
}

const attribute = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
