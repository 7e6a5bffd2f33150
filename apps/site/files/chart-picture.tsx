import { renderToStaticMarkup } from 'react-dom/server';
import { LineChart, type ChartPoint } from '../../design/line-chart.js';
import type { Locale } from '../locale.js';
import type { FileContent } from '../page.js';
import { chartOf } from '../price-chart.js';

export const pictureFormats = ['svg', 'png'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** Returns the chart of a series as a picture that other sites may show. */
export async function chartPicture(
  format: PictureFormat,
  ticker: string,
  points: readonly ChartPoint[],
  locale: Locale,
): Promise<FileContent> {
  const svg = renderToStaticMarkup(<LineChart {...chartOf(locale, ticker, points)} standalone />);
  if (format === 'svg') return { type: 'image/svg+xml', bytes: svg, shared: true };
  // Loaded with the first picture: the program starts without it.
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, { fitTo: { mode: 'width', value: 1200 } });
  return { type: 'image/png', bytes: image.asPng(), shared: true };
}
