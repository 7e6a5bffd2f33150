import { data, decimal, id, instant, oneOf, text, type EventType } from './event-type.js';

const side = oneOf('BUY or SELL.', 'BUY', 'SELL');
const ofProfile = {
  profileId: id(
    'Id of the profile that owns the wallet, as in `X-Profile-Id`; absent for the wallet of the company itself.',
  ),
};
const ofOrder = {
  clientOrderId: text('Id that the caller gave to the order; absent when it gave none.'),
  ...ofProfile,
};

/** Events of orders and funds. */
export const tradingEvents: readonly EventType[] = [
  {
    name: 'order.filled',
    meaning: 'An order was filled, partially or completely.',
    surface: 'TRADING',
    data: data(
      {
        orderId: id('Id of the order.'),
        symbol: text('Symbol of the market, such as `BTC/BRL`.'),
        side,
        status: oneOf(
          'Status of the order. An order that has already ended in another way keeps that status when it is filled partially.',
          'PARTIALLY_FILLED',
          'FILLED',
          'CANCELLED',
          'REJECTED',
          'EXPIRED',
        ),
        filledAmount: decimal('Quantity filled so far, in the base currency.'),
        averagePrice: decimal('Average price of the filled quantity, in the quote currency.'),
        occurredAt: instant('Time of the event.'),
      },
      ofOrder,
    ),
  },
  {
    name: 'order.cancelled',
    meaning:
      'An order that was sent ended without being filled completely: it was cancelled, expired, or was rejected by the venues.',
    surface: 'TRADING',
    data: data(
      {
        orderId: id('Id of the order.'),
        symbol: text('Symbol of the market, such as `BTC/BRL`.'),
        side,
        status: oneOf('Status of the order: how it ended.', 'CANCELLED', 'EXPIRED', 'REJECTED'),
        filledAmount: decimal('Quantity filled before its end, in the base currency.'),
        occurredAt: instant('Time of the event.'),
      },
      ofOrder,
    ),
  },
  {
    name: 'deposit.confirmed',
    meaning: 'A deposit was confirmed.',
    surface: 'TRADING',
    data: data(
      {
        depositId: id('Id of the deposit.'),
        asset: text('Code of the currency.'),
        amount: decimal('Amount of the deposit.'),
        network: text('Network of the deposit.'),
        occurredAt: instant('Time of the confirmation.'),
      },
      ofProfile,
    ),
  },
  {
    name: 'withdrawal.completed',
    meaning: 'A withdrawal was processed.',
    surface: 'TRADING',
    data: data(
      {
        withdrawalId: id('Id of the withdrawal.'),
        asset: text('Code of the currency.'),
        amount: decimal('Amount of the withdrawal, without the fee.'),
        fee: decimal('Fee, in the same currency.'),
        address: text('Destination of the withdrawal.'),
        network: text('Network of the withdrawal.'),
        occurredAt: instant('Time of completion.'),
      },
      ofProfile,
    ),
  },
];
