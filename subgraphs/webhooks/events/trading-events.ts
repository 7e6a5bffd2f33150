import { data, decimal, flag, id, instant, oneOf, text, type EventType } from './event-type.js';

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
      {
        correction: flag(
          'true where the deposit had been credited before, with another amount or until its network reversed it; absent otherwise.',
        ),
        ...ofProfile,
      },
    ),
  },
  {
    name: 'deposit.reversed',
    meaning: 'A confirmed deposit was reversed by its network, or what was missing of it then was resolved.',
    surface: 'TRADING',
    data: data(
      {
        depositId: id('Id of the deposit.'),
        asset: text('Code of the currency.'),
        amount: decimal('Amount that was taken back from the wallet now: 0 where nothing was available.'),
        network: text('Network of the deposit.'),
        status: oneOf(
          'Status of the deposit: QUARANTINED where less was available than had been credited.',
          'REVERSED',
          'QUARANTINED',
        ),
        occurredAt: instant('Time of the reversal.'),
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
        address: text(
          'Destination of the withdrawal: an address on a chain whole; of a PIX key or a bank account the last four characters, as `***mple` or `***.***.*47-25`. `withdrawalId` leads to all of it.',
        ),
        network: text('Network of the withdrawal.'),
        occurredAt: instant('Time of completion.'),
      },
      ofProfile,
    ),
  },
];
