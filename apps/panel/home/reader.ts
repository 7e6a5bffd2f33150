import { date, language, moment, money } from '../frame/language.js';
import { graph } from './graph.js';
import type { View } from './item.js';
import { homeTexts } from './texts.js';

const page = '/desenvolvedor/emissoes';

/** The followed operations, those that changed last first. One that is not published has no address and is left out. */
export async function readReader(): Promise<View> {
  const { followedOperations } = await graph.query('reader', {});
  const { reader: text } = homeTexts.get();
  const operations = followedOperations
    .flatMap((one) => one ?? [])
    .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  return {
    figures: [],
    items: operations.map(({ name, href, alertKinds, updatedAt, series: [series] }) => {
      const price = series?.currentUnitPrice;
      return {
        text: name,
        note: [
          ...alertKinds.map((kind) => text.alerts[kind]),
          ...(price == null ? [] : [text.price(series?.ticker ?? '', money(price.value, 8), date(price.date))]),
          text.changed(moment(updatedAt)),
        ].join(' · '),
        count: alertKinds.length,
        tone: alertKinds.length > 0 ? ('bad' as const) : ('plain' as const),
        href: `${language.prefix}${href}`,
        page,
      };
    }),
    empty: { text: text.follow, note: text.none, count: 0, tone: 'plain', to: page },
  };
}
