import { data, decimal, id, instant, oneOf, text, type EventType } from './event-type.js';

const side = oneOf('BUY or SELL.', 'BUY', 'SELL');
const ofProfile = {
  profileId: id(
    'The profile whose wallet it is, as `X-Profile-Id` names it; absent of the wallet of the company itself.',
  ),
};
const ofOrder = {
  clientOrderId: text('The id that the caller gave the order; absent where it gave none.'),
  ...ofProfile,
};

/** Events of orders and funds. */
export const tradingEvents: readonly EventType[] = [
  {
    name: 'order.filled',
    meaning: 'An order was filled, in part or whole.',
    surface: 'trading',
    data: data(
      {
        orderId: id('The order.'),
        symbol: text('The market, as `BTC/BRL`.'),
        side,
        status: oneOf(
          'State of the order. One that has ended otherwise keeps its state when it is filled in part.',
          'PARTIALLY_FILLED',
          'FILLED',
          'CANCELLED',
          'REJECTED',
          'EXPIRED',
        ),
        filledAmount: decimal('Filled so far, in the base currency.'),
        averagePrice: decimal('Average price of what is filled, in the quote currency.'),
        occurredAt: instant('When it happened.'),
      },
      ofOrder,
    ),
  },
  {
    name: 'order.cancelled',
    meaning: 'An order was cancelled.',
    surface: 'trading',
    data: data(
      {
        orderId: id('The order.'),
        symbol: text('The market, as `BTC/BRL`.'),
        side,
        status: oneOf('State of the order.', 'CANCELLED'),
        filledAmount: decimal('Filled before that, in the base currency.'),
        occurredAt: instant('When it happened.'),
      },
      ofOrder,
    ),
  },
  {
    name: 'deposit.confirmed',
    meaning: 'A deposit was confirmed.',
    surface: 'trading',
    data: data(
      {
        depositId: id('The deposit.'),
        asset: text('The currency.'),
        amount: decimal('How much of it.'),
        network: text('The network that it came by.'),
        occurredAt: instant('When it was confirmed.'),
      },
      ofProfile,
    ),
  },
  {
    name: 'withdrawal.completed',
    meaning: 'A withdrawal was processed.',
    surface: 'trading',
    data: data(
      {
        withdrawalId: id('The withdrawal.'),
        asset: text('The currency.'),
        amount: decimal('How much of it, without the fee.'),
        fee: decimal('The fee, in the same currency.'),
        address: text('Where it went.'),
        network: text('The network that it went by.'),
        occurredAt: instant('When it was completed.'),
      },
      ofProfile,
    ),
  },
];
