import { data, day, flag, money, oneOf, price, text, whole, type EventType } from './event-type.js';

const trancheStatus = (description: string) => oneOf(description, 'DRAFT', 'ACTIVE', 'FUNDRAISING', 'CLOSED');

const payment = (status: string) =>
  data(
    {
      trancheTicker: text('Ticker of the series.'),
      installmentNumber: whole('Number of the instalment in the schedule, from 1.'),
      dueDate: day('Due date of the instalment.'),
      interestValue: money('Interest for all tokens of the series, in BRL.'),
      principalValue: money('Amortization for all tokens of the series, in BRL.'),
      totalValue: money('Interest and amortization for all tokens of the series, in BRL.'),
      status: oneOf('Status of the instalment.', status),
    },
    {
      correction: flag(
        'true where the instalment had been paid before, and that payment was reversed; absent otherwise.',
      ),
    },
  );

/** Events of series and their payments. */
export const tokenizationEvents: readonly EventType[] = [
  { name: 'payment.completed', meaning: 'An instalment was paid.', surface: 'TOKENIZATION', data: payment('PAID') },
  {
    name: 'payment.overdue',
    meaning:
      'An instalment is late. Its amounts are absent while the unit price from which they are calculated is not known, because an index value has not been published.',
    surface: 'TOKENIZATION',
    data: { ...payment('OVERDUE'), required: ['trancheTicker', 'installmentNumber', 'dueDate', 'status'] },
  },
  {
    name: 'tranche.status_changed',
    meaning: 'The status of a series changed.',
    surface: 'TOKENIZATION',
    data: data({
      trancheTicker: text('Ticker of the series.'),
      patrimonyTicker: text('Ticker of the estate of the series.'),
      previousStatus: trancheStatus('Status before the change.'),
      status: trancheStatus('Status since the change.'),
    }),
  },
  {
    name: 'tranche.unit_price_updated',
    meaning: 'The unit price of a series was recalculated.',
    surface: 'TOKENIZATION',
    data: data({
      trancheTicker: text('Ticker of the series.'),
      patrimonyTicker: text('Ticker of the estate of the series.'),
      date: day('Day to which the price applies.'),
      unitPrice: price('Price with accrued interest (dirty PU), in BRL.'),
      nominalValue: price('Price without accrued interest (clean PU), in BRL.'),
      interestJ: price('Accrued interest of a token, in BRL.'),
      correction: flag('Whether the price of that day replaces an earlier one, because its inputs were corrected.'),
    }),
  },
];
