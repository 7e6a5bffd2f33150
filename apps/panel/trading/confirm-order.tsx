import { Link } from '@tanstack/react-router';
import { Facts } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { accepted } from '../frame/failure.js';
import { decimal, percent } from '../frame/language.js';
import { FailureNotice } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph, type Market } from './graph.js';
import type { Operations } from './graph/operations.js';
import { priceText, product } from './price.js';
import { tradingTexts } from './texts.js';

type Preview = Operations['previewOrder']['data']['previewOrder'];
export type Wish = Operations['previewOrder']['variables'];

/** An order that is previewed, with the id under which it is placed. */
export interface Asked {
  readonly wish: Wish;
  readonly preview: Preview;
  readonly clientOrderId: string;
}

/** Shows what an order would do, and places it: once, however often the button is pressed. */
export function Confirm(props: {
  readonly asked: Asked | undefined;
  readonly market: Market;
  /** The last price of the market. */
  readonly last: string | null | undefined;
  readonly waits: boolean;
  readonly onClose: () => void;
  readonly onPlaced: (said: string) => void;
}) {
  const { asked, market, last, waits, onClose, onPlaced } = props;
  const { order: text, orders } = tradingTexts.get();
  const action = useAction();
  if (asked === undefined) return null;
  const { wish, preview, clientOrderId } = asked;
  return (
    <Dialog title={text.confirmTitle} isOpen onClose={onClose}>
      <FailureNotice failure={action.failure} />
      <Summary wish={wish} preview={preview} market={market} />
      <FarPrice wish={wish} last={last} />
      {waits ? <p className="notice bad">{text.waits}</p> : null}
      <div className="acts">
        <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
        <Button
          kind="main"
          isBusy={action.isBusy}
          isDisabled={waits || preview.refused !== null}
          onPress={() => {
            void action.run(async () => {
              const { createOrderResult } = await graph.mutate('createOrder', { ...wish, clientOrderId });
              const order = accepted(createOrderResult);
              onPlaced(text.placed(orderText(wish, market), orders.states[order.status], order.reason ?? ''));
            });
          }}
        >
          {text.sides[wish.side]}
        </Button>
      </div>
    </Dialog>
  );
}

/** Says what became of an order, and where it is. */
export function PlacedNote({ said }: { readonly said: string }) {
  return (
    <p role="status" className="note">
      {said === '' ? null : (
        <>
          {said} <Link to="/negociacao/ordens">{tradingTexts.get().order.toOrders}</Link>
        </>
      )}
    </p>
  );
}

/** What an order is, in a line: `Comprar 0,01 BTC a 570.000 BRL`. */
export function orderText(order: Pick<Wish, 'side' | 'amount' | 'quoteAmount' | 'price'>, market: Market): string {
  const { side, amount, quoteAmount, price } = order;
  const { baseCurrency, quoteCurrency } = market;
  const { order: text } = tradingTexts.get();
  const size = amount == null ? `${decimal(quoteAmount ?? '')} ${quoteCurrency}` : `${decimal(amount)} ${baseCurrency}`;
  return `${text.sides[side]} ${size}${price == null ? '' : ` ${text.at(`${decimal(price)} ${quoteCurrency}`)}`}`;
}

/** A warning about a limit that is far from the market: most often a slip of the keyboard. */
function FarPrice({ wish, last }: { readonly wish: Wish; readonly last: string | null | undefined }) {
  if (wish.price == null || last == null) return null;
  const change = Number(wish.price) / Number(last) - 1;
  if (Math.abs(change) < 0.1) return null;
  const { order: text } = tradingTexts.get();
  const share = percent((Math.abs(change) * 100).toFixed(1), 1);
  return <p className="notice bad">{change > 0 ? text.farAbove(share) : text.farBelow(share)}</p>;
}

function Summary(props: { readonly wish: Wish; readonly preview: Preview; readonly market: Market }) {
  const { wish, preview, market } = props;
  const { order: text } = tradingTexts.get();
  const { baseCurrency: base, quoteCurrency: quote } = market;
  const inQuote = (value: string | null) => (value === null ? '—' : `${decimal(value)} ${quote}`);
  const total =
    wish.amount == null || wish.price == null
      ? null
      : priceText(product(wish.amount, wish.price), market.priceDecimals);
  return (
    <>
      <p>
        <strong>{orderText(wish, market)}</strong>, {text.types[wish.type]}, {wish.timeInForce}
      </p>
      {preview.refused === null ? (
        <Facts
          items={[
            ...(total === null ? [] : [[text.total, `${total} ${quote}`] as const]),
            [text.atOnce, `${decimal(preview.amount)} ${base}`],
            [text.average, inQuote(preview.averagePrice)],
            [text.worst, inQuote(preview.worstPrice)],
            [text.slippage, preview.slippagePercent === null ? '—' : percent(preview.slippagePercent, 4)],
            [text.value, inQuote(preview.notional)],
            [text.fee, `${decimal(preview.fee)} ${preview.feeCurrency}`],
            [text.hold, preview.hold === null ? '—' : `${decimal(preview.hold.amount)} ${preview.hold.currency}`],
          ]}
        />
      ) : (
        <div className="notice bad" role="alert">
          <p>{text.refused}</p>
          <p lang="en">{preview.refused}</p>
        </div>
      )}
    </>
  );
}
