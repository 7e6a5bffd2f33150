import { Decimal } from '../../shared/kernel/decimal.js';
import { asOfField } from './as-of.js';
import { Empty, Links, Stats } from '../design/basics.js';
import { FilterForm } from '../design/filter-form.js';
import { LineChart, type ChartPoint } from '../design/line-chart.js';
import { tableLinks } from './files/table-file.js';
import type { Locale } from './locale.js';
import type { AsOf } from './moment.js';
import { addressOf, type Site } from './page.js';
import { usualRanges, type PriceRange } from './price-range.js';

/** Decimals of a unit price, as the market quotes it. */
export const priceDecimals = 8;

interface Earned {
  readonly paid: string | null;
  readonly percent: string | null;
  /** The CDI over the same days; null where a rate of them is not known. */
  readonly cdi: { readonly percent: string; readonly percentOfCdi: string | null } | null;
}

export interface PriceChartProps {
  readonly locale: Locale;
  readonly ticker: string;
  readonly range: PriceRange;
  readonly points: readonly ChartPoint[];
  /** The return of the range; absent where the page does not read it. */
  readonly earned?: Earned | null;
  /** The first day that can have a price. */
  readonly start: string;
  readonly today: string;
  /** Address of the page that shows the chart, and its other parameters. */
  readonly action: string;
  readonly kept?: Readonly<Record<string, string | undefined>>;
  /** The state of the prices that is shown. */
  readonly asOf: AsOf;
  /** Address of the files of the prices, without their extension. */
  readonly files: string;
  /** Path of the chart for other sites. */
  readonly embed: string;
  readonly site: Site;
}

/** The unit prices of a series in a range, with a form for the range and the same range as files. */
export function PriceChart(props: PriceChartProps) {
  const { locale, ticker, range, points, start, today, action, kept = {}, asOf, files, embed, site } = props;
  const { text } = locale;
  const { from, to, interval } = range;
  const moment = asOf.error === undefined ? asOf.typed : undefined;
  const query = { from, to, asOf: moment };
  return (
    <>
      <div className="row">
        <Links
          label={text.price.range}
          items={usualRanges(today, start, locale).map((one) => ({
            text: one.text,
            href: addressOf(action, { ...kept, from: one.from, to: today, asOf: moment }),
            current: one.from === from && to === today,
          }))}
        />
      </div>
      <FilterForm
        action={action}
        label={text.price.range}
        submit={text.price.show}
        kept={kept}
        fields={[
          { name: 'from', label: text.price.from, type: 'date', value: from },
          { name: 'to', label: text.price.to, type: 'date', value: to },
          asOfField(asOf, locale),
        ]}
      />
      <ChartOf {...props} />
      {interval === 'DAILY' ? null : (
        <p className="muted small">{interval === 'WEEKLY' ? text.price.weekly : text.price.monthly}</p>
      )}
      {points.length === 0 ? null : (
        <>
          <Links
            label={text.price.download}
            items={[
              ...tableLinks(files, query),
              { text: `${text.price.image} SVG`, href: addressOf(`${files}.svg`, query) },
              { text: `${text.price.image} PNG`, href: addressOf(`${files}.png`, query) },
            ]}
          />
          <EmbedCode locale={locale} title={ticker} src={`${site.url}${addressOf(embed, query)}`} />
        </>
      )}
    </>
  );
}

/** The chart with its first values, or a sentence where no price exists. */
function ChartOf({ locale, ticker, points, earned }: Pick<PriceChartProps, 'locale' | 'ticker' | 'points' | 'earned'>) {
  const { text } = locale;
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return <Empty>{text.operation.noPrice}</Empty>;
  return (
    <>
      <Stats
        items={[
          { label: text.price.last, value: locale.money(last.value, priceDecimals), note: locale.date(last.date) },
          {
            label: text.price.change,
            value: changeOf(locale, first, last),
            note: `${locale.date(first.date)} – ${locale.date(last.date)}`,
          },
          ...(earned == null
            ? []
            : [
                {
                  label: text.price.earned,
                  value: locale.percent(earned.percent, 4),
                  note: `${text.price.paid}: ${locale.money(earned.paid, priceDecimals)}`,
                },
                {
                  label: text.price.ofCdi,
                  value: locale.percent(earned.cdi?.percentOfCdi ?? null),
                  note: `${text.price.cdi}: ${locale.percent(earned.cdi?.percent ?? null, 4)}`,
                },
              ]),
        ]}
      />
      <Figure locale={locale} ticker={ticker} points={points} />
    </>
  );
}

/** The chart in the size of the window. */
function Figure({ locale, ticker, points }: Pick<PriceChartProps, 'locale' | 'ticker' | 'points'>) {
  const chart = chartOf(locale, ticker, points);
  return (
    <figure className="chart">
      <div className="desk">
        <LineChart {...chart} />
      </div>
      <div className="phone">
        <LineChart {...chart} size="narrow" />
      </div>
    </figure>
  );
}

/** Only the chart, for other sites to frame, with where it comes from. Its picture takes what the frame leaves it. */
export function EmbeddedChart(
  props: Pick<PriceChartProps, 'locale' | 'ticker' | 'points' | 'site'> & { readonly source: string },
) {
  const { locale, ticker, points, source, site } = props;
  const { text } = locale;
  const last = points.at(-1);
  return (
    <>
      <h1>{ticker}</h1>
      {last === undefined ? (
        <Empty>{text.operation.noPrice}</Empty>
      ) : (
        <>
          <p>
            <strong>{locale.money(last.value, priceDecimals)}</strong>{' '}
            <span className="muted small">{locale.date(last.date)}</span>
          </p>
          <Figure locale={locale} ticker={ticker} points={points} />
        </>
      )}
      <p className="small">
        <a href={source} target="_blank" rel="noopener">
          {text.price.attribution(site.house.name)}
        </a>
      </p>
    </>
  );
}

/** Returns what a chart of prices shows, in words and numbers of a language. */
export function chartOf(locale: Locale, ticker: string, points: readonly ChartPoint[]) {
  const [first, last] = [points[0], points.at(-1)];
  const price = (value: string | undefined) => locale.money(value ?? null, priceDecimals);
  return {
    points,
    label: locale.text.price.chart(
      ticker,
      locale.date(first?.date ?? null),
      locale.date(last?.date ?? null),
      price(first?.value),
      price(last?.value),
    ),
    formatValue: (value: string) => locale.decimal(value),
    formatDate: locale.date,
  };
}

function changeOf(locale: Locale, first: ChartPoint, last: ChartPoint): string {
  const before = new Decimal(first.value);
  if (before.isZero()) return locale.percent(null);
  return locale.percent(new Decimal(last.value).div(before).minus(1).times(100).toFixed(4), 4);
}

/** Size of the frame in which a chart is shown whole, in pixels of CSS. */
const [width, height] = [600, 420];

/** The markup with which another site shows a chart, to be copied. */
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
