import type { Market } from './graph.js';
import { isStale, useFeed, type Level } from './live.js';
import { priceText } from './price.js';
import { tradingTexts } from './texts.js';

/** The best levels of both sides of a book; bars show how much is offered up to each. */
export function Depth({ market, synthetic }: { readonly market: Market; readonly synthetic: boolean }) {
  const { market: text } = tradingTexts.get();
  const live = useFeed('depthLive', synthetic, market.symbol);
  const { bids = [], asks = [] } = live.data ?? {};
  const most = Math.max(sumOf(bids), sumOf(asks), Number.MIN_VALUE);
  return (
    <div className={isStale(live) ? 'depth stale' : 'depth'}>
      <Side title={text.bids} side="bid" market={market} levels={bids} most={most} />
      <Side title={text.asks} side="ask" market={market} levels={asks} most={most} />
    </div>
  );
}

/** The sum is a width on the picture alone. */
function sumOf(levels: readonly Level[]): number {
  return levels.reduce((sum, { amount }) => sum + Number(amount), 0);
}

function Side(props: {
  readonly title: string;
  readonly side: 'bid' | 'ask';
  readonly market: Market;
  readonly levels: readonly Level[];
  readonly most: number;
}) {
  const { title, side, market, levels, most } = props;
  const { priceDecimals, amountDecimals } = market;
  const { market: text } = tradingTexts.get();
  return (
    <table className={side}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col" className="number">
            {text.price}
          </th>
          <th scope="col" className="number">
            {text.amount}
          </th>
          <th scope="col">
            <span className="hidden">{text.cumulated}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {levels.map(({ price, amount }, at) => (
          <tr key={price}>
            <td className="number">{priceText(price, priceDecimals)}</td>
            <td className="number">{priceText(amount, amountDecimals)}</td>
            <td>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(sumOf(levels.slice(0, at + 1)) / most) * 100} height="10" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
